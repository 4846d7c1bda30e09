package io.tagfabric.job;

import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.HoldPhase;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.exit.ExitPhase;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.runtime.Environment;
import java.time.Duration;
import java.util.Locale;

/** Stands still, once, in the phase of the end that {@code exit.hold-phase} names: for tests. */
final class ExitHold {
  private final int rank;
  private final HoldPhase phase;
  private final Duration time;
  private final Environment environment;
  private boolean over;

  ExitHold(int rank, Settings settings, Environment environment) {
    this.environment = environment;
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
    new ProcessExit(environment, rank)
        .say("stands still while " + phase.name().toLowerCase(Locale.ROOT));
    TimeSource clock = environment.time();
    long endNs = clock.nanoTime() + time.toNanos();
    for (long leftNs = time.toNanos(); leftNs > 0; leftNs = endNs - clock.nanoTime()) {
      clock.park(this, leftNs);
    }
  }
}
