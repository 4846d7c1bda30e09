package io.tagfabric.progress;

/**
 * How a thread that finds nothing to do passes the time, by the names that Agrona and the LMAX
 * Disruptor use; {@code tagfabric.progress.idle} and {@code tagfabric.progress.resident-idle}.
 */
public enum IdleStrategy {
  /** It polls for ever: the least delay, for a core of its own. */
  BUSY_SPIN,
  /** It polls, and offers its core to others after each poll. */
  YIELD,
  /** It polls, then yields, then parks, each for the time that is set. */
  BACKOFF,
  /** It parks at once, and works when it is woken. */
  PARK
}
