package io.tagfabric.progress;

import java.util.ArrayDeque;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Mailboxes and other tasks that wait for a pass of a loop. What the driving thread adds itself, an
 * actor telling another of the same domain, goes to a plain queue; what any other thread adds goes
 * to a many-to-one queue. Only the first kind is frequent.
 */
final class LoopTasks {
  private static final int MOST_PER_PASS = 256;

  private final ManyToOneConcurrentLinkedQueue<Runnable> arrivals =
      new ManyToOneConcurrentLinkedQueue<>();
  private final ArrayDeque<Runnable> own = new ArrayDeque<>();

  /** Thread: the driver. */
  void addOwn(Runnable task) {
    own.add(task);
  }

  /** Thread: any. */
  void add(Runnable task) {
    arrivals.offer(task);
  }

  /** Thread: the driver. */
  boolean isEmpty() {
    return own.isEmpty() && arrivals.isEmpty();
  }

  /** Thread: the driver. */
  boolean hasOwn() {
    return !own.isEmpty();
  }

  /** Thread: any. */
  boolean hasArrived() {
    return !arrivals.isEmpty();
  }

  /** Runs what waits, own tasks first, up to a bound. Returns how many. Thread: the driver. */
  int run() {
    int ran = 0;
    while (ran < MOST_PER_PASS) {
      Runnable task = own.poll();
      if (task == null) {
        task = arrivals.poll();
        if (task == null) {
          break;
        }
      }
      ran++;
      task.run();
    }
    return ran;
  }
}
