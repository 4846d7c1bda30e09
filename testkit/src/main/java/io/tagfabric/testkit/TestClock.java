package io.tagfabric.testkit;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.testkit.ExplicitlyTriggeredScheduler;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.runtime.Environment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Virtual time: a clock for loops that moves together with Akka's scheduler. */
final class TestClock implements Environment, TimeSource {
  private static final long MS = 1_000_000;

  /** Passes in a row without work, after which a loop counts as idle. */
  private static final int IDLE_PASSES = 16;

  private final AtomicLong nowNs = new AtomicLong();
  private long flowsSinceNs;
  private volatile boolean flows;

  @Override
  public TimeSource time() {
    return this;
  }

  @Override
  public long nanoTime() {
    return flows ? nowNs.get() + System.nanoTime() - flowsSinceNs : nowNs.get();
  }

  /**
   * Lets time pass: fires what falls due in its order, and lets everything settle in between.
   * Thread: outside the loop.
   */
  void advance(Duration duration, ActorSystem<?> system, ProgressLoop loop) {
    var akka = (ExplicitlyTriggeredScheduler) Adapter.toClassic(system).scheduler();
    long endNs = nowNs.get() + duration.toNanos();
    settle(loop);
    while (nowNs.get() < endNs) {
      long dueNs = Math.min(nextTimerNs(loop), nextTimerNs(akka));
      nowNs.set(Math.min(endNs, Math.max(dueNs, nowNs.get() + 1)));
      akka.executeTasks(nowNs.get() / MS);
      settle(loop);
    }
  }

  /** Lets time pass by itself from now on, for the end of the test. */
  void flow() {
    flowsSinceNs = System.nanoTime();
    flows = true;
  }

  /** Lets Akka's timers fire until a system has ended, which takes some. Time must flow. */
  void runOut(ActorSystem<?> system, Duration patience) {
    var akka = (ExplicitlyTriggeredScheduler) Adapter.toClassic(system).scheduler();
    CompletableFuture<?> ended = system.getWhenTerminated().toCompletableFuture();
    long beginNs = nanoTime();
    while (!ended.isDone()) {
      if (nanoTime() - beginNs > patience.toNanos()) {
        throw new AssertionError(
            "system [" + system.name() + "] has not ended within " + Waits.text(patience));
      }
      akka.executeTasks(nanoTime() / MS);
      LockSupport.parkNanos(MS);
    }
  }

  /** Akka's scheduler counts in milliseconds, from 0 as this clock does. */
  private static long nextTimerNs(ExplicitlyTriggeredScheduler akka) {
    long nextMs = Long.MAX_VALUE / MS;
    for (Object timeMs : akka.akka$testkit$ExplicitlyTriggeredScheduler$$scheduled().values()) {
      nextMs = Math.min(nextMs, (Long) timeMs);
    }
    return nextMs * MS;
  }

  /** Runs passes until nothing moves. Threads outside the loop may be at work nevertheless. */
  static void settle(ProgressLoop loop) {
    int[] idle = new int[1];
    Waits.until(
        loop,
        () -> {
          idle[0] = loop.advance() > 0 || loop.hasQueuedWork() ? 0 : idle[0] + 1;
          return idle[0] >= IDLE_PASSES;
        },
        Waits.PATIENCE);
  }

  private static long nextTimerNs(ProgressLoop loop) {
    long[] next = {-1};
    Object lock = new Object();
    loop.execute(
        () -> {
          synchronized (lock) {
            next[0] = loop.timers().nextDeadlineNs();
          }
        });
    Waits.until(
        loop,
        () -> {
          synchronized (lock) {
            return next[0] >= 0;
          }
        },
        Waits.PATIENCE);
    return next[0];
  }
}
