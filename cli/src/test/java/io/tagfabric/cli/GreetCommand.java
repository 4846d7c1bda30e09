package io.tagfabric.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command of the tests. */
@Command(name = "greet", description = "Greet whoever asks.")
final class GreetCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0")
  private String name;

  @Override
  public Integer call() {
    if (name.equals("nobody")) {
      throw new IllegalStateException("nobody is there");
    }
    spec.commandLine().getOut().println("hello " + name);
    return 5;
  }
}
