package io.tagfabric.bench.collective;

import io.tagfabric.bench.measure.Allocation;
import io.tagfabric.bench.measure.Budget;
import io.tagfabric.bench.measure.Subject;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.bench.measure.Trial;
import io.tagfabric.collective.run.CollectiveCompletion;
import org.HdrHistogram.Histogram;

/** Calls of one collective with one number of bytes, one after the other. Thread: one. */
abstract class Calls implements Subject {
  /** Calls in which allocations are counted. */
  private static final int COUNTED = 500;

  private double allocated;

  @Override
  public final String name() {
    return "tagfabric";
  }

  @Override
  public final String provider() {
    return "";
  }

  /**
   * Makes calls.
   *
   * @param bytes not looked at, the calls have theirs
   */
  @Override
  public long run(int bytes, int count, Histogram timesNs) {
    long beginNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      prepare();
      long callNs = System.nanoTime();
      call();
      timesNs.recordValue(System.nanoTime() - callNs);
    }
    return System.nanoTime() - beginNs;
  }

  /** What comes before a call and is not timed. */
  abstract void prepare();

  /** One call, to its end. */
  abstract void call();

  /** How the last call has ended. */
  abstract CollectiveCompletion last();

  /** Makes some calls more, to count what this thread allocates. All members do. */
  final void countAllocated() {
    long before = Allocation.ofThisThread();
    for (int i = 0; i < COUNTED; i++) {
      call();
    }
    allocated = (double) (Allocation.ofThisThread() - before) / COUNTED;
  }

  /** Bytes that this thread allocates for a call, those of other members that it drives too. */
  final double allocated() {
    return allocated;
  }

  /** Makes calls until they get no faster; returns how many fill the budget's run. */
  int warmUp(Budget budget) {
    return new Trial(TransferKind.LATENCY, 1, budget, 0, "").warmUp(this, 0);
  }

  /** The times of as many calls as fill the budget's run, after a warm-up. */
  Histogram measured(Budget budget) {
    int count = warmUp(budget);
    Histogram timesNs = new Histogram(3);
    run(0, count, timesNs);
    return timesNs;
  }
}
