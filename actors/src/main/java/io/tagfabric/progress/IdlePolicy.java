package io.tagfabric.progress;

/**
 * How a thread that finds nothing to do passes the time: it spins, then yields, then parks.
 *
 * @param spinNs nanoseconds of busy polling before the first yield; 0 for none
 * @param yieldNs nanoseconds of yielding before parking; 0 for none
 * @param maxParkNs longest sleep before looking again, a bound for whatever a wake-up cannot reach
 */
public record IdlePolicy(long spinNs, long yieldNs, long maxParkNs) {
  /** Parks at once: for machines with fewer cores than waiting threads. */
  public static final IdlePolicy PARKING = new IdlePolicy(0, 0, 100_000_000L);

  private static final long FOR_EVER_NS = Long.MAX_VALUE / 4;

  public IdlePolicy {
    if (spinNs < 0 || yieldNs < 0) {
      throw new IllegalArgumentException(
          "spinNs=" + spinNs + " and yieldNs=" + yieldNs + " must not be negative");
    }
    if (maxParkNs <= 0) {
      throw new IllegalArgumentException("maxParkNs=" + maxParkNs + " must be greater than 0");
    }
  }

  /**
   * The policy of a strategy.
   *
   * @param backoff what {@link IdleStrategy#BACKOFF} is, and how long {@link IdleStrategy#PARK}
   *     parks at most
   */
  public static IdlePolicy of(IdleStrategy strategy, IdlePolicy backoff) {
    return switch (strategy) {
      case BUSY_SPIN -> new IdlePolicy(FOR_EVER_NS, 0, backoff.maxParkNs());
      case YIELD -> new IdlePolicy(0, FOR_EVER_NS, backoff.maxParkNs());
      case BACKOFF -> backoff;
      case PARK -> new IdlePolicy(0, 0, backoff.maxParkNs());
    };
  }
}
