package io.tagfabric.progress;

/**
 * How long a wait spins before it gives its core away: as long as the policy allows while that
 * brings what is waited for, ever shorter while it does not. The thread that is to answer may need
 * the very core that spins, and then every moment of it is lost; the scheduler does not tell.
 *
 * <p>One wait in {@value #PROBE_EVERY} spins as long as the policy allows, so a budget recovers.
 * Threads that wait on one loop share it; what one of them overwrites is only advice.
 */
final class SpinBudget {
  private static final int PROBE_EVERY = 64;

  /** About what a short answer takes from another core. */
  private static final long LEAST_NS = 500L;

  private long budgetNs = Long.MAX_VALUE;
  private int waits;

  /** Nanoseconds the next wait spins. */
  long next(long policyNs) {
    waits++;
    return waits % PROBE_EVERY == 0 ? policyNs : Math.min(policyNs, budgetNs);
  }

  /** A wait found while spinning what it waited for. */
  void paid() {
    budgetNs = Long.MAX_VALUE;
  }

  /** A wait spun so long and found nothing. */
  void wasted(long spunNs) {
    budgetNs = Math.max(LEAST_NS, spunNs / 2);
  }
}
