package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.jvms.ClassArchive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In another JVM, which must not end by a signal. */
@Tag("jvms")
class CutMemoryProcessTest {
  @TempDir Path parent;

  /** Files with nothing left, and with half of their bytes. */
  @ParameterizedTest
  @CsvSource({"shm, 0, 300", "'local,shm', 70000, 10"})
  void shouldFailWithIoAndCloseWhenTheFileOfMemoryIsCut(String provider, long kept, int rounds)
      throws IOException, InterruptedException {
    run(provider, kept, rounds);
  }

  /** The same with their gates, in compiled code and in code that is not. */
  @Tag("exhaustive")
  @ParameterizedTest
  @CsvSource({"shm, 0, 10", "shm, 70000, 300", "shm, 200000, 10", "'local,shm', 0, 300"})
  void shouldDoSoHoweverMuchIsLeft(String provider, long kept, int rounds)
      throws IOException, InterruptedException {
    run(provider, kept, rounds);
  }

  private void run(String provider, long kept, int rounds)
      throws IOException, InterruptedException {
    Path output = parent.resolve("output");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ClassArchive.flags());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:ErrorFile=" + parent.resolve("end"));
    command.add("-XX:-CreateCoredumpOnCrash");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(CutMemoryVictim.class.getName());
    // Short, since a socket's path has no room for more behind the directory of a test.
    Path files = Files.createDirectory(parent.resolve("f"));
    Stream.of(provider, files, kept, rounds).map(String::valueOf).forEach(command::add);
    Process victim =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ends = victim.waitFor(100, TimeUnit.SECONDS);
      String said = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(ends).as("it ends; it has said: " + said).isTrue();

      assertThat(said.lines().filter(line -> line.matches("(before|cut) by .*|closed")))
          .as(said)
          .containsExactly(
              "before by itself: done",
              "before by the loop: done",
              "cut by a call: IO",
              "cut by itself: IO",
              "cut by the loop: IO",
              "closed");
      assertThat(victim.exitValue()).as(said).isZero();
    } finally {
      victim.destroyForcibly();
    }
  }
}
