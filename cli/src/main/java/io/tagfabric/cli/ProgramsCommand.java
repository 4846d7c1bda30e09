package io.tagfabric.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the programs that {@code run} knows by a short name. */
@Command(name = "programs", description = "List the programs that `run` knows by name.")
final class ProgramsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    Registry programs = Programs.registry();
    int width =
        programs.entries().stream().mapToInt(entry -> entry.name().length()).max().orElse(0);
    for (Registry.Entry program : programs.entries()) {
      out.printf("%-" + (width + 2) + "s%s%n", program.name(), program.help());
    }
    out.flush();
  }
}
