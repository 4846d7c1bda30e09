package io.tagfabric.trials.fabtests;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.tag.TagSelector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tagged messages: matching, and how receives end otherwise. */
final class TaggedScenarios {
  private static final int MANY = 256;
  private static final int MIB = 1 << 20;
  private static final int[] LENGTHS = {
    0,
    1,
    7,
    8,
    63,
    64,
    65,
    1_000,
    2_047,
    2_049,
    8_192,
    16_384,
    16_385,
    65_536,
    65_537,
    MIB,
    3 * MIB + 1
  };

  private TaggedScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "tagged",
            "tagged",
            "rdm_tagged_pingpong",
            "a greeting each way",
            TaggedScenarios::greet),
        new Scenario(
            "loopback",
            "tagged",
            "loopback",
            "an endpoint sends to itself",
            TaggedScenarios::loopback),
        new Scenario(
            "unexpected",
            "tagged",
            "unexpected_msg",
            "many wait, and are taken in reverse",
            TaggedScenarios::unexpected),
        new Scenario(
            "wildcard",
            "tagged",
            "unexpected_msg",
            "receives of any source, then directed ones",
            TaggedScenarios::wildcard),
        new Scenario(
            "ignore",
            "tagged",
            "rdm_tagged_bw",
            "bits of a tag that do not count",
            TaggedScenarios::ignore),
        new Scenario(
            "cancel",
            "tagged",
            "recv_cancel",
            "one receive of two is taken back",
            TaggedScenarios::cancel),
        new Scenario(
            "truncate",
            "tagged",
            "ubertest",
            "a message longer than its receive",
            TaggedScenarios::truncate),
        new Scenario(
            "cq-data", "tagged", "cq_data", "8 bytes of immediate data", TaggedScenarios::data),
        new Scenario(
            "pingpong",
            "tagged",
            "rdm_tagged_pingpong",
            "all lengths there and back",
            TaggedScenarios::pingpong),
        new Scenario(
            "bandwidth",
            "tagged",
            "rdm_tagged_bw",
            "a window of sends under way",
            TaggedScenarios::bandwidth));
  }

  private static void greet(Side side) {
    Link link = side.open();
    byte[] own = ("hello from side " + side.index()).getBytes(StandardCharsets.UTF_8);
    byte[] theirs = ("hello from side " + (1 - side.index())).getBytes(StandardCharsets.UTF_8);
    Slot receive = link.postReceive(64, 1);
    link.send(own, 1);
    link.await(receive).require(theirs);
    Completion.Received got = receive.received();
    Wrong.unless(
        got.tag() == 1 && got.source() == link.peer(), () -> "tag or source are not: " + got);
  }

  private static void loopback(Side side) {
    Link link = side.open();
    int self = link.domain().addressVector().insert(link.endpoint().address());
    byte[] message = Side.bytes(side.index(), 300);
    Slot posted = link.postReceive(300, 5, 0, self);
    link.await(link.postSendTo(self, message, 5, CompletionLevel.INJECT)).sent();
    link.await(posted).require(message);
    link.await(link.postSendTo(self, message, 6, CompletionLevel.INJECT)).sent();
    link.awaitUnexpected(1);
    link.await(link.postReceive(300, 6, 0, self)).require(message);
  }

  private static void unexpected(Side side) {
    Link link = side.open(MANY);
    for (int count : new int[] {4, MANY}) {
      if (side.isFirst()) {
        List<Slot> sends = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          byte[] message = Side.bytes(i, 100 + i);
          sends.add(link.postSendData(message, 0x1000 + i, message.length));
        }
        link.awaitAll(sends);
        sends.forEach(Slot::sent);
      } else {
        link.awaitUnexpected(count);
        for (int i = count - 1; i >= 0; i--) {
          Slot slot = link.await(link.postReceive(100 + MANY, 0x1000 + i));
          slot.require(Side.bytes(i, 100 + i));
          Wrong.unless(
              slot.received().hasData() && slot.received().data() == 100 + i,
              () -> "data of " + slot.done);
        }
      }
      side.sync();
    }
  }

  private static void wildcard(Side side) {
    Link link = side.open(8);
    if (side.isFirst()) {
      for (int i = 0; i < 8; i++) {
        link.send(Side.bytes(i, 50), 100 + i);
      }
      return;
    }
    for (int i = 0; i < 4; i++) {
      Slot slot = link.await(link.postReceive(50, 0, -1L, TagSelector.ANY_SOURCE));
      slot.require(Side.bytes(i, 50));
      Wrong.unless(slot.received().source() == link.peer(), () -> "source of " + slot.done);
    }
    int self = link.domain().addressVector().insert(link.endpoint().address());
    Slot foreign = link.postReceive(50, 0, -1L, self);
    for (int i = 4; i < 8; i++) {
      link.await(link.postReceive(50, 100 + i, 0, link.peer())).require(Side.bytes(i, 50));
    }
    Wrong.unless(foreign.done == null, "a receive from another source got a message");
    side.join(link.endpoint().futures().cancel(foreign));
    Wrong.unless(
        link.await(foreign).failed().error() == FabricError.CANCELED,
        "the receive was not taken back");
  }

  private static void ignore(Side side) {
    Link link = side.open(8);
    if (side.isFirst()) {
      side.sync();
      for (long tag : new long[] {0xF1, 0xE1, 0xF2}) {
        link.send(Side.bytes(tag, 20), tag);
      }
      return;
    }
    Slot high = link.postReceive(20, 0xF0, 0x0F, TagSelector.ANY_SOURCE);
    Slot low = link.postReceive(20, 0x01, 0xF0, TagSelector.ANY_SOURCE);
    Slot any = link.postReceive(20, 0x00, -1L, TagSelector.ANY_SOURCE);
    side.sync();
    link.await(high).require(Side.bytes(0xF1, 20));
    link.await(low).require(Side.bytes(0xE1, 20));
    link.await(any).require(Side.bytes(0xF2, 20));
  }

  private static void cancel(Side side) {
    Link link = side.open(4);
    if (side.isFirst()) {
      side.sync();
      link.send(Side.bytes(2, 40), 2);
      link.send(Side.bytes(1, 40), 1);
      return;
    }
    Slot first = link.postReceive(40, 1);
    Slot second = link.postReceive(40, 2);
    TagMatcher.CancelOutcome outcome = side.join(link.endpoint().futures().cancel(first));
    Wrong.unless(outcome instanceof TagMatcher.Cancelled, () -> "cancel answers " + outcome);
    Completion.Failed failed = link.await(first).failed();
    Wrong.unless(failed.error() == FabricError.CANCELED, () -> "ended with " + failed);
    side.sync();
    link.await(second).require(Side.bytes(2, 40));
    link.awaitUnexpected(1);
    TagMatcher.CancelOutcome late = side.join(link.endpoint().futures().cancel(second));
    Wrong.unless(
        late instanceof TagMatcher.CancelOutcome.NotFound, () -> "a second cancel answers " + late);
    Wrong.unless(link.ended().size() == 2, () -> "entries: " + link.ended().size());
    link.await(link.repostReceive(first, 1, 0, TagSelector.ANY_SOURCE)).require(Side.bytes(1, 40));
  }

  private static void truncate(Side side) {
    Link link = side.open(4);
    int[] lengths = {1_000, 30_000, MIB};
    for (int length : lengths) {
      byte[] message = Side.bytes(length, length);
      if (side.isFirst()) {
        link.send(message, length);
      } else {
        Slot slot = new Slot(new byte[600], true);
        Arrays.fill(slot.bytes, Link.FILL);
        post(link, slot, length);
        Completion.Failed failed = link.await(slot).failed();
        Wrong.unless(failed.error() == FabricError.TRUNCATED, () -> "ended with " + failed);
        Wrong.unless(
            failed.length() == 500 && failed.overflowLength() == length - 500,
            () -> "lengths of " + failed);
        Wrong.unless(
            Arrays.equals(slot.bytes, 0, 500, message, 0, 500), "the bytes that fit are others");
        slot.requireUntouched(500);
      }
    }
  }

  /** A receive that offers 500 bytes of the buffer only. */
  private static void post(Link link, Slot slot, long tag) {
    link.endpoint().postReceive(slot.buffer, 0, 500, tag, 0, TagSelector.ANY_SOURCE, slot);
  }

  private static void data(Side side) {
    Link link = side.open();
    long[] values = {0, 1, -1L, 0x0123456789ABCDEFL};
    for (int i = 0; i < values.length; i++) {
      long value = values[i];
      if (side.isFirst()) {
        link.await(link.postSendData(Side.bytes(i, 1_000), i, value)).sent();
      } else {
        Slot slot = link.await(link.postReceive(1_000, i));
        slot.require(Side.bytes(i, 1_000));
        Completion.Received got = slot.received();
        Wrong.unless(got.hasData() && got.data() == value && got.tagged(), () -> "data of " + got);
      }
    }
    if (side.isFirst()) {
      link.send(new byte[3], 99);
    } else {
      Wrong.unless(
          !link.await(link.postReceive(3, 99)).received().hasData(), "data that nobody sent");
    }
  }

  private static void pingpong(Side side) {
    Link link = side.open();
    for (int length : LENGTHS) {
      byte[] there = Side.bytes(length, length);
      byte[] back = Side.bytes(length + 7L, length);
      if (side.isFirst()) {
        link.send(there, length);
        link.expect(back, length);
      } else {
        link.expect(there, length);
        link.send(back, length);
      }
    }
  }

  private static void bandwidth(Side side) {
    int window = 64;
    Link link = side.open(window);
    for (int length : new int[] {8, 4_096, 100_000}) {
      List<Slot> slots = new ArrayList<>();
      for (int i = 0; i < window; i++) {
        byte[] message = Side.bytes(i, length);
        slots.add(side.isFirst() ? link.postSend(message, i) : link.postReceive(length, i));
      }
      link.awaitAll(slots);
      for (int i = 0; i < window; i++) {
        if (side.isFirst()) {
          slots.get(i).sent();
        } else {
          slots.get(i).require(Side.bytes(i, length));
        }
      }
      side.sync();
    }
  }

  static void greetOn(Side side, Link link) {
    Slot receive = link.postReceive(16, 0x77);
    link.send(Side.bytes(side.index(), 16), 0x77);
    link.await(receive).require(Side.bytes(1L - side.index(), 16));
  }

  static void refused(Runnable call, String word) {
    try {
      call.run();
    } catch (IllegalArgumentException | IndexOutOfBoundsException refusal) {
      String text = String.valueOf(refusal.getMessage());
      Wrong.unless(text.contains(word), () -> "a refusal does not name " + word + ": " + text);
      return;
    }
    throw new Wrong("what is wrong was not refused");
  }
}
