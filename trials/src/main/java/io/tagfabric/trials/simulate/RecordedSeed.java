package io.tagfabric.trials.simulate;

import io.tagfabric.simulation.isolate.ProgramCode;
import io.tagfabric.simulation.swarm.Outcome;
import io.tagfabric.simulation.swarm.SwarmOptions;
import io.tagfabric.simulation.swarm.Sweep;
import io.tagfabric.timeline.Timeline;
import java.util.function.Consumer;

/** One run of a seed, and what its recorders have written. */
public final class RecordedSeed {
  private RecordedSeed() {}

  /**
   * Runs a seed to its end. Takes as long as the run does; nothing of it is left.
   *
   * @param program what the ranks run; random programs if none is given
   * @param output takes what the ranks print, a line at a time, and behind it how the run has ended
   * @throws IllegalArgumentException if there is no such program, or an option is wrong
   */
  public static Timeline record(
      long seed, RunOptions run, ProgramOptions program, Consumer<String> output) {
    SwarmOptions swarm = run.swarm();
    if (!program.isGiven()) {
      return recordRandom(seed, swarm, output);
    }
    try (QuietLog quiet = new QuietLog();
        ProgramTrace trace = ProgramTrace.create();
        ProgramCode code = program.code()) {
      output.accept(
          ProgramSweep.summary(program.job(code, run).run(seed, output, trace.directory())));
      return trace.timeline(run.ranks());
    }
  }

  private static Timeline recordRandom(long seed, SwarmOptions swarm, Consumer<String> output) {
    try (QuietLog quiet = new QuietLog();
        ProgramTrace trace = ProgramTrace.create()) {
      Outcome outcome = Sweep.record(seed, swarm, trace.directory());
      output.accept("mix: " + outcome.mix());
      output.accept("faults: " + outcome.sites());
      output.accept(
          outcome.violation() == null
              ? "everything held"
              : "violates "
                  + outcome.violation().invariant().label()
                  + ": "
                  + outcome.violation().getMessage());
      return trace.timeline(0);
    }
  }
}
