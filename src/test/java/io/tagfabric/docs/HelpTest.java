package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cli.Tagfabric;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What {@code --help} prints fits a terminal of 80 columns as it was written. */
class HelpTest {
  private static final int COLUMNS = 80;

  static Stream<String> commands() {
    return Tagfabric.commandLine(List.of()).getSubcommands().keySet().stream();
  }

  static Stream<String> programs() {
    return DocumentedPrograms.all().keySet().stream();
  }

  @Test
  void shouldFindCommandsAndPrograms() {
    assertThat(commands())
        .contains("bench", "info", "pingpong", "run", "soak")
        .hasSizeGreaterThan(8);
    assertThat(programs()).contains("heat", "hello").hasSizeGreaterThan(8);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldFitHelpOfCommands(String name) {
    requireFit(Tagfabric.commandLine(List.of(name)).getSubcommands().get(name));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldFitHelpOfPrograms(String name) throws ReflectiveOperationException {
    DocumentedPrograms.options(DocumentedPrograms.all().get(name)).ifPresent(HelpTest::requireFit);
  }

  private static void requireFit(CommandLine command) {
    command.setUsageHelpAutoWidth(false);
    command.setUsageHelpWidth(COLUMNS);
    List<String> lines = command.getUsageMessage(CommandLine.Help.Ansi.OFF).lines().toList();
    String name = command.getCommandSpec().qualifiedName();
    assertThat(lines)
        .as("help of %s", name)
        .allMatch(line -> line.length() <= COLUMNS)
        .noneMatch(line -> line.contains("[,"));
    assertThat(command.getCommandSpec().options())
        .as("options of %s: lines of a description are broken by picocli alone", name)
        .allMatch(option -> option.description().length <= 1);
    for (String written : command.getCommandSpec().usageMessage().footer()) {
      assertThat(lines)
          .as("a line of the footer of %s is not broken", name)
          .contains(String.format(written).stripTrailing());
    }
    for (Map.Entry<String, CommandLine> sub : command.getSubcommands().entrySet()) {
      requireFit(sub.getValue());
    }
  }
}
