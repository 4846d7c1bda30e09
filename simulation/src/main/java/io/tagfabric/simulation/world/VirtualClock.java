package io.tagfabric.simulation.world;

import io.tagfabric.progress.TimeSource;
import java.util.HashSet;
import java.util.Set;

/**
 * A clock that stands still until the simulation moves it. A thread that sleeps by it lets others
 * take turns: a program thread hands the {@link Baton} back, and the simulation's own thread, which
 * is inside a call that waits, gives turns itself.
 */
public final class VirtualClock implements TimeSource {
  /** Not 0: a program must not take the clock for a count of its own. */
  private static final long BEGIN_NS = 1_000_000_000L;

  private final Scheduler scheduler;
  private final Set<Thread> woken = new HashSet<>();
  private long nowNs = BEGIN_NS;

  VirtualClock(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public long nanoTime() {
    return nowNs;
  }

  /** Since the beginning. */
  public long elapsedNs() {
    return nowNs - BEGIN_NS;
  }

  /** Moves it forward; a time that has passed changes nothing. */
  void moveTo(long timeNs) {
    nowNs = Math.max(nowNs, timeNs);
  }

  @Override
  public void park(Object blocker, long maxNs) {
    Thread self = Thread.currentThread();
    long deadlineNs = nowNs + Math.max(1, maxNs);
    Baton baton = Baton.current();
    if (baton != null) {
      baton.await(() -> woken.contains(self), deadlineNs);
    } else if (!woken.contains(self) && !scheduler.turn(deadlineNs)) {
      moveTo(deadlineNs);
    }
    woken.remove(self);
  }

  @Override
  public void unpark(Thread sleeper) {
    woken.add(sleeper);
  }
}
