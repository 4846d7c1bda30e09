package io.tagfabric.simulation.world;

import java.util.PriorityQueue;

/** What is to happen at a time; what is due at the same time happens in the order added. */
public final class TimedQueue {
  /** One thing that is to happen. */
  public static final class Timed implements Comparable<Timed> {
    private final long atNs;
    private final long order;
    private Runnable action;

    private Timed(long atNs, long order, Runnable action) {
      this.atNs = atNs;
      this.order = order;
      this.action = action;
    }

    /** Takes it back; false if it has happened or was taken back before. */
    public boolean cancel() {
      boolean pending = action != null;
      action = null;
      return pending;
    }

    /** Whether it has been taken back or has happened. */
    public boolean isOver() {
      return action == null;
    }

    @Override
    public int compareTo(Timed other) {
      return atNs != other.atNs ? Long.compare(atNs, other.atNs) : Long.compare(order, other.order);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(order);
    }
  }

  private final PriorityQueue<Timed> queue = new PriorityQueue<>();
  private long order;

  /** Adds something. */
  public Timed add(long atNs, Runnable action) {
    Timed timed = new Timed(atNs, order++, action);
    queue.add(timed);
    return timed;
  }

  /** When the next is due, {@link Long#MAX_VALUE} if there is none. */
  public long nextNs() {
    Timed head = queue.peek();
    while (head != null && head.action == null) {
      queue.poll();
      head = queue.peek();
    }
    return head == null ? Long.MAX_VALUE : head.atNs;
  }

  /** Runs the next one if it is due. */
  public boolean runOne(long nowNs) {
    if (nextNs() > nowNs) {
      return false;
    }
    Timed timed = queue.poll();
    Runnable action = timed.action;
    timed.action = null;
    action.run();
    return true;
  }

  /** Forgets everything. */
  public void clear() {
    queue.clear();
  }
}
