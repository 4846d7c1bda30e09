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

  private final ManyToOneConcurrentLinkedQueue<Runnable> arrivals =
      new ManyToOneConcurrentLinkedQueue<>();
  private final ManyToOneConcurrentLinkedQueue<Runnable> deliveries =
      new ManyToOneConcurrentLinkedQueue<>();
  private final ArrayDeque<Runnable> own = new ArrayDeque<>();
  private final ArrayDeque<Runnable> ownDeliveries = new ArrayDeque<>();
  private final StepQueue steps;

  /** Tasks of a loop with these steps, which run when a task has. */
  LoopTasks(StepQueue steps) {
    this.steps = steps;
  }

  /** Thread: the driver. */
  void addOwn(Runnable task) {
    own.add(task);
  }

  /** Thread: any. */
  void add(Runnable task) {
    arrivals.offer(task);
  }

  /** Thread: the driver. */
  void addOwnDelivery(Runnable delivery) {
    ownDeliveries.add(delivery);
  }

  /** Thread: any. */
  void addDelivery(Runnable delivery) {
    deliveries.offer(delivery);
  }

  /** Whether no mailbox waits, whatever there is to deliver. Thread: the driver. */
  boolean isEmpty() {
    return own.isEmpty() && arrivals.isEmpty();
  }

  /** Whether something waits that the driver has added. Thread: the driver. */
  boolean hasOwn() {
    return !own.isEmpty() || !ownDeliveries.isEmpty();
  }

  /** Thread: any. */
  boolean hasArrived() {
    return !arrivals.isEmpty() || !deliveries.isEmpty();
  }

  /**
   * Runs what waits, own tasks first and deliveries last, up to a bound. Returns how many. Thread:
   * the driver.
   */
  int run() {
    int ran = 0;
    while (ran < MOST_PER_PASS) {
      Runnable task = own.poll();
      if (task == null) {
        task = arrivals.poll();
      }
      if (task == null) {
        task = ownDeliveries.poll();
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
}
