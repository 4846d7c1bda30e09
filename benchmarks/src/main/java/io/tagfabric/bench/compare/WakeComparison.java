package io.tagfabric.bench.compare;

import io.tagfabric.bench.ours.WakeOptions;
import io.tagfabric.bench.ours.WakeRank;
import io.tagfabric.cluster.job.ExitCode;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Wake-ups of ours beside those of a program in C, which is compiled for it. */
public final class WakeComparison {
  private static final String SOURCE = "wake_peer.c";

  private WakeComparison() {}

  /** Runs the benchmark of a command and returns its exit code. */
  public static int start(WakeOptions options, CommandLine command) {
    options.betweenRanks();
    if (options.complaint() != null) {
      throw new ParameterException(command, options.complaint());
    }
    if (options.hasPeer()) {
      CProgram peer = new CProgram(new ProgramFinder(System.getenv(), Path.of("/")), SOURCE);
      if (peer.missingBecause().isPresent()) {
        command.getErr().println("bench: " + peer.missingBecause().get() + "; or leave --vs out");
        return ExitCode.FAILED;
      }
      try {
        options.program(peer.build(new PeerPrograms()));
      } catch (ContenderException failure) {
        command.getErr().println("bench: " + failure.getMessage());
        return ExitCode.FAILED;
      }
    }
    return WakeRank.start(options);
  }
}
