package io.tagfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.host.LauncherWatch;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaCommandTest {
  @Test
  void shouldSilenceWarningsOnlyOnTheJavaThatKnowsTheFlag() {
    assertThat(JavaCommand.generalFlags(Map.of(), 17)).noneMatch(flag -> flag.startsWith("--"));
    assertThat(JavaCommand.generalFlags(Map.of(), 25))
        .contains("--sun-misc-unsafe-memory-access=allow", "--illegal-native-access=allow");
  }

  @Test
  void shouldUseTheArchiveOnlyWhenItExists(@TempDir Path directory) throws Exception {
    Path archive = Files.createFile(directory.resolve("classes.jsa"));

    assertThat(flags("TAGFABRIC_CLASS_ARCHIVE", archive.toString()))
        .contains("-XX:SharedArchiveFile=" + archive);
    assertThat(flags("TAGFABRIC_CLASS_ARCHIVE", directory + "/none.jsa"))
        .noneMatch(flag -> flag.contains("SharedArchiveFile"));
  }

  @Test
  void shouldLetTheFlagsOfAPersonWinOverTheGeneralOnes() {
    assertThat(flags("TAGFABRIC_JVM_OPTS", " -Xmx1g  -XX:+UseG1GC "))
        .endsWith("-Xmx1g", "-XX:+UseG1GC");
  }

  @Test
  void shouldWriteACommandAsAShellTakesIt() {
    assertThat(
            new RankCommand(
                    0, 0, List.of("java", "it's", "$x"), Map.of("A", "b c"), Optional.empty())
                .shellLine())
        .isEqualTo("A='b c' java 'it'\\''s' '$x'");
    assertThat(
            new RankCommand(0, 0, List.of("java"), Map.of(), Optional.of(Path.of("/a b")))
                .shellLine())
        .isEqualTo("cd '/a b' && java");
  }

  @Test
  void shouldAppendTheClassPathOfAProgramToThatOfThisJvm() {
    List<String> command =
        JavaCommand.of(
            Map.of(),
            List.of(),
            List.of(Path.of("/app.jar"), Path.of("/lib/a b.jar")),
            "Main",
            List.of("x"));

    int classPath = command.indexOf("-cp") + 1;
    assertThat(command.get(classPath))
        .isEqualTo(
            JavaCommand.classPath(System.getProperty("java.class.path"), List.of())
                + ":/app.jar:/lib/a b.jar");
    assertThat(command.subList(classPath + 1, command.size())).containsExactly("Main", "x");
  }

  @Test
  void shouldMakePlacesOfTheClassPathAbsolute() {
    Path here = Path.of("").toAbsolutePath();

    assertThat(JavaCommand.classPath("/a.jar:lib/b.jar:", List.of(Path.of("/c"))))
        .isEqualTo("/a.jar:" + here.resolve("lib/b.jar") + ":" + here + ":/c");
  }

  @Test
  void shouldFindDifferentPortsInAscendingOrder() throws Exception {
    List<Integer> ports = Ports.free(InetAddress.getLoopbackAddress(), 32);

    assertThat(ports).hasSize(32).doesNotHaveDuplicates().isSorted();
    for (int port : ports) {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }
  }

  @Test
  void shouldTellAtOnceWhenTheLauncherIsGoneAlready() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    CountDownLatch told = new CountDownLatch(1);

    LauncherWatch.start(ended.pid(), told::countDown);

    assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldTellWhenTheLauncherEnds() throws Exception {
    Process launcher = new ProcessBuilder("cat").start();
    CountDownLatch told = new CountDownLatch(1);
    LauncherWatch.start(launcher.pid(), told::countDown);

    launcher.destroyForcibly().waitFor();

    assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
  }

  private static List<String> flags(String variable, String value) {
    return JavaCommand.generalFlags(Map.of(variable, value), 17);
  }
}
