package io.tagfabric.trials.simulate;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.simulation.swarm.Sweep;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric simulate}: whole jobs from seeds, on one thread and a virtual clock. */
@Command(
    name = "simulate",
    description = "Run whole jobs of random programs and faults from seeds, on a virtual clock.",
    footer = {
      "",
      "Each seed draws a mix of operations, sizes, settings and faults, and decides",
      "who is next at every turn. Endpoints, matching, flows, queues, collectives and",
      "the exit protocol are the real ones; network, time and threads are simulated.",
      "At the first seed that breaks a promise the sweep ends with code 1, and prints",
      "the seed and the plainest run that breaks it too. The same seed does the same:",
      "one in 50 runs twice, and a difference is a failure as well.",
      "",
      "With PROGRAM each seed runs that program as simulated ranks, to its end or to",
      "the first seed with which a rank fails that no fault has killed or cut off.",
      "Arguments of the program stand behind --.",
      "",
      "Example: tagfabric simulate --seeds 1..20000 --json",
      "Example: tagfabric simulate --seed 7 --trace",
      "Example: tagfabric simulate heat --ranks 9 --seed 3 --trace",
      "Example: tagfabric simulate survivors --ranks 4 --faults crash=1 -- --victim 1"
    })
public final class SimulateCommand implements Callable<Integer> {
  @Mixin private SimulateOptions options = new SimulateOptions();
  @Mixin private ProgramOptions program = new ProgramOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (options.complaint() != null) {
      throw new ParameterException(spec.commandLine(), options.complaint());
    }
    QuietLog quiet = new QuietLog();
    try (quiet) {
      return run();
    }
  }

  private int run() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (program.isGiven()) {
      return runProgram(out, err);
    }
    if (options.selfTest) {
      return new SelfTest(options, out, err).run();
    }
    SimulateReport report = new SimulateReport(options, out, err);
    return options.trace ? traced(report) : sweep(report);
  }

  private int runProgram(PrintWriter out, PrintWriter err) {
    try (ProgramSweep sweep = new ProgramSweep(program, options, out, err)) {
      return sweep.run();
    } catch (IllegalArgumentException mistake) {
      throw new ParameterException(spec.commandLine(), mistake.getMessage(), mistake);
    }
  }

  private int traced(SimulateReport report) {
    TracedRun traced =
        TracedRun.of(
            directory -> Sweep.record(options.firstSeed(), options.run.swarm(), directory));
    report.run(traced);
    return traced.outcome().violation() == null ? ExitCode.OK : ExitCode.FAILED;
  }

  private int sweep(SimulateReport report) {
    Sweep.Totals totals =
        new Sweep(
                options.run.swarm(),
                options.firstSeed(),
                options.lastSeed(),
                options.workers,
                report::progress)
            .run();
    TracedRun shortest =
        totals.failure() == null
            ? null
            : TracedRun.of(
                directory -> Sweep.shrink(totals.failure(), options.run.swarm(), directory));
    report.end(totals, shortest);
    boolean missed = options.requireProbes && !SimulateReport.missed(totals).isEmpty();
    return totals.failure() != null || missed ? ExitCode.FAILED : ExitCode.OK;
  }
}
