package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.tagfabric.cli.Tagfabric;
import io.tagfabric.processes.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The commands that pages show can be typed: every option and program of theirs is there. Those of
 * README that name a program of this build are run too.
 */
class CommandsTest {
  private static final Set<String> BRINGS_CLASSES = Set.of("--class-path", "-cp", "--jar");
  private static final Set<String> PHASES =
      Set.of(
          "clean",
          "compile",
          "test-compile",
          "test",
          "package",
          "verify",
          "install",
          "deploy",
          "javadoc:javadoc",
          "javadoc:aggregate-no-fork");

  @TempDir private Path directory;

  /** The changelog tells of commands as they were. */
  private static Stream<Path> pages() {
    return Pages.all().stream().filter(page -> !page.endsWith("CHANGELOG.md"));
  }

  static Stream<ShownCommand> tagfabricCommands() {
    return pages()
        .flatMap(page -> ShownCommand.of(page).stream())
        .filter(command -> command.tagfabricWords() != null && !command.hasPlaceholder());
  }

  static Stream<ShownCommand> mavenCommands() {
    return pages()
        .flatMap(page -> ShownCommand.of(page).stream())
        .filter(command -> command.words().get(0).equals("mvn") && !command.hasPlaceholder());
  }

  static Stream<ShownCommand> commandsToRun() {
    return ShownCommand.of(Pages.root().resolve("README.md")).stream()
        .filter(command -> command.inBlock() && command.tagfabricWords() != null)
        .filter(command -> isOfThisBuild(command.tagfabricWords()));
  }

  private static boolean isOfThisBuild(List<String> words) {
    return words.get(0).equals("run")
        && words.stream().anyMatch(DocumentedPrograms.all()::containsKey)
        && words.stream().noneMatch(BRINGS_CLASSES::contains);
  }

  @ParameterizedTest
  @MethodSource("tagfabricCommands")
  void shouldShowCommandsWithOptionsAndProgramsThatExist(ShownCommand command)
      throws ReflectiveOperationException {
    check(command);
  }

  private static void check(ShownCommand command) throws ReflectiveOperationException {
    List<String> words = command.tagfabricWords();
    try {
      CommandLine.ParseResult parsed =
          Tagfabric.commandLine(words).parseArgs(words.toArray(String[]::new));
      if (parsed.hasSubcommand() && words.get(0).equals("run")) {
        checkProgram(parsed.subcommand(), words);
      }
    } catch (CommandLine.MissingParameterException missing) {
      assertThat(command.inBlock()).as("%s: %s", command, missing.getMessage()).isFalse();
    } catch (CommandLine.ParameterException mistake) {
      fail(command + ": " + mistake.getMessage());
    }
  }

  private static void checkProgram(CommandLine.ParseResult run, List<String> words)
      throws ReflectiveOperationException {
    String program = run.matchedPositionalValue(0, "");
    if (program.isEmpty()
        || program.contains(".")
        || words.stream().anyMatch(BRINGS_CLASSES::contains)) {
      return;
    }
    assertThat(DocumentedPrograms.all()).as("programs of `tagfabric run`").containsKey(program);
    Optional<CommandLine> options =
        DocumentedPrograms.options(DocumentedPrograms.all().get(program));
    List<String> arguments = words.subList(words.indexOf(program) + 1, words.size());
    if (options.isPresent()) {
      options.get().parseArgs(arguments.toArray(String[]::new));
    } else {
      assertThat(arguments).as("arguments of %s", program).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("mavenCommands")
  void shouldShowMavenCommandsWithModulesProfilesAndPhasesThatExist(ShownCommand command)
      throws IOException {
    List<String> words = command.words();
    String pom = Files.readString(Pages.root().resolve("pom.xml"));
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals("-pl")) {
        i++;
        assertThat(words.get(i).split(","))
            .as("modules of %s", command)
            .allMatch(module -> Files.isRegularFile(Pages.root().resolve(module + "/pom.xml")));
      } else if (word.startsWith("-P")) {
        assertThat(List.of(word.substring(2).split(",")))
            .as("profiles of %s", command)
            .allMatch(profile -> pom.contains("<id>" + profile + "</id>"));
      } else if (!word.startsWith("-")) {
        assertThat(word.startsWith("spotless:") || PHASES.contains(word))
            .as("phase or goal (%s) of %s", word, command)
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commandsToRun")
  @Tag("jvms")
  @Tag("exhaustive")
  void shouldRunTheCommandsOfReadme(ShownCommand command) {
    try (Command running =
        Command.tagfabric(directory, command.tagfabricWords().toArray(String[]::new))) {
      Command.Result result = running.end();

      assertThat(result.code()).as("code of %s: %s", command, result.err()).isZero();
      assertThat(result.out()).isNotBlank();
    }
  }

  @Test
  void shouldReadCommandsOfAPageAndTheirWords() throws IOException {
    Path page =
        Files.writeString(
            directory.resolve("p.md"),
            """
            Call `./tagfabric run
            -n 4` or `sudo ./tagfabric partition`, `tagfabric.flow.ping` is no command.

                ./tagfabric run --ssh "ssh -p 2" -n 1 hello # a comment

            ```sh
            mvn -q \\
              verify | less
            ```
            """);

    List<ShownCommand> commands = ShownCommand.of(page);

    assertThat(commands)
        .extracting(ShownCommand::words)
        .containsExactly(
            List.of("mvn", "-q", "verify"),
            List.of("./tagfabric", "run", "--ssh", "ssh -p 2", "-n", "1", "hello"),
            List.of("./tagfabric", "run", "-n", "4"),
            List.of("sudo", "./tagfabric", "partition"));
    assertThat(commands)
        .extracting(ShownCommand::inBlock)
        .containsExactly(true, true, false, false);
    assertThat(commands.get(3).tagfabricWords()).containsExactly("partition");
  }

  @Test
  void shouldMissOptionsAndProgramsThatAreNotThere() {
    Path page = Pages.root().resolve("README.md");

    assertThatThrownBy(() -> check(new ShownCommand(page, "./tagfabric soak --no-such 1", false)))
        .hasMessageContaining("--no-such");
    assertThatThrownBy(() -> check(new ShownCommand(page, "./tagfabric run -n 2 hallo", true)))
        .hasMessageContaining("hallo");
    assertThatThrownBy(() -> check(new ShownCommand(page, "./tagfabric run hello", true)))
        .hasMessageContaining("--ranks");
    assertThatThrownBy(
            () -> check(new ShownCommand(page, "./tagfabric run -n 2 heat --no-such 1", true)))
        .hasMessageContaining("--no-such");
  }
}
