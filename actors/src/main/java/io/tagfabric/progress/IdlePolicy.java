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

  public IdlePolicy {
    if (spinNs < 0 || yieldNs < 0) {
      throw new IllegalArgumentException(
          "spinNs=" + spinNs + " and yieldNs=" + yieldNs + " must not be negative");
    }
    if (maxParkNs <= 0) {
      throw new IllegalArgumentException("maxParkNs=" + maxParkNs + " must be greater than 0");
    }
  }
}
