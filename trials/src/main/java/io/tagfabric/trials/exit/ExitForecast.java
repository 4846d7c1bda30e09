package io.tagfabric.trials.exit;

import java.time.Duration;
import java.util.Locale;

/** How long runs of the suite probably take. */
final class ExitForecast {
  /** JVMs of a job start beside each other, as far as there are processors. */
  private static final double START_S = 1.2;

  private static final double PROCESSOR_S_A_RANK = 1.3;
  private static final double LOSS_S = 1;
  private static final double MINUTE_S = 60;

  private final int processors;

  ExitForecast(int processors) {
    this.processors = processors;
  }

  /**
   * Seconds that a run takes.
   *
   * @param timeout T of a job of that size
   */
  double seconds(ExitCase which, int size, Duration timeout) {
    double start = START_S + size * PROCESSOR_S_A_RANK / Math.min(size, processors);
    double alone = which.way().isAlone() && size > 1 ? timeout.toMillis() / 1e3 : 0;
    return start
        + alone
        + (which.pauses() ? ExitCases.PAUSE.toMillis() / 1e3 : 0)
        + (which.losesARank() && size > 1 ? LOSS_S : 0);
  }

  /** In words: {@code 40 s}, {@code 16 min}. */
  static String inWords(double seconds) {
    return seconds < 2 * MINUTE_S
        ? String.format(Locale.ROOT, "%.0f s", Math.ceil(seconds))
        : String.format(Locale.ROOT, "%.0f min", Math.ceil(seconds / MINUTE_S));
  }
}
