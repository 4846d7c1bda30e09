package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code tagfabric run} does, seen from outside. */
@Tag("jvms")
class RunTest {
  @TempDir Path directory;

  @Test
  void shouldPrintRecordsOfPingPongOverSharedMemoryWhenAskedForJson() {
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            "2",
            "pingpong",
            "--sizes",
            "8,9k,300k",
            "--iters",
            "40",
            "--warm-up",
            "5",
            "--check",
            "--json")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      List<Config> rows = result.lines().stream().map(ConfigFactory::parseString).toList();
      assertThat(rows)
          .extracting(row -> row.getInt("bytes"))
          .containsExactly(8, 9 * 1024, 300 * 1024);
      assertThat(rows).extracting(row -> row.getString("provider")).containsOnly("shm");
      assertThat(rows)
          .allSatisfy(
              row -> {
                assertThat(row.getInt("iters")).isEqualTo(40);
                assertThat(row.root().keySet())
                    .contains("time_s", "mb_per_s", "usec_per_xfer", "mxfers_per_s")
                    .contains("p50_us", "p99_us", "provider", "progress");
                assertThat(row.getDouble("p99_us")).isGreaterThanOrEqualTo(row.getDouble("p50_us"));
              });
    }
  }

  @Tag("exhaustive")
  @ParameterizedTest
  @CsvSource({"hello, 3", "hello, 1"})
  void shouldRunEachDemoToItsEnd(String demo, String ranks) {
    try (Command command = Command.tagfabric(directory, "run", "-n", ranks, demo)) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      for (int rank = 0; rank < Integer.parseInt(ranks); rank++) {
        assertThat(result.out()).contains("[" + rank + "] ");
      }
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldShowEveryLineOfEveryRank() {
    int lines = 5000;
    try (Command command =
        Command.tagfabric(
            directory, "run", "-n", "2", "chatter", "--lines", Integer.toString(lines))) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.lines()).hasSize(2 * lines);
      for (int rank = 0; rank < 2; rank++) {
        String tag = "[" + rank + "] ";
        List<String> own = result.lines().stream().filter(line -> line.startsWith(tag)).toList();
        assertThat(own).hasSize(lines);
        assertThat(own.get(lines - 1))
            .isEqualTo(tag + "line " + lines + " of " + lines + " from rank " + rank);
      }
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldSendTheTokenAroundTheRing() {
    try (Command command = Command.tagfabric(directory, "run", "-n", "3", "ring")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.lines()).first().asString().startsWith("[0] token: 300 hops");
    }
  }

  @Test
  void shouldTellTheSurvivorWhichPeerWasKilled() {
    killAPeer("auto");
  }

  @Tag("exhaustive")
  @Test
  void shouldTellTheSurvivorWhichPeerWasKilledWhenItDrivesItself() {
    killAPeer("manual");
  }

  private void killAPeer(String progress) {
    try (Command command =
        Command.tagfabric(
            directory,
            "run",
            "-n",
            "2",
            "pingpong",
            "--sizes",
            "8,16",
            "--iters",
            "100000000",
            "--progress",
            progress)) {
      command.awaitFormed();

      command.rank(1).destroyForcibly();
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(137);
      assertThat(result.err()).containsPattern("rank 0: peer \\[rank-1@.*\\] lost");
      assertThat(result.err()).doesNotContain("\tat ");
    }
  }

  @Test
  void shouldEndAllRanksWhenInterrupted() {
    try (Command command =
        Command.tagfabric(
            directory, "run", "-n", "2", "pingpong", "--sizes", "8", "--iters", "100000000")) {
      command.awaitFormed();

      command.signal("INT");

      assertThat(command.end().code()).isEqualTo(130);
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldKeepTwoJobsApart() {
    Path other = directory.resolve("other");
    try (Command one = Command.tagfabric(directory, "run", "-n", "2", "hello");
        Command two = Command.tagfabric(other, "run", "-n", "2", "hello")) {
      assertThat(one.end().code()).isZero();
      assertThat(two.end().code()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run -n 0 ring       | --ranks",
        "run -n x ring       | --ranks",
        "run -n 2 no-such    | no-such",
        "run -n 2 --no-such ring | --no-such"
      })
  void shouldRefuseAMistakeInOneSentence(String line, String named) {
    try (Command command = Command.tagfabric(directory, line.strip().split(" "))) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(2);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).contains(named);
      result.requireNoTrace();
    }
  }
}
