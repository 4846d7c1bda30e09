package io.tagfabric.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Takes the file of {@code --jar}, and all words behind it as arguments of the program. */
final class JarConsumer implements IParameterConsumer {
  @Override
  @SuppressWarnings("JdkObsolete") // picocli's interface has the Stack
  public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
    if (words.isEmpty()) {
      throw new ParameterException(
          command.commandLine(), "--jar needs the name of a jar, write --jar FILE");
    }
    Path file = Path.of(words.pop());
    List<String> rest = new ArrayList<>(words);
    words.clear();
    Collections.reverse(rest);
    ((RunCommand) command.userObject()).takeJar(file, rest);
  }
}
