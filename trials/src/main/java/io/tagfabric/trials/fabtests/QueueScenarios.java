package io.tagfabric.trials.fabtests;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Queues that are small or full, floods, and every way to send and to complete. */
final class QueueScenarios {
  private static final int OPERATIONS = 100;
  private static final int FLOOD = 2_000;

  private QueueScenarios() {}

  static List<Scenario> all() {
    return List.of(
        new Scenario(
            "cq-sizes",
            "cq",
            "cq_test",
            "queues of 1 to 65536 entries, many at once",
            QueueScenarios::sizes),
        new Scenario(
            "cq-signal",
            "cq",
            "cq_test",
            "a signal before a wait ends the wait",
            QueueScenarios::signal),
        new Scenario(
            "resource",
            "resource",
            "resmgmt_test",
            "posts until there is no room, then goes on",
            side -> resource(side, side.open(4))),
        new Scenario(
            "resource-shared-cq",
            "resource",
            "resmgmt_test",
            "the same with one queue for both",
            side -> resource(side, side.openShared(4))),
        new Scenario(
            "resource-one",
            "resource",
            "resmgmt_test",
            "the same with room for one",
            side -> resource(side, side.open(1))),
        new Scenario(
            "full",
            "resource",
            "resmgmt_test",
            "a refused post has not happened",
            QueueScenarios::full),
        new Scenario(
            "flood",
            "resource",
            "flood",
            "2000 messages before the first receive",
            QueueScenarios::flood),
        new Scenario(
            "ubertest",
            "tagged",
            "ubertest",
            "queue, future and inject, all levels and lengths",
            QueueScenarios::cross));
  }

  private static void sizes(Side side) {
    List<CompletionQueue> queues = new ArrayList<>();
    for (int bits = 0; bits <= 16; bits++) {
      queues.add(side.domain().openCompletionQueue(1 << bits));
    }
    queues.forEach(queue -> Wrong.unless(queue.read(1).isEmpty(), "an entry in a new queue"));
    TaggedScenarios.refused(() -> side.domain().openCompletionQueue(0), "");
  }

  private static void signal(Side side) {
    CompletionQueue queue = side.domain().openCompletionQueue(4);
    queue.signal();
    // would outlast the deadline if the signal were lost
    Completion none = queue.readBlocking(Duration.ofMinutes(10));
    Wrong.unless(none == null, () -> "an entry without an operation: " + none);
  }

  private static void resource(Side side, Link link) {
    List<Slot> slots = new ArrayList<>();
    if (side.isFirst()) {
      for (int i = 0; i < OPERATIONS; i++) {
        slots.add(link.postSend(Side.bytes(i, i * 40), 4));
      }
      link.awaitAll(slots);
      slots.forEach(Slot::sent);
      return;
    }
    link.awaitUnexpected(1);
    for (int i = 0; i < OPERATIONS; i++) {
      slots.add(link.postReceive(OPERATIONS * 40, 4));
    }
    link.awaitAll(slots);
    for (int i = 0; i < OPERATIONS; i++) {
      slots.get(i).require(Side.bytes(i, i * 40));
    }
    Wrong.unless(link.ended().size() == OPERATIONS, () -> "entries: " + link.ended().size());
  }

  private static void full(Side side) {
    int room = 8;
    Link link = side.open(room);
    if (side.isFirst()) {
      side.sync();
      for (int i = 0; i <= room; i++) {
        link.send(Side.bytes(i, 30), i);
      }
      return;
    }
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < room; i++) {
      slots.add(link.postReceive(30, i));
    }
    Slot extra = new Slot(new byte[30], true);
    Posted outcome = link.endpoint().postReceive(extra.buffer, 0, 30, room, 0, -1, extra);
    Wrong.unless(outcome == Posted.TRY_AGAIN, () -> "a full queue answers " + outcome);
    side.sync();
    link.awaitAll(slots);
    for (int i = 0; i < room; i++) {
      slots.get(i).require(Side.bytes(i, 30));
    }
    link.awaitUnexpected(1);
    Wrong.unless(extra.done == null, "a refused receive has got a message");
    link.expect(Side.bytes(room, 30), room);
  }

  private static void flood(Side side) {
    Link link = side.open(64);
    if (side.isFirst()) {
      List<Slot> slots = new ArrayList<>();
      for (int i = 0; i < FLOOD; i++) {
        slots.add(link.postSend(Side.bytes(i, 200), i % 2));
      }
      link.awaitAll(slots);
      return;
    }
    link.awaitUnexpected(FLOOD);
    List<Slot> batch = new ArrayList<>();
    for (int i = 0; i < FLOOD; i += 2) {
      batch.add(link.postReceive(200, 0));
    }
    link.awaitAll(batch);
    for (int i = 0; i < FLOOD; i += 2) {
      batch.get(i / 2).require(Side.bytes(i, 200));
    }
    for (int i = 1; i < FLOOD; i += 2) {
      link.expect(Side.bytes(i, 200), 1);
    }
  }

  private static void cross(Side side) {
    int[] lengths = {0, 33, 4_000, 90_000};
    for (Link link : List.of(side.open(16), side.openShared(16))) {
      long tag = 0;
      for (int length : lengths) {
        for (CompletionLevel level : CompletionLevel.values()) {
          for (boolean future : new boolean[] {false, true}) {
            byte[] message = Side.bytes(++tag, length);
            if (side.isFirst() && future) {
              Slot slot = new Slot(message, false);
              CompletionStage<Completion.Sent> sent =
                  link.endpoint()
                      .futures()
                      .start(TaggedSend.of(link.peer(), slot.buffer, tag).level(level));
              Wrong.unless(side.join(sent).length() == length, "length of a send");
            } else if (side.isFirst()) {
              Completion.Sent sent = link.await(link.postSend(message, tag, level)).sent();
              Wrong.unless(sent.length() == length, () -> "length of " + sent);
            } else {
              link.expect(message, tag);
            }
          }
        }
      }
    }
  }
}
