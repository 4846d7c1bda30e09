package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Workload;
import java.time.Duration;

/** Foretells how long runs take. */
final class RunTime {
  /** Ending processes and starting the next ones. */
  private static final int CHANGE_MS = 300;

  private RunTime() {}

  /** One run of a contender: its start, a longer first warm-up, then warm-up and run a cell. */
  static Duration of(Contender contender, Workload workload) {
    long cells = workload.cells().size();
    long cellMs = ((long) workload.warmUpMinMs() + workload.warmUpMaxMs()) / 2 + workload.runMs();
    long firstMs = (long) workload.warmUpMaxMs() * Workload.FIRST_WARM_UP;
    return Duration.ofMillis(CHANGE_MS + contender.startMs() + firstMs + cells * cellMs);
  }
}
