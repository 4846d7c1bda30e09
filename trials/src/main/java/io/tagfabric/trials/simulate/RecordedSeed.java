package io.tagfabric.trials.simulate;

import io.tagfabric.simulation.isolate.ProgramCode;
import io.tagfabric.timeline.Timeline;
import java.util.function.Consumer;

/** One run of a seed, and what its recorders have written. */
public final class RecordedSeed {
  private RecordedSeed() {}

  /**
   * Runs a seed to its end. Takes as long as the run does; nothing of it is left.
   *
   * @param output takes what the ranks print, a line at a time, and behind it how the run has ended
   * @throws IllegalArgumentException if there is no such program, or an option is wrong
   */
  public static Timeline record(
      long seed, RunOptions run, ProgramOptions program, Consumer<String> output) {
    run.swarm();
    try (QuietLog quiet = new QuietLog();
        ProgramTrace trace = ProgramTrace.create();
        ProgramCode code = program.code()) {
      output.accept(
          ProgramSweep.summary(program.job(code, run).run(seed, output, trace.directory())));
      return trace.timeline(run.ranks());
    }
  }
}
