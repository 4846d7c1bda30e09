package io.tagfabric.launch;

import io.tagfabric.cluster.host.LaunchSettings;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.settings.Settings;
import java.time.Duration;

/**
 * How long a launcher waits for ranks that ought to end, before it does more about it.
 *
 * @param afterFailure until SIGTERM, when another rank has failed
 * @param afterExit until SIGTERM, when another rank has ended with the job
 * @param afterSigterm until SIGKILL: the signal begins a graceful end, which has its own deadlines
 *     and a watchdog behind them, so only what is late by those too is killed
 */
record EndPatience(Duration afterFailure, Duration afterExit, Duration afterSigterm) {
  /** What the settings say, for a job of {@code size} ranks. */
  static EndPatience of(Settings settings, int size) {
    return new EndPatience(
        settings.get(LaunchSettings.FAILURE_GRACE),
        settings.get(LaunchSettings.EXIT_GRACE),
        ExitSettings.longest(settings, size).plus(settings.get(LaunchSettings.TERMINATE_GRACE)));
  }
}
