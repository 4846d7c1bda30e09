package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cli.Tagfabric;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Six cases, or all of them once where everything is tested; `tagfabric exit-suite` runs them with
 * more ranks and in both orders.
 */
@Tag("jvms")
class ExitSuiteTest {
  private static final int CASES = 32;
  private static final long CASE_S = 20;

  /**
   * One of each sort: a return, an exit beside a spinning rank, one before the meeting, one out of
   * threads, a failure of the library, a signal.
   */
  private static final List<Integer> SIX = List.of(2, 5, 7, 16, 102, 103);

  @TempDir Path directory;

  @Test
  @Timeout(6 * 25)
  void shouldEndInSixWaysAsItSays() {
    String cases = SIX.stream().map(Object::toString).collect(Collectors.joining(","));
    try (Command command =
        Command.tagfabric(
            directory, "exit-suite", "--cases", cases, "--ranks=2", "--order=reverse", "--json")) {
      Command.Result result = command.end(Duration.ofSeconds(SIX.size() * CASE_S));

      assertThat(result.code()).as(result.out() + result.err()).isZero();
      List<Config> rows = rows(result);
      assertThat(rows).extracting(row -> row.getInt("case")).containsExactlyElementsOf(SIX);
      assertThat(rows).extracting(row -> row.getString("result")).containsOnly("pass");
    }
  }

  @Tag("exhaustive")
  @Test
  @Timeout(CASES * 25)
  void shouldEndInAllWaysAsItSays() {
    try (Command command =
        Command.tagfabric(
            directory, "exit-suite", "--ranks", "2", "--order", "reverse", "--json")) {
      Command.Result result = command.end(Duration.ofSeconds(CASES * CASE_S));

      assertThat(result.code()).as(result.out() + result.err()).isZero();
      List<Config> rows = rows(result);
      assertThat(rows).hasSize(CASES);
      assertThat(rows).extracting(row -> row.getString("result")).containsOnly("pass");
    }
  }

  @Test
  @Timeout(60)
  void shouldGoOnAfterAJobThatCannotStart() {
    String flag = "-XX:NoSuchFlag";
    try (Command command =
        Command.start(
            directory,
            Map.of("TAGFABRIC_JVM_OPTS", flag),
            Tagfabric.class,
            "exit-suite",
            "--cases=3,113",
            "--ranks=1",
            "--order=forward",
            "--json")) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(1);
      List<Config> rows = rows(result);
      assertThat(rows).extracting(row -> row.getInt("case")).containsExactly(3, 113);
      assertThat(rows).extracting(row -> row.getInt("code")).containsOnly(-1);
      assertThat(rows).extracting(row -> row.getString("result")).containsOnly("FAIL");
      assertThat(rows).allSatisfy(row -> assertThat(reasons(row)).contains("could not start"));
      assertThat(result.err()).contains("Unrecognized VM option 'NoSuchFlag'");
    }
  }

  @Tag("exhaustive")
  @Test
  @Timeout(90)
  void shouldFailWhenTheLimitEndsTheJob() {
    try (Command command =
        Command.tagfabric(
            directory,
            "exit-suite",
            "--cases=103,105",
            "--ranks=2",
            "--order=forward",
            "--limit=1",
            "--json")) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(1);
      assertThat(rows(result))
          .hasSize(2)
          .allSatisfy(row -> assertThat(row.getString("result")).isEqualTo("FAIL"));
    }
  }

  @Tag("exhaustive")
  @Test
  @Timeout(90)
  void shouldFailJobsThatNeverForm() {
    try (Command command =
        Command.start(
            directory,
            Map.of("TAGFABRIC_JOB_START_TIMEOUT", "100 ms"),
            Tagfabric.class,
            "exit-suite",
            "--cases=1,103,109",
            "--ranks=2",
            "--order=reverse",
            "--json")) {
      Command.Result result = command.end();

      assertThat(result.code()).isEqualTo(1);
      assertThat(rows(result))
          .hasSize(3)
          .allSatisfy(row -> assertThat(reasons(row)).contains("formed: "));
    }
  }

  @Test
  @Timeout(60)
  void shouldSayWhatEachCaseRequires() {
    try (Command command = Command.tagfabric(directory, "exit-suite", "--list", "--json")) {
      Command.Result result = command.end();

      assertThat(result.code()).isZero();
      assertThat(rows(result))
          .hasSize(CASES)
          .allSatisfy(row -> assertThat(row.getString("requires")).startsWith("code "));
    }
  }

  private static List<Config> rows(Command.Result result) {
    return result.lines().stream().map(ConfigFactory::parseString).toList();
  }

  private static String reasons(Config row) {
    return String.join("; ", row.getStringList("reasons"));
  }
}
