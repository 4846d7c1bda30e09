package io.tagfabric.trials.simulate;

import io.tagfabric.simulation.swarm.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * A run of random programs, and its time line.
 *
 * @param outcome how it has ended
 * @param lines of the time line
 */
record TracedRun(Outcome outcome, List<String> lines) {
  TracedRun {
    lines = List.copyOf(lines);
  }

  /**
   * Makes it.
   *
   * @param run records into a directory, which is gone when this returns
   */
  static TracedRun of(Function<Path, Outcome> run) {
    try (ProgramTrace trace = ProgramTrace.create()) {
      Outcome outcome = run.apply(trace.directory());
      return new TracedRun(outcome, trace.lines(0));
    }
  }
}
