package io.tagfabric.progress;

import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The one thread that may drive a loop in {@link PollMode#EXCLUSIVE}, and the others that wait for
 * what it does: onlookers. Without an owner all may drive.
 *
 * <p><b>Nobody misses a wake-up.</b> An onlooker first registers, then looks at its condition; who
 * may have made it true passes a full fence, then looks for onlookers.
 */
final class LoopOwner {
  /** The owner may go at any time, and then nobody wakes the onlookers of a moment before. */
  private static final long MAX_PARK_NS = 100_000_000L;

  private final TimeSource time;
  private final Object blocker;
  private final AtomicInteger onlookers = new AtomicInteger();
  private final Set<Thread> parked = ConcurrentHashMap.newKeySet();
  private volatile Thread owner;

  /**
   * No owner.
   *
   * @param blocker what thread dumps show that an onlooker waits for
   */
  LoopOwner(Object blocker, TimeSource time) {
    this.blocker = blocker;
    this.time = time;
  }

  /** Whether another thread is the owner. Thread: any. */
  boolean excludes(Thread thread) {
    Thread current = owner;
    return current != null && current != thread;
  }

  /** The calling thread is the owner from now on; false if it was before. */
  boolean take() {
    Thread self = Thread.currentThread();
    if (owner == self) {
      return false;
    }
    owner = self;
    return true;
  }

  /** There is none any more; onlookers drive themselves. Thread: any. */
  void release() {
    owner = null;
    wakeOnlookers();
  }

  /**
   * Waits until a condition holds, the deadline passes, the thread is interrupted, or it is not
   * excluded any more; the caller asks which.
   */
  void look(BooleanSupplier condition, long deadlineNs, IdlePolicy idle) {
    Thread self = Thread.currentThread();
    long beginNs = time.nanoTime();
    onlookers.getAndIncrement();
    try {
      while (!condition.getAsBoolean() && excludes(self) && !self.isInterrupted()) {
        long nowNs = time.nanoTime();
        if (deadlineNs - nowNs <= 0) {
          return;
        }
        long idleNs = nowNs - beginNs;
        if (idleNs < idle.spinNs()) {
          Thread.onSpinWait();
        } else if (idleNs - idle.spinNs() < idle.yieldNs()) {
          Thread.yield();
        } else {
          park(condition, Math.min(deadlineNs - nowNs, Math.min(MAX_PARK_NS, idle.maxParkNs())));
        }
      }
    } finally {
      onlookers.getAndDecrement();
    }
  }

  private void park(BooleanSupplier condition, long maxNs) {
    Thread self = Thread.currentThread();
    parked.add(self);
    VarHandle.fullFence();
    try {
      if (!condition.getAsBoolean() && excludes(self)) {
        time.park(blocker, maxNs);
      }
    } finally {
      parked.remove(self);
    }
  }

  /** Whether threads look on. Thread: any. */
  boolean hasOnlookers() {
    return onlookers.get() > 0;
  }

  /** Lets onlookers look at their conditions. Thread: any. */
  void wakeOnlookers() {
    VarHandle.fullFence();
    if (hasOnlookers()) {
      parked.forEach(time::unpark);
    }
  }
}
