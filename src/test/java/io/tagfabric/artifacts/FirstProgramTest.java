package io.tagfabric.artifacts;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.artifacts.Program.Result;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.jvms.TestPorts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The project below {@code examples}, built in another place with a repository that has Tagfabric's
 * artifacts and no sources of them, and run in each way that its page shows.
 */
@Tag("jvms")
class FirstProgramTest {
  private static final Duration RUN = Duration.ofSeconds(60);

  /** From this Java on a JVM tells of what Akka, Agrona and JNA do, unless it is allowed. */
  private static final int WARNS_OF_UNSAFE = 23;

  @TempDir private static Path directory;

  private static Path project;
  private static Path files;

  @BeforeAll
  static void build() throws Exception {
    project = directory.resolve("first-program");
    files = Files.createDirectory(directory.resolve("shm"));
    Example.build("first-program", directory);
  }

  private static Program start(String name, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(Program.java(), "-XX:TieredStopAtLevel=1"));
    if (Runtime.version().feature() >= WARNS_OF_UNSAFE) {
      command.add("--sun-misc-unsafe-memory-access=allow");
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(List.of(arguments));
    return Program.start(
        project, name, Map.of("TAGFABRIC_LAUNCH_DIRECTORY", files.toString()), command);
  }

  private static Stream<String> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
  }

  private static List<String> jars() throws IOException {
    try (Stream<Path> lib = Files.list(project.resolve("target/lib"))) {
      return lib.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @AfterEach
  void shouldLeaveNoFileInMemory() {
    assertThat(HostDirectory.below(files).path()).doesNotExist();
  }

  @Test
  void shouldBringTheJarsThatWereTestedAndNoOthers() throws IOException {
    List<String> tested =
        classPath().map(entry -> Path.of(entry).getFileName().toString()).toList();

    assertThat(jars()).isSubsetOf(tested);
    assertThat(jars()).contains("tagfabric-collectives-" + Artifacts.version() + ".jar");
    assertThat(jars()).noneMatch(jar -> jar.matches("(lmdbjava|jnr-|asm|picocli|jgroups).*"));
  }

  @Test
  void shouldTakeEveryVersionFromTheBom() throws IOException {
    List<String> managed = Pom.of(Artifacts.BOM).managed().stream().map(Pom::jar).toList();
    List<String> others = // Akka has a BOM of its own, and the backend is the program's choice
        jars().stream().filter(jar -> !jar.matches("(akka|logback)-.*")).toList();

    assertThat(managed).containsAll(others);
  }

  @Test
  void shouldRunAlone() throws Exception {
    try (Program program = start("alone", "-jar", "target/first-program.jar")) {
      Result result = program.end(RUN);

      assertThat(result)
          .isEqualTo(new Result(0, List.of("rank 0 says hello", "the sum of 1 ranks is 0"), ""));
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldRunAsFourRanks() throws Exception {
    String command = // jars alone, as the command is installed: tests have another log
        classPath().filter(entry -> entry.endsWith(".jar")).collect(joining(File.pathSeparator));
    try (Program program =
        start(
            "ranks",
            "-cp",
            command,
            "io.tagfabric.cli.Tagfabric",
            "run",
            "-n",
            "4",
            "--jar",
            "target/first-program.jar")) {
      Result result = program.end(RUN);

      assertThat(result.code()).as("%s", result).isZero();
      assertThat(result.out()) // and nothing of Logback, which finds two files logback.xml
          .containsExactlyInAnyOrder(
              "[1] rank 0 says hello",
              "[2] rank 1 says hello",
              "[3] rank 2 says hello",
              "[0] rank 3 says hello",
              "[0] the sum of 4 ranks is 6");
    }
  }

  @Test
  void shouldRunAsNodesOfACluster() throws Exception {
    int port = TestPorts.next();
    try (Program zero = node(0, port, port);
        Program one = node(1, 0, port)) {
      Result first = zero.end(RUN);
      Result second = one.end(RUN);

      assertThat(List.of(first, second)).as("codes").extracting(Result::code).containsOnly(0);
      assertThat(printed(first))
          .containsExactly("order of node 1", "sums of all nodes: [2.0, 1.0]");
      assertThat(printed(second))
          .containsExactly("order of node 0", "sums of all nodes: [2.0, 1.0]");
    }
  }

  /** What a node has printed but Akka's warning that the other one, which has ended, hung up. */
  private static List<String> printed(Result node) {
    return node.out().stream()
        .filter(line -> !(line.startsWith("[WARN]") && line.contains("StreamTcpException")))
        .toList();
  }

  private static Program node(int number, int port, int seedPort) throws IOException {
    return start(
        "node-" + number,
        "-Dakka.remote.artery.canonical.port=" + port,
        "-Dakka.cluster.seed-nodes.0=akka://shop@127.0.0.1:" + seedPort,
        "-cp",
        "target/first-program.jar",
        "com.example.ClusterNode",
        Integer.toString(number),
        "2");
  }
}
