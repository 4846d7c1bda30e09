package io.tagfabric.launch.output;

import java.util.function.LongSupplier;

/** Notices that a count has stood still for some time. Thread: one at a time. */
public final class Stall {
  private final long patienceNs;
  private final LongSupplier clockNs;
  private long count;
  private long sinceNs;

  /** Counts from now on. */
  public Stall(long patienceNs, LongSupplier clockNs, long count) {
    this.patienceNs = patienceNs;
    this.clockNs = clockNs;
    this.count = count;
    this.sinceNs = clockNs.getAsLong();
  }

  /** Whether the count has not changed for as long as the patience is. */
  public boolean isOver(long now) {
    long nowNs = clockNs.getAsLong();
    if (now != count) {
      count = now;
      sinceNs = nowNs;
    }
    return nowNs - sinceNs >= patienceNs;
  }
}
