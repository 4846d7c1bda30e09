package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The nodes of a cluster are replaced while they exchange messages: three of them, one replaced.
 */
@Tag("jvms")
class RollTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir Path directory;

  private Config run(String... arguments) {
    try (Command command = Command.tagfabric(directory, arguments)) {
      Command.Result result = command.end(PATIENCE);
      assertThat(result.code()).as(result.out() + result.err()).isZero();
      return ConfigFactory.parseString(result.out());
    }
  }

  private Config quick(String scenario) {
    Config report = run("roll", "--quick", "--json", "--scenario", scenario);
    assertThat(report.getInt("nodes")).isEqualTo(3);
    Config run = report.getConfigList("runs").get(0);
    assertThat(run.getString("scenario")).isEqualTo(scenario);
    assertThat(run.getInt("asks")).isPositive();
    assertThat(run.getInt("tells")).isPositive();
    return run;
  }

  @Test
  @Timeout(300)
  void shouldAccountForAllMessagesWhenANodeIsKilledAndComesBack() {
    Config run = quick("kill");

    assertThat(run.getInt("replaced")).isEqualTo(1);
    assertThat(run.getInt("phases")).isEqualTo(2);
    assertThat(run.getInt("tagged")).isPositive();
    assertThat(run.getInt("elements")).isPositive();
  }

  @Tag("exhaustive")
  @Timeout(300)
  @ParameterizedTest
  @ValueSource(strings = {"same", "fabric-on", "fabric-off", "pause"})
  void shouldAccountForAllMessagesOfOtherRolls(String scenario) {
    assertThat(quick(scenario).getStringList("troubles")).isEmpty();
  }

  @Tag("exhaustive")
  @Timeout(300)
  @Test
  void shouldFindWhatANodeDoesWrong() {
    Config report = run("roll", "--self-test", "--json");

    assertThat(report.getConfigList("runs")).hasSize(5).allMatch(each -> each.getBoolean("found"));
  }
}
