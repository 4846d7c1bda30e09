package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.condition.OS.LINUX;

import io.tagfabric.cli.Tagfabric;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.io.TempDir;

/** Threads that wait may move on each Java, and no JVM warns of it. */
@EnabledOnOs(LINUX)
@Tag("jvms")
class MoveWaitingRunTest {
  @TempDir Path directory;

  @Test
  void shouldMoveThreadsOfARankWithoutAWordOfTheJvm() {
    String classes =
        Path.of(MovedThread.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .toString();
    try (Command command =
        Command.start(
            directory,
            Map.of(),
            Tagfabric.class,
            "run",
            "-n",
            "1",
            "-cp",
            classes,
            MovedThread.class.getName())) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.out() + result.err()).isZero();
      assertThat(result.out()).contains("moves");
      assertThat(result.err()).doesNotContain("WARNING");
      result.requireNoTrace();
    }
  }
}
