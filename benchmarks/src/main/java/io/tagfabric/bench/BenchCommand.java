package io.tagfabric.bench;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric bench}: measures latency and message rate. */
@Command(
    name = "bench",
    description = "Measure latency and message rate, also beside plain Akka.",
    synopsisSubcommandLabel = "KIND",
    subcommands = {BenchCommand.Latency.class, BenchCommand.Rate.class},
    footer = {
      "",
      "Example: tagfabric bench latency",
      "         tagfabric bench rate --provider artery --vs akka --json"
    })
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say what to measure: latency or rate");
  }

  /** Ping-pong. */
  @Command(
      name = "latency",
      description = "Half the round trip of a message.",
      footer = {
        "",
        "usec/xfer is the mean of the run in the middle; --json adds percentiles. A ratio is ours",
        "divided by the peer's, in usec/xfer, of runs side by side: below 1 we are faster."
      })
  static final class Latency implements Callable<Integer> {
    @Mixin private BenchOptions options = new BenchOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      return new Bench(Kind.LATENCY, 1, options).start(spec.commandLine());
    }
  }

  /** Stream with a window. */
  @Command(
      name = "rate",
      description = "Messages a second in one direction.",
      footer = {
        "",
        "The receiver acknowledges every half window. A ratio is ours divided by the peer's, in",
        "messages a second, of runs side by side: above 1 we are faster."
      })
  static final class Rate implements Callable<Integer> {
    @Mixin private BenchOptions options = new BenchOptions();
    @Spec private CommandSpec spec;

    @Option(
        names = "--window",
        paramLabel = "N",
        defaultValue = "1000",
        description = "Messages sent and not acknowledged (default: ${DEFAULT-VALUE}).")
    private int window;

    @Override
    public Integer call() {
      if (window < 1 || window > BenchOptions.MAX_WINDOW) {
        throw new ParameterException(
            spec.commandLine(),
            "--window=" + window + " is not within 1 to " + BenchOptions.MAX_WINDOW);
      }
      return new Bench(Kind.RATE, window, options).start(spec.commandLine());
    }
  }
}
