package io.tagfabric.bench.collective;

import io.tagfabric.bench.compare.ContenderException;
import io.tagfabric.bench.ours.RankJob;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.Profile;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric bench collective}. */
@Command(
    name = "collective",
    description = "Time of a collective, by team size and bytes.",
    footer = {
      "",
      "Between JVMs a sample is rank 0's time of one call, and a barrier that is not",
      "timed lies between two calls. With --in-jvm it is the time until all members",
      "are done, with one thread that drives all of them. Bytes are those of the",
      "vector, or of a block for each rank. With --vs the peer's ranks do the same,",
      "and a ratio is ours divided by theirs of runs that stood side by side."
    })
public final class CollectiveCommand implements Callable<Integer> {
  @Option(
      names = "--in-jvm",
      description = "Ranks are endpoints of this JVM instead of JVMs of their own.")
  private boolean inJvm;

  @Mixin private CollectiveOptions options = new CollectiveOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    String complaint = options.complaint(inJvm);
    if (complaint != null) {
      throw new ParameterException(spec.commandLine(), complaint);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (inJvm) {
      CollectiveReport report = new CollectiveReport(options, out);
      JvmCollectives.measure(options, report);
      return ExitCode.OK;
    }
    return options.peer().isPresent() ? compare(options.peer().get(), out) : measure();
  }

  private int measure() {
    int code = ExitCode.OK;
    boolean first = true;
    for (int ranks : options.ranks()) {
      code =
          code == ExitCode.OK
              ? RankJob.run(
                  ranks,
                  CollectiveRank.class.getName(),
                  options.arguments(ranks, first),
                  Profile.TCP,
                  Optional.empty(),
                  new FileOutputStream(FileDescriptor.out),
                  new FileOutputStream(FileDescriptor.err))
              : code;
      first = false;
    }
    return code;
  }

  private int compare(CollectivePeer peer, PrintWriter out) {
    PrintWriter err = spec.commandLine().getErr();
    Optional<String> missing = peer.missingBecause();
    if (missing.isPresent()) {
      err.println(missing.get());
      return ExitCode.FAILED;
    }
    CollectiveReport report = new CollectiveReport(options, out);
    try {
      for (int ranks : options.ranks()) {
        new Versus(options, ranks, peer, err).run(report);
      }
      return ExitCode.OK;
    } catch (ContenderException failure) {
      err.println(failure.getMessage());
      return ExitCode.FAILED;
    }
  }
}
