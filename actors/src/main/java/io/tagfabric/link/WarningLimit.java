package io.tagfabric.link;

import io.tagfabric.progress.TimeSource;

/**
 * One warning a second about strangers: what they send must not fill the log. What is held back is
 * counted, and reported below a warning. Thread: the domain's loop.
 */
final class WarningLimit {
  private static final long DISTANCE_NS = 1_000_000_000L;

  private final TimeSource time;
  private final EndpointLog log;
  private long lastNs;
  private boolean warned;
  private long heldBack;

  WarningLimit(TimeSource time, EndpointLog log) {
    this.time = time;
    this.log = log;
  }

  /** Warns, or counts the warning if there was one within the last second. */
  void warn(String text) {
    long nowNs = time.nanoTime();
    if (warned && nowNs - lastNs < DISTANCE_NS) {
      heldBack++;
      log.report(EndpointLog.Weight.DETAIL, text);
      return;
    }
    log.report(
        EndpointLog.Weight.WARNING,
        heldBack == 0 ? text : text + "; heldBack=" + heldBack + " such lines before this");
    warned = true;
    lastNs = nowNs;
    heldBack = 0;
  }
}
