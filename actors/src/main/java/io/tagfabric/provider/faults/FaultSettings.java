package io.tagfabric.provider.faults;

/**
 * What is done to packets on purpose. Shares are from 0 to 1.
 *
 * @param drop share that never arrives
 * @param duplicate share that arrives twice
 * @param delay share that arrives late, by up to {@code delayNs}
 * @param reorder share that is held back until a later packet has passed, at most {@code delayNs}
 * @param delayNs longest delay
 * @param seed of the choices; the same packets in the same order meet the same fate
 */
public record FaultSettings(
    double drop, double duplicate, double delay, double reorder, long delayNs, long seed) {
  public FaultSettings {
    require("drop", drop);
    require("duplicate", duplicate);
    require("delay", delay);
    require("reorder", reorder);
    double sum = drop + duplicate + delay + reorder;
    if (sum > 1) {
      throw new IllegalArgumentException(
          "faults.drop + duplicate + delay + reorder = "
              + Math.round(sum * 100)
              + "% > 100%, a packet meets one of them at most");
    }
    if (delayNs < 1) {
      throw new IllegalArgumentException("delayNs=" + delayNs + " < 1");
    }
  }

  private static void require(String name, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(name + "=" + share + " is not within 0 to 1");
    }
  }

  /** Whether there are any. */
  public boolean areOn() {
    return drop > 0 || duplicate > 0 || delay > 0 || reorder > 0;
  }
}
