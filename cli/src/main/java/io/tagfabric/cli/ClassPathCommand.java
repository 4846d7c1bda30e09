package io.tagfabric.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what a compiler needs to find Tagfabric's classes. */
@Command(
    name = "class-path",
    description = "Print Tagfabric's own class path, for a compiler.",
    footer = {"", "Example: javac -cp \"$(tagfabric class-path)\" -d classes Main.java"})
final class ClassPathCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().println(System.getProperty("java.class.path"));
    return 0;
  }
}
