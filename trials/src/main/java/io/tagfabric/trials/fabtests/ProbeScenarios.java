package io.tagfabric.trials.fabtests;

import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.EndpointFutures;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.Claim;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.Probe;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;

/** Looks at messages that wait, and what becomes of them then. */
final class ProbeScenarios {
  private static final long FIRST_TAG = 0x900d;
  private static final int MESSAGES = 10;
  private static final int REVERSED_FROM = 6;
  private static final int LONG = 200_000;

  private ProbeScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "peek",
            "peek",
            "rdm_tagged_peek",
            "ten messages are looked at, claimed, discarded and received in reverse",
            side -> run(side, 100)),
        new Scenario(
            "peek-long",
            "peek",
            "rdm_tagged_peek",
            "the same with messages whose bytes wait at the sender",
            side -> run(side, LONG)),
        new Scenario(
            "peek-msg",
            "peek",
            "rdm_tagged_peek",
            "messages without a tag are looked at, claimed and discarded, beside one with a tag",
            ProbeScenarios::untagged));
  }

  private static void untagged(Side side) {
    int[] lengths = {100, LONG, 7, LONG};
    Link link = side.open(lengths.length + 1);
    if (!side.isFirst()) {
      List<CompletionStage<Completion.Sent>> sent = new ArrayList<>();
      Slot tagged = link.postSend(message(9, 1), tag(9));
      for (int number = 0; number < lengths.length; number++) {
        UnsafeBuffer bytes = new UnsafeBuffer(message(number, lengths[number]));
        sent.add(link.endpoint().futures().start(TaggedSend.untagged(link.peer(), bytes)));
      }
      sent.forEach(side::join); // those that are discarded too
      link.awaitAll(List.of(tagged));
      return;
    }
    link.awaitUnexpected(lengths.length + 1);
    EndpointFutures futures = link.endpoint().futures();
    requireUntagged(side.join(futures.start(Probe.peekUntagged(link.peer()))), lengths[0]);
    Claim claim = new Claim();
    side.join(futures.start(Probe.claimUntagged(-1, claim)));
    requireUntagged(claim.info(), lengths[0]);
    requireUntagged(side.join(futures.start(Probe.discardUntagged(-1))), lengths[1]);
    require(side.join(futures.receive(TaggedReceive.untagged(-1))), 0, 2, lengths[2]);
    require(side.join(futures.receive(TaggedReceive.of(claim))), 0, 0, lengths[0]);
    side.join(futures.start(Probe.claimUntagged(-1, claim)));
    require(side.join(futures.receive(TaggedReceive.of(claim))), 0, 3, lengths[3]);
    requireNone(side, "peek without a tag", () -> futures.start(Probe.peekUntagged(-1)));
    require(side.join(futures.start(Probe.peek(TagSelector.any()))), 9, 1);
    require(side.join(futures.receiveTagged(TagSelector.any())), 9, 1);
  }

  private static void requireUntagged(MessageInfo found, int length) {
    Wrong.unless(
        !found.tagged() && found.lengthBytes() == length,
        () -> "a message without a tag of " + length + " bytes is shown as " + found);
  }

  private static byte[] message(int number, int length) {
    byte[] message = new byte[length];
    Arrays.fill(message, (byte) (number + 1));
    return message;
  }

  private static long tag(int number) {
    return FIRST_TAG + number;
  }

  private static void run(Side side, int length) {
    Link link = side.open(MESSAGES);
    if (!side.isFirst()) {
      List<Slot> sent =
          IntStream.range(0, MESSAGES)
              .mapToObj(number -> link.postSend(message(number, length), tag(number)))
              .toList();
      link.awaitAll(sent); // those that are discarded too
      return;
    }
    link.awaitUnexpected(MESSAGES);
    EndpointFutures futures = link.endpoint().futures();
    TagSelector absent = TagSelector.exact(FIRST_TAG - 1);
    requireNone(side, "peek of an absent tag", () -> futures.start(Probe.peek(absent)));
    requireNone(
        side, "claim of an absent tag", () -> futures.start(Probe.claim(absent, new Claim())));
    requireNone(side, "discard of an absent tag", () -> futures.start(Probe.discard(absent)));

    require(side.join(futures.start(Probe.peek(TagSelector.exact(tag(0))))), 0, length);
    require(side.join(futures.start(Probe.peek(TagSelector.exact(tag(0))))), 0, length);
    require(side.join(futures.receiveTagged(TagSelector.exact(tag(0)))), 0, length);

    Claim claim = new Claim();
    side.join(futures.start(Probe.claim(TagSelector.exact(tag(1)), claim)));
    requireNone(side, "peek of a claimed message", () -> futures.start(Probe.peek(exact(1))));
    require(side.join(futures.receive(TaggedReceive.of(claim))), 1, length);

    require(side.join(futures.start(Probe.discard(exact(2)))), 2, length);
    requireNone(side, "peek of a discarded message", () -> futures.start(Probe.peek(exact(2))));

    Claim unwanted = new Claim();
    side.join(futures.start(Probe.claim(exact(3), unwanted)));
    require(side.join(futures.start(Probe.discard(unwanted))), 3, length);
    requireNone(side, "peek of a discarded claim", () -> futures.start(Probe.peek(exact(3))));

    require(side.join(futures.start(Probe.peek(TagSelector.any()))), 4, length);
    require(side.join(futures.receiveTagged(TagSelector.any())), 4, length);
    require(side.join(futures.receiveTagged(TagSelector.any())), 5, length);
    for (int number = MESSAGES - 1; number >= REVERSED_FROM; number--) {
      require(side.join(futures.receiveTagged(exact(number))), number, length);
    }
    requireNone(
        side, "peek when nothing waits", () -> futures.start(Probe.peek(TagSelector.any())));
  }

  private static TagSelector exact(int number) {
    return TagSelector.exact(tag(number));
  }

  private static void requireNone(Side side, String what, Supplier<CompletionStage<?>> call) {
    try {
      Object found = side.join(call.get());
      throw new Wrong(what + " has found " + found);
    } catch (FabricException e) {
      Wrong.unless(
          e.error() == FabricError.NO_MESSAGE, () -> what + " fails with " + e.getMessage());
    }
  }

  private static void require(MessageInfo found, int number, int length) {
    Wrong.unless(
        found.tag() == tag(number) && found.lengthBytes() == length,
        () -> "message " + number + " is shown as " + found);
  }

  private static void require(TaggedMessage message, int number, int length) {
    require(message, tag(number), number, length);
  }

  private static void require(TaggedMessage message, long tag, int number, int length) {
    Wrong.unless(
        message.tag() == tag && Arrays.equals(message.payload().array(), message(number, length)),
        () -> "message " + number + " has other bytes, or tag=" + message.tag());
  }
}
