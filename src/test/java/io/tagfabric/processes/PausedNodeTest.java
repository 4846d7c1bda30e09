package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node of a cluster that stands still and comes back is where it was. */
@Tag("jvms")
class PausedNodeTest {
  @TempDir Path directory;

  @Test
  void shouldGoOnWithANodeThatStoodStill() {
    run("shm", 4_000);
  }

  @Tag("exhaustive")
  @ParameterizedTest
  @CsvSource({"shm, 11000", "artery, 4000", "artery, 11000", "aeron, 4000", "aeron, 11000"})
  void shouldGoOnWithANodeThatStoodStillForLonger(String provider, long pauseMs) {
    run(provider, pauseMs);
  }

  private void run(String provider, long pauseMs) {
    try (Command command =
        Command.start(directory, Map.of(), PausedNode.class, provider, Long.toString(pauseMs))) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.out() + result.err()).isZero();
      assertThat(result.lines())
          .contains(
              "before", "unreachable", "meanwhile", "after", "by Akka's remoting: 0", "other 0");
      result.requireNoTrace();
    }
  }
}
