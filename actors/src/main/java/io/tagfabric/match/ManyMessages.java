package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionRing;

/**
 * The buffer of a receive that takes many messages, and how far it is: messages lie one behind the
 * other, in the order matched. Single threaded: the domain's loop.
 *
 * <pre>
 *  offset     used                 capacity
 *  +---------+--------------------+
 *  | taken   | free               |   free below least: it is full, and takes no more
 *  +---------+--------------------+
 * </pre>
 */
@InternalApi
public final class ManyMessages {
  private final PostedReceive whole;
  private final int leastFree;
  private int used;
  private int underWay;
  private boolean closed;
  private boolean released;
  private boolean stalled;

  /** An empty buffer. */
  public ManyMessages(PostedReceive whole, int leastFree) {
    this.whole = whole;
    this.leastFree = leastFree;
  }

  /** The receive that it belongs to. */
  public PostedReceive whole() {
    return whole;
  }

  /**
   * Whether a message is for this buffer: it fits into what is free, or would fit nowhere better,
   * since nothing has been taken yet.
   */
  public boolean takes(long length) {
    return !closed && (used == 0 || length <= whole.capacity() - used);
  }

  /** The receive of the next message, of which what does not fit is lost. */
  public PostedReceive next(long length) {
    int part = (int) Math.min(length, whole.capacity() - used);
    PostedReceive receive = whole.part(used, part);
    used += part;
    underWay++;
    return receive;
  }

  /** Whether there is too little room for another message. */
  public boolean isFull() {
    return whole.capacity() - used < leastFree;
  }

  /** It takes no more messages. */
  public void close() {
    closed = true;
  }

  public boolean isClosed() {
    return closed;
  }

  /** One of its messages has ended. */
  public void partEnded() {
    underWay--;
  }

  /** Whether the buffer is the program's again; answers true once. */
  public boolean release() {
    boolean now = closed && underWay == 0 && !released;
    released |= now;
    return now;
  }

  /** Bytes of the buffer that were taken. */
  public int used() {
    return used;
  }

  /** What hears of the messages; null if they go to the queue. */
  public PlacedListener listener() {
    return whole.told();
  }

  /** Takes a slot for the completion of one message; false if there is none. */
  public boolean reserve() {
    CompletionRing slots = whole.slotIn();
    return slots == null || slots.tryReserve();
  }

  /** Gives the slot for a failure back: there was none. */
  public void noFailure() {
    if (whole.slotIn() != null) {
      whole.slotIn().release();
    }
  }

  /** Whether messages wait because the queue had no slot for the completion of one. */
  public boolean isStalled() {
    return stalled;
  }

  public void stalled(boolean newStalled) {
    stalled = newStalled;
  }
}
