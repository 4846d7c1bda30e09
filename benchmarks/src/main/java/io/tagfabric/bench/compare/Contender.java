package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import java.util.List;
import java.util.Optional;

/** One that can play a workload: a pair of processes that live for one run. Thread: one. */
interface Contender {
  /** As in reports and options. */
  String name();

  /** What it is, in a few words, for people. */
  String description();

  /** Why it cannot run on this machine, with what would help; empty if it can. */
  Optional<String> missingBecause();

  /** Whether it has such a figure at all; all, unless it says so. */
  default boolean measures(Cell cell) {
    return true;
  }

  /** About how long a process takes from its start to its first message, in milliseconds. */
  int startMs();

  /** Whether its code is compiled while it runs, so that it needs longer to get warm. */
  default boolean compilesAtRunTime() {
    return true;
  }

  /**
   * Plays a workload and returns when its processes have ended.
   *
   * @throws ContenderException if they failed or took far too long
   */
  List<Sample> run(Workload workload) throws ContenderException;
}
