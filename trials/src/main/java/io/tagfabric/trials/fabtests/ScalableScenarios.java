package io.tagfabric.trials.fabtests;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.ScalableEndpoint;
import io.tagfabric.fabric.ScalableOptions;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Endpoints of several contexts behind one address. */
final class ScalableScenarios {
  private static final int CONTEXTS = 2;
  private static final int SHIFT = 40;
  private static final int ROUNDS = 20;
  private static final int[] LENGTHS = {0, 8, 3_000, 100_000};

  private ScalableScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "scalable-ep",
            "scalable",
            "scalable_ep",
            "two contexts on each side, chosen by the tag",
            side -> run(side, 1)),
        new Scenario(
            "scalable-ep-index",
            "scalable",
            "scalable_ep",
            "the same, chosen by an index",
            side -> run(side, 0)));
  }

  private static void run(Side side, int bits) {
    ScalableEndpoint own =
        side.fabric()
            .openScalableEndpoint(
                "fabtests-scalable-" + side.index() + "-" + bits,
                ScalableOptions.of(CONTEXTS).choosingBy(SHIFT, bits));
    try {
      EndpointAddress theirs = EndpointAddress.parse(side.exchange(own.address().encode()));
      int[] whole = own.insert(theirs);
      for (int round = 0; round < ROUNDS; round++) {
        for (int from = 0; from < CONTEXTS; from++) {
          for (int to = 0; to < CONTEXTS; to++) {
            exchange(side, own, whole, bits, new int[] {round, from, to});
          }
        }
      }
      side.sync();
    } finally {
      own.close(Duration.ZERO);
    }
  }

  /** Context {@code from} of the first side sends to context {@code to} of the second. */
  private static void exchange(Side side, ScalableEndpoint own, int[] whole, int bits, int[] turn) {
    int from = turn[1];
    int to = turn[2];
    long number = ((long) turn[0] * CONTEXTS + from) * CONTEXTS + to;
    long tag = bits == 0 ? number : ((long) to << SHIFT) | number;
    byte[] message = Side.bytes(number, LENGTHS[(int) number % LENGTHS.length]);
    if (side.isFirst()) {
      int peer =
          bits == 0
              ? own.domains().get(from).addressVector().context(whole[from], to)
              : whole[from];
      side.join(own.contexts().get(from).futures().sendTagged(peer, message, tag));
      return;
    }
    Endpoint receiver = own.contexts().get(to);
    CompletionStage<TaggedMessage> received =
        receiver.futures().receiveTagged(TagSelector.exact(tag).from(whole[to]));
    TaggedMessage got = side.join(received);
    Wrong.unless(
        got.source() == whole[to],
        () -> "source=" + got.source() + " is not the whole endpoint " + whole[to]);
    Wrong.unless(
        Arrays.equals(got.payload().array(), message),
        () -> "context " + to + " got other bytes than were sent to it");
  }
}
