package io.tagfabric.bench.collective;

import io.tagfabric.bench.measure.Budget;
import io.tagfabric.bench.measure.Subject;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.bench.measure.Trial;
import io.tagfabric.collective.run.CollectiveCompletion;
import org.HdrHistogram.Histogram;

/** Calls of one collective with one number of bytes, one after the other. Thread: one. */
abstract class Calls implements Subject {
  private CollectiveCompletion last;

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
      last = call();
      timesNs.recordValue(System.nanoTime() - callNs);
    }
    return System.nanoTime() - beginNs;
  }

  /** What comes before a call and is not timed. */
  abstract void prepare();

  /** One call, to its end. */
  abstract CollectiveCompletion call();

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

  /** How the last call has ended. */
  CollectiveCompletion last() {
    return last;
  }
}
