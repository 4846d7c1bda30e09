package io.tagfabric.bench.collective;

import io.tagfabric.cluster.job.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tagfabric bench members}. */
@Command(
    name = "members",
    description = "What a member of a large team in one JVM costs, by team size.",
    footer = {
      "",
      "A JVM of its own with a heap of 2 GiB opens the endpoints and their team, lets",
      "all do barriers, allreduces of 8 B and agreements, loses ten members, and lets",
      "the others shrink the team. Times are processor time of the thread that drives",
      "all, a member; heap is what is reachable after collection, a member."
    })
public final class MembersCommand implements Callable<Integer> {
  private static final String HEAP = "-Xmx2g";

  @Mixin private MembersOptions options = new MembersOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    String complaint = options.complaint();
    if (complaint != null) {
      throw new ParameterException(spec.commandLine(), complaint);
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                HEAP,
                "-cp",
                System.getProperty("java.class.path"),
                MembersMain.class.getName()));
    command.addAll(options.arguments());
    Process process;
    try {
      process = new ProcessBuilder(command).inheritIO().start();
    } catch (IOException e) {
      spec.commandLine().getErr().println("the JVM cannot be started: " + e.getMessage());
      return ExitCode.FAILED;
    }
    try {
      return process.waitFor() == 0 ? ExitCode.OK : ExitCode.FAILED;
    } finally {
      process.destroyForcibly();
    }
  }
}
