package io.tagfabric.trials.fuzz;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.runtime.ProcessControl;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric fuzz}: attacks an endpoint and watches that it keeps its promises. */
@Command(
    name = "fuzz",
    description = "Attack an endpoint with mutated packets and watch that it keeps its promises.",
    footer = {
      "",
      "Attackers with the job key send packets that are mutated on their way, a",
      "stranger sends what it likes, and a friend talks to the same endpoint all the",
      "time. Ends with code 1 at the first byte outside a receive, wrong message of",
      "the friend, memory beyond its bound, answer to the stranger, operation that",
      "does not end once, or error in the log, and prints provider, seed and packet.",
      "",
      "Counts: packets and short messages sent; how many of them reached a service,",
      "that is, were accepted by a flow and handed on; dropped as of strangers;",
      "malformed; flows that ended because the peer broke a rule; attackers; lanes",
      "of shm that were cut off because somebody wrote what he liked into them; round",
      "trips of the friend. With --json also connections of tcp that were dialled by",
      "hand, with and without the key, those the victim cut off, and records sent.",
      "With --profile tls these speak TLS 1.3, with a certificate that is trusted or",
      "not, in the clear, or in TLS whose bytes are changed on their way.",
      "",
      "Example: tagfabric fuzz --provider shm,aeron --seconds 60 --seed 7"
    })
public final class FuzzCommand implements Callable<Integer> {
  @Mixin private FuzzOptions options = new FuzzOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (options.complaint() != null) {
      throw new ParameterException(spec.commandLine(), options.complaint());
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    return options.selfTest ? new SelfTest(options, out, err).run() : run(options, out, err);
  }

  static int run(FuzzOptions options, PrintWriter out, PrintWriter err) {
    FuzzReport report = new FuzzReport(options, out, err);
    long shareNs = TimeUnit.SECONDS.toNanos(options.seconds) / options.providers.size();
    for (String provider : options.providers) {
      long beginNs = System.nanoTime();
      FuzzRun run =
          new FuzzRun(
              provider,
              options.isSecure(),
              options.seed,
              shareNs,
              counts -> report.progress(provider, counts));
      Violation violation = run.run();
      if (violation != null && ProcessControl.JVM.isEnding()) {
        // A signal has ended the systems under the run, which found nothing by itself.
        return ExitCode.FAILED;
      }
      double seconds = (System.nanoTime() - beginNs) / 1e9;
      report.add(new FuzzReport.Result(provider, run.counts(), violation, seconds));
      if (violation != null) {
        break;
      }
    }
    return report.end();
  }
}
