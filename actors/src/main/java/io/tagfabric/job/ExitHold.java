package io.tagfabric.job;

import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.HoldPhase;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.exit.ExitPhase;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** Stands still, once, in the phase of the end that {@code exit.hold-phase} names: for tests. */
final class ExitHold {
  private final int rank;
  private final HoldPhase phase;
  private final Duration time;
  private boolean over;

  ExitHold(int rank, Settings settings) {
    this.rank = rank;
    phase = settings.get(ExitSettings.HOLD_PHASE);
    time = settings.get(ExitSettings.HOLD_TIME);
    over = phase == HoldPhase.NONE;
  }

  /** Comes to a phase; blocks if it is the one. */
  void at(ExitPhase now) {
    if (over || !now.name().equals(phase.name())) {
      return;
    }
    over = true;
    ProcessExit.say(rank, "stands still while " + phase.name().toLowerCase(Locale.ROOT));
    long endNs = System.nanoTime() + time.toNanos();
    for (long leftNs = time.toNanos(); leftNs > 0; leftNs = endNs - System.nanoTime()) {
      LockSupport.parkNanos(leftNs);
    }
  }
}
