package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import java.util.ArrayDeque;
import java.util.PriorityQueue;

/**
 * The timers of one progress loop. Single threaded: only the thread that runs the pass touches it.
 *
 * <p>A heap ordered by deadline and, for equal deadlines, by the order of scheduling, so that a
 * simulation replays exactly. A domain has a handful of timers (one for each endpoint with data in
 * flight, one for each connection being set up), therefore O(log n) costs less than a wheel whose
 * empty ticks would have to be walked after every sleep.
 */
@InternalApi
public final class LoopTimers {
  /** One scheduled action. */
  public final class Timer implements Comparable<Timer> {
    private final long deadlineNs;
    private final long sequence;
    private Runnable action;

    private Timer(long deadlineNs, long sequence, Runnable action) {
      this.deadlineNs = deadlineNs;
      this.sequence = sequence;
      this.action = action;
    }

    /** Takes the timer back; false if it has fired or was cancelled before. */
    public boolean cancel() {
      boolean pending = action != null;
      action = null;
      changed = true;
      return pending;
    }

    @Override
    public int compareTo(Timer other) {
      int byDeadline = Long.signum(deadlineNs - other.deadlineNs);
      return byDeadline != 0 ? byDeadline : Long.compare(sequence, other.sequence);
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  private final PriorityQueue<Timer> heap = new PriorityQueue<>();

  /** Empty between polls, unless an action threw. */
  private final ArrayDeque<Timer> due = new ArrayDeque<>();

  private long sequence;
  private long nextNs = Long.MAX_VALUE;
  private boolean changed;

  /** Runs {@code action} on the first pass at or after {@code deadlineNs}. */
  public Timer schedule(long deadlineNs, Runnable action) {
    Timer timer = new Timer(deadlineNs, sequence++, action);
    heap.add(timer);
    changed = true;
    return timer;
  }

  /** Fires what was due at {@code nowNs} when the call began; returns how many. */
  public int poll(long nowNs) {
    Timer head = heap.peek();
    // Taken out first: an action may schedule a timer that is due already, for the next poll.
    while (head != null && head.deadlineNs - nowNs <= 0) {
      due.addLast(heap.poll());
      changed = true;
      head = heap.peek();
    }
    int fired = 0;
    Timer timer;
    while ((timer = due.pollFirst()) != null) {
      changed = true;
      Runnable action = timer.action;
      if (action != null) {
        timer.action = null;
        action.run();
        fired++;
      }
    }
    return fired;
  }

  /** Deadline of the earliest timer, {@link Long#MAX_VALUE} if there is none. */
  public long nextDeadlineNs() {
    if (changed) {
      nextNs = findNextNs();
      changed = false;
    }
    return nextNs;
  }

  private long findNextNs() {
    if (!due.isEmpty()) {
      return due.peekFirst().deadlineNs;
    }
    Timer head = heap.peek();
    while (head != null && head.action == null) {
      heap.poll();
      head = heap.peek();
    }
    return head == null ? Long.MAX_VALUE : head.deadlineNs;
  }

  /** Drops all: none fires any more, and nothing that they hold is kept. */
  public void clear() {
    heap.forEach(Timer::cancel);
    due.forEach(Timer::cancel);
    heap.clear();
    due.clear();
    changed = true;
  }

  /** Whether nothing is scheduled. */
  public boolean isEmpty() {
    return heap.isEmpty() && due.isEmpty();
  }
}
