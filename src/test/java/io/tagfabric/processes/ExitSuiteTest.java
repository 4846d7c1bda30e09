package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All cases once; `tagfabric exit-suite` runs them with more ranks and in both orders. */
@Tag("jvms")
class ExitSuiteTest {
  private static final int CASES = 32;
  private static final Duration PATIENCE = Duration.ofSeconds(CASES * 20L);

  @TempDir Path directory;

  @Test
  @Timeout(CASES * 25)
  void shouldEndInAllWaysAsItSays() {
    try (Command command =
        Command.tagfabric(
            directory, "exit-suite", "--ranks", "2", "--order", "reverse", "--json")) {
      Command.Result result = command.end(PATIENCE);

      assertThat(result.code()).as(result.out() + result.err()).isZero();
      List<Config> rows = result.lines().stream().map(ConfigFactory::parseString).toList();
      assertThat(rows).hasSize(CASES);
      assertThat(rows).extracting(row -> row.getString("result")).containsOnly("pass");
    }
  }

  @Test
  @Timeout(60)
  void shouldGoOnAfterAJobThatCannotStart() throws IOException {
    Path inTheWay = Files.writeString(Command.hostDirectory(directory), "no directory");
    try (Command command =
        Command.tagfabric(
            directory,
            "exit-suite",
            "--cases",
            "3,113",
            "--ranks",
            "1",
            "--order",
            "forward",
            "--json")) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(1);
      List<Config> rows = result.lines().stream().map(ConfigFactory::parseString).toList();
      assertThat(rows).extracting(row -> row.getInt("case")).containsExactly(3, 113);
      assertThat(rows).extracting(row -> row.getInt("code")).containsOnly(-1);
      assertThat(rows).extracting(row -> row.getString("result")).containsOnly("FAIL");
      assertThat(result.err()).contains(inTheWay + " is not a directory: remove it");
    } finally {
      Files.delete(inTheWay);
    }
  }
}
