package io.tagfabric.progress;

import java.util.ArrayDeque;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Mailboxes and other tasks that wait for a pass of a loop. What the driving thread adds itself, an
 * actor telling another of the same domain, goes to a plain queue; what any other thread adds goes
 * to a many-to-one queue. Only the first kind is frequent. What peers bring has queues of its own,
 * a plain one for peers on the same loop: it says nothing about what the threads of the application
 * have told.
 */
final class LoopTasks {
  private static final int MOST_PER_PASS = 256;

  /**
   * A run that takes longer than this leaves the rest to the next pass: what has been read is
   * acknowledged, and timers look at the clock, only between two.
   */
  private static final long LONGEST_RUN_NS = 1_000_000;

  /** The clock is asked after so many tasks. */
  private static final int TASKS_PER_CLOCK = 4;

  private final ManyToOneConcurrentLinkedQueue<Runnable> arrivals =
      new ManyToOneConcurrentLinkedQueue<>();
  private final ManyToOneConcurrentLinkedQueue<Runnable> deliveries =
      new ManyToOneConcurrentLinkedQueue<>();
  private final ArrayDeque<Runnable> own = new ArrayDeque<>();
  private final ArrayDeque<Runnable> ownDeliveries = new ArrayDeque<>();
  private final StepQueue steps;
  private final TimeSource time;

  /** How many wait in the two queues of the driver. */
  private int ownCount;

  /** Tasks of a loop with these steps, which run when a task has. */
  LoopTasks(StepQueue steps, TimeSource time) {
    this.steps = steps;
    this.time = time;
  }

  /** Thread: the driver. */
  void addOwn(Runnable task) {
    own.add(task);
    ownCount++;
  }

  /** Thread: any. */
  void add(Runnable task) {
    arrivals.offer(task);
  }

  /** Thread: the driver. */
  void addOwnDelivery(Runnable delivery) {
    ownDeliveries.add(delivery);
    ownCount++;
  }

  /** Thread: any. */
  void addDelivery(Runnable delivery) {
    deliveries.offer(delivery);
  }

  /** Whether no mailbox waits, whatever there is to deliver. Thread: the driver. */
  boolean isEmpty() {
    return (ownCount == 0 || own.isEmpty()) && arrivals.isEmpty();
  }

  /** Whether something waits that the driver has added. Thread: the driver. */
  boolean hasOwn() {
    return ownCount > 0;
  }

  /** Thread: any. */
  boolean hasArrived() {
    return !arrivals.isEmpty() || !deliveries.isEmpty();
  }

  /**
   * Runs what waits, own tasks first and deliveries last, up to a bound of tasks and of time.
   * Returns how many. Thread: the driver.
   */
  int run() {
    return ownCount == 0 && !hasArrived() ? 0 : runWaiting();
  }

  private int runWaiting() {
    int ran = 0;
    long sinceNs = 0;
    while (ran < MOST_PER_PASS) {
      if (ran % TASKS_PER_CLOCK == 0 && ran > 0) {
        long nowNs = time.nanoTime();
        if (ran == TASKS_PER_CLOCK) {
          sinceNs = nowNs;
        } else if (nowNs - sinceNs > LONGEST_RUN_NS) {
          break;
        }
      }
      Runnable task = pollOwn(own);
      if (task == null) {
        task = arrivals.poll();
      }
      if (task == null) {
        task = pollOwn(ownDeliveries);
      }
      if (task == null) {
        task = deliveries.poll();
      }
      if (task == null) {
        break;
      }
      ran++;
      task.run();
      steps.run();
    }
    return ran;
  }

  private Runnable pollOwn(ArrayDeque<Runnable> queue) {
    Runnable task = queue.poll();
    ownCount -= task == null ? 0 : 1;
    return task;
  }
}
