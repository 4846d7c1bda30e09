package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks of one host over shared memory, in each mode of progress. */
@Tag("jvms")
class ShmRunTest {
  @TempDir Path directory;

  private List<Config> pingPong(String... options) {
    List<String> arguments = new ArrayList<>(List.of("run", "-n", "2", "pingpong"));
    arguments.addAll(List.of("--sizes", "8,9k,300k", "--iters", "50", "--warm-up", "5"));
    arguments.addAll(List.of("--check", "--json"));
    arguments.addAll(List.of(options));
    try (Command command = Command.tagfabric(directory, arguments.toArray(String[]::new))) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      return result.lines().stream().map(ConfigFactory::parseString).toList();
    }
  }

  @Test
  void shouldTakeWhatKilledSendersHaveSentAndNothingElse() {
    try (Command command =
        Command.tagfabric(
            directory,
            "soak",
            "--provider",
            "shm",
            "--kills",
            "2",
            "--messages",
            "50000",
            "--seed",
            "7",
            "--json")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.err()).isZero();
      Config row = ConfigFactory.parseString(result.out());
      assertThat(row.getInt("killed")).isEqualTo(2);
      assertThat(row.getInt("corrupted")).isZero();
      assertThat(row.getInt("received")).isGreaterThanOrEqualTo(50_000);
      assertThat(row.getInt("cut_off")).isBetween(1, 128);
    }
  }

  @Tag("exhaustive")
  @ParameterizedTest
  @ValueSource(strings = {"manual", "auto"})
  void shouldBringEveryByteAndLeaveNothing(String progress) {
    List<Config> rows = pingPong("--provider", "shm", "--progress", progress);

    assertThat(rows).extracting(row -> row.getString("provider")).containsOnly("shm").hasSize(3);
    assertThat(rows).extracting(row -> row.getString("progress")).containsOnly(progress);
  }
}
