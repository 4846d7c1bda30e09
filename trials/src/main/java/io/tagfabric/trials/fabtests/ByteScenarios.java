package io.tagfabric.trials.fabtests;

import io.tagfabric.complete.CompletionLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Buffers, order, completion levels and lengths. */
final class ByteScenarios {
  private ByteScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "inject",
            "inject",
            "inject_test",
            "a buffer overwritten when inject returns",
            ByteScenarios::inject),
        new Scenario(
            "inject-complete",
            "inject",
            "inject_test",
            "a buffer overwritten when its send completes",
            ByteScenarios::injectComplete),
        new Scenario(
            "buffer-reuse",
            "inject",
            "unmap_mem",
            "one buffer for message after message",
            ByteScenarios::reuse),
        new Scenario(
            "order", "order", "ubertest", "one tag, short and long mixed", ByteScenarios::order),
        new Scenario(
            "levels",
            "order",
            "rdm_pingpong -U",
            "MATCH completes with the receive, not before",
            ByteScenarios::levels),
        new Scenario(
            "sizes",
            "size",
            "rdm_tagged_pingpong -S all",
            "lengths around every limit",
            ByteScenarios::sizes),
        new Scenario(
            "limits",
            "size",
            "setopt_test",
            "what is too long is refused at once",
            ByteScenarios::limits));
  }

  private static void inject(Side side) {
    Link link = side.open();
    int most = link.endpoint().settings().injectBytes();
    for (int i = 0; i < 50; i++) {
      int length = i % (most + 1);
      if (side.isFirst()) {
        byte[] message = Side.bytes(i, length);
        link.inject(message, i);
        Arrays.fill(message, (byte) -1);
      } else {
        link.expect(Side.bytes(i, length), i);
      }
    }
    link.pump();
    Wrong.unless(
        !side.isFirst() || link.ended().isEmpty(), "an inject that succeeded has left an entry");
  }

  private static void injectComplete(Side side) {
    Link link = side.open();
    int i = 0;
    for (CompletionLevel level : CompletionLevel.values()) {
      for (int length : new int[] {32, 5_000, 200_000}) {
        if (side.isFirst()) {
          byte[] message = Side.bytes(i, length);
          link.await(link.postSend(message, i, level)).sent();
          Arrays.fill(message, (byte) -1);
        } else {
          link.expect(Side.bytes(i, length), i);
        }
        i++;
      }
    }
  }

  private static void reuse(Side side) {
    Link link = side.open();
    byte[] buffer = new byte[20_000];
    for (int i = 0; i < 40; i++) {
      if (side.isFirst()) {
        System.arraycopy(Side.bytes(i, buffer.length), 0, buffer, 0, buffer.length);
        link.send(buffer, 3);
      } else {
        link.expect(Side.bytes(i, buffer.length), 3);
      }
    }
  }

  private static void order(Side side) {
    int count = 120;
    Link link = side.open(count);
    if (side.isFirst()) {
      side.sync();
      List<Slot> sends = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        sends.add(link.postSend(Side.bytes(i, orderedLength(i)), 9));
      }
      link.awaitAll(sends);
      return;
    }
    List<Slot> receives = new ArrayList<>();
    for (int i = 0; i < count / 2; i++) {
      receives.add(link.postReceive(200_000, 9));
    }
    side.sync();
    link.awaitUnexpected(count / 8);
    for (int i = count / 2; i < count; i++) {
      receives.add(link.postReceive(200_000, 9));
    }
    link.awaitAll(receives);
    for (int i = 0; i < count; i++) {
      receives.get(i).require(Side.bytes(i, orderedLength(i)));
    }
  }

  private static int orderedLength(int i) {
    int[] lengths = {150_000, 10, 3_000, 40_000, 0};
    return lengths[i % lengths.length] + i;
  }

  private static void levels(Side side) {
    Link link = side.open(4);
    for (int length : new int[] {10, 100_000}) {
      byte[] message = Side.bytes(length, length);
      if (side.isFirst()) {
        Slot slot = link.postSend(message, 7, CompletionLevel.MATCH);
        side.sync();
        link.pump();
        Wrong.unless(slot.done == null, "MATCH completed before there was a receive");
        side.sync();
        link.await(slot).sent();
        link.await(link.postSend(message, 8, CompletionLevel.DELIVERY)).sent();
      } else {
        Slot later = link.postReceive(length, 8);
        side.sync();
        side.sync();
        link.expect(message, 7);
        link.await(later).require(message);
      }
      side.sync();
    }
  }

  private static void sizes(Side side) {
    Link link = side.open();
    List<Integer> lengths = new ArrayList<>();
    for (int bits = 0; bits <= 17; bits++) {
      Collections.addAll(lengths, (1 << bits) - 1, 1 << bits, (1 << bits) + 1);
    }
    for (int length : lengths) {
      if (side.isFirst()) {
        link.send(Side.bytes(length, length), length);
      } else {
        link.expect(Side.bytes(length, length), length);
      }
    }
  }

  private static void limits(Side side) {
    Link link = side.open();
    int inject = link.endpoint().settings().injectBytes();
    TaggedScenarios.refused(() -> link.inject(new byte[inject + 1], 1), "inject-size");
    TaggedScenarios.refused(
        () -> link.endpoint().postReceive(new Slot(new byte[4], true).buffer, 0, 5, 1, 0, -1, null),
        "");
    TaggedScenarios.refused(
        () ->
            link.endpoint()
                .sendTagged(link.peer(), new Slot(new byte[4], false).buffer, 2, 3, 1, null),
        "");
    side.sync();
    link.pump();
    Wrong.unless(link.ended().isEmpty(), "what was refused has left an entry");
    // it works as before
    TaggedScenarios.greetOn(side, link);
  }
}
