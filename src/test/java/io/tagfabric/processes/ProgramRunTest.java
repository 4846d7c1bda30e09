package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cli.Tagfabric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of a person's own, by class path and as jars, here and on two addresses. */
@Tag("jvms")
class ProgramRunTest {
  @TempDir Path launchDirectory;
  @TempDir Path temporary;
  private Path directory;
  private UserProgram program;

  @BeforeEach
  void compile() throws IOException {
    directory = Files.createDirectory(temporary.toRealPath().resolve("my prógram"));
    program = UserProgram.make(directory, System.getProperty("java.class.path"));
  }

  @Tag("exhaustive")
  @Test
  void shouldRunAClassOfAClassPath() {
    String classPath = program.classes() + ":" + directory.resolve("lib/*");

    requireGreetings(
        run("-np", "3", "-cp", classPath, UserProgram.MAIN, "--flag", "b c"),
        3,
        "|--flag,b c|" + here() + "|null");
  }

  @Test
  void shouldRunAJarAndLeaveItWhatFollows() {
    requireGreetings(
        run("-n", "2", "--jar", program.jar().toString(), "-n", "7", "--help"),
        2,
        "|-n,7,--help|" + here() + "|null");
  }

  @Tag("exhaustive")
  @Test
  void shouldGiveAllRanksVariablesAndADirectory() throws IOException {
    Path work = Files.createDirectory(directory.resolve("wörk"));

    requireGreetings(
        run(
            "-n",
            "2",
            "-x",
            "LEVEL=9=ü",
            "--wdir",
            work.toString(),
            "-jar",
            program.jar().toString()),
        2,
        "||" + work + "|9=ü");
  }

  @Test
  void shouldBringProgramAndVariablesToOtherHosts() throws IOException {
    Path work = Files.createDirectory(directory.resolve("wörk"));

    requireGreetings(
        start(
            Map.of("LEVEL", "8"),
            "run",
            "-n",
            "2",
            "-N",
            "2",
            "--spawner",
            "local",
            "-x",
            "LEVEL",
            "--wdir",
            work.toString(),
            "--class-path",
            program.classes() + ":" + program.library(),
            UserProgram.MAIN),
        2,
        "||" + work + "|8");
  }

  @Tag("exhaustive")
  @Test
  void shouldTakeClassPathFromTheEnvironment() {
    requireGreetings(
        start(
            Map.of("CLASSPATH", "/no/such.jar:" + program.classes() + ":" + program.library()),
            "run",
            "-n",
            "1",
            UserProgram.MAIN),
        1,
        "||" + here() + "|null");
  }

  /** What build tools put into one jar: old copies of all, and the settings of all. */
  @Tag("exhaustive")
  @Test
  void shouldPreferItsOwnClassesAndSettingsToThoseOfAFatJar() throws IOException {
    Path fat =
        program.fatJar(
            Map.of(
                "io/tagfabric/job/Job.class", "no class",
                "akka/actor/ActorSystem.class", "no class",
                "META-INF/tagfabric/programs", "hello = com.acme.Hello, Another one\n",
                "META-INF/services/io.tagfabric.provider.Provider",
                    "io.tagfabric.provider.shm.ShmProvider\n",
                "reference.conf",
                    """
                    acme.name = a
                    acme.level = 1
                    akka.actor.default-dispatcher.throughput = 77
                    """,
                "application.conf", "acme.level = 2\n"));

    try (Command command = run("-n", "2", "--jar", fat.toString(), "config")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.lines()).contains("[0] 2a5", "[1] 2a5");
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldKnowItsOwnProgramsBesideAClassPath() {
    try (Command command = run("-n", "2", "-cp", program.classes().toString(), "hello")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.out()).contains("[0] hello from rank 0 of 2");
    }
  }

  @Test
  void shouldStartNothingWhenFilesAreMissing() throws IOException {
    String jar = program.jar().toString();
    String work = directory + "/no";
    List<List<String>> mistakes =
        List.of(
            List.of("--class-path: " + work + " is missing, check the name", "-cp", work, "M"),
            List.of("--jar: " + work + " is missing, check the name", "--jar", work),
            List.of(
                "the working directory " + work + " of --wdir is missing, check the name",
                "--wdir",
                work,
                "--jar",
                jar),
            List.of(
                "host 127.0.0.1: the working directory "
                    + work
                    + " of --wdir is missing there, copy it or name a place that all hosts share",
                "-N",
                "2",
                "--spawner",
                "local",
                "--wdir",
                work,
                "--jar",
                jar));
    for (List<String> mistake : mistakes) {
      requireMistake(mistake.get(0), mistake.subList(1, mistake.size()));
    }
    Files.delete(program.library());
    requireMistake(
        "--jar: "
            + program.library()
            + ", in the Class-Path of the manifest of "
            + jar
            + ", is missing, copy it or leave it out of the manifest",
        List.of("--jar", jar));
  }

  private void requireMistake(String sentence, List<String> arguments) {
    try (Command command =
        run(Stream.concat(Stream.of("-n", "2"), arguments.stream()).toArray(String[]::new))) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isEqualTo(2);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).isEqualTo("tagfabric: " + sentence);
    }
  }

  private static void requireGreetings(Command running, int ranks, String rest) {
    try (Command command = running) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.lines())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, ranks)
                  .mapToObj(rank -> "[" + rank + "] greeting" + rank + "of" + ranks + rest)
                  .toList());
    }
  }

  private static Path here() {
    return Path.of("").toAbsolutePath();
  }

  private Command run(String... arguments) {
    return start(
        Map.of(), Stream.concat(Stream.of("run"), Stream.of(arguments)).toArray(String[]::new));
  }

  private Command start(Map<String, String> variables, String... arguments) {
    return Command.start(launchDirectory, variables, Tagfabric.class, arguments);
  }
}
