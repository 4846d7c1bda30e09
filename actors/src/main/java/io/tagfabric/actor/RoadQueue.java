package io.tagfabric.actor;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** How much waits for one peer at this side, bounded in messages and bytes. Thread: any. */
final class RoadQueue {
  /**
   * Bounds.
   *
   * @param maxBytes of one message
   */
  record Limits(int queuedMessages, long queuedBytes, int maxBytes) {}

  private final Limits limits;
  private final Runnable room;
  private final AtomicInteger messages = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  /**
   * A queue with bounds.
   *
   * @param room runs when there is room again; on any thread, with any lock held
   */
  RoadQueue(Limits limits, Runnable room) {
    this.limits = limits;
    this.room = room;
  }

  /** Takes room for a message; false if there is none. One that is alone always has room. */
  boolean enter(int length) {
    int before = messages.getAndIncrement();
    long sum = bytes.addAndGet(length);
    if (before >= limits.queuedMessages || (sum > limits.queuedBytes && before > 0)) {
      takeOut(length);
      return false;
    }
    return true;
  }

  /** Takes the room of a message back that has left too early, whether there is room or not. */
  void enterAgain() {
    messages.getAndIncrement();
  }

  /** Whether nothing has room now. */
  boolean isEmpty() {
    return messages.get() == 0;
  }

  /**
   * Whether a message that can wait may take room now: an eighth is left for those that cannot, as
   * an ask.
   */
  boolean takesOffers() {
    int waiting = messages.get();
    return waiting == 0
        || (waiting < limits.queuedMessages - share(limits.queuedMessages)
            && bytes.get() < limits.queuedBytes - share(limits.queuedBytes));
  }

  private static long share(long all) {
    return (all + 7) / 8;
  }

  /** Gives the room back. */
  void leave(int length) {
    takeOut(length);
    room.run();
  }

  private void takeOut(int length) {
    messages.decrementAndGet();
    bytes.addAndGet(-length);
  }

  /** Why there is no room for a message of so many bytes. */
  String text(int length) {
    return "waitingMessages="
        + messages.get()
        + " (at most "
        + limits.queuedMessages
        + ") and waitingBytes="
        + bytes.get()
        + " + "
        + length
        + " (at most "
        + limits.queuedBytes
        + ") for the peer: send slower, or raise tagfabric.actors.queue-messages or queue-bytes";
  }
}
