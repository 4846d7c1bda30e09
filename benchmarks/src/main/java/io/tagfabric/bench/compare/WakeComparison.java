package io.tagfabric.bench.compare;

import io.tagfabric.bench.ours.WakeOptions;
import io.tagfabric.bench.ours.WakeRank;
import io.tagfabric.cluster.job.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
      try {
        options.program(compile());
      } catch (ContenderException failure) {
        command.getErr().println("bench: " + failure.getMessage());
        return ExitCode.FAILED;
      }
    }
    return WakeRank.start(options);
  }

  private static Path compile() throws ContenderException {
    ProgramFinder finder = new ProgramFinder(System.getenv(), Path.of("/"));
    Optional<Path> compiler = finder.find("cc").or(() -> finder.find("gcc"));
    if (compiler.isEmpty()) {
      throw new ContenderException(
          "no cc in PATH, install it with: apt-get install gcc; or leave --vs out");
    }
    PeerPrograms programs = new PeerPrograms();
    Path source = programs.source(SOURCE);
    Path built = programs.directory().resolve("wake_peer");
    programs.build(
        List.of(compiler.get().toString(), "-O2", "-o", built.toString(), source.toString()));
    return built;
  }
}
