package io.tagfabric.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A part of the exit suite; `tagfabric exit-suite` runs the whole. */
@Tag("jvms")
class ExitSuiteTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"'3,4', forward", "'7,10', reverse", "'14,18', forward", "'101,102,103', reverse"})
  void shouldEndAsItSays(String cases, String order) {
    try (Command command =
        Command.tagfabric(
            directory,
            "exit-suite",
            "--ranks",
            "3",
            "--order",
            order,
            "--cases",
            cases,
            "--json")) {
      Command.Result result = command.end();

      assertThat(result.code()).as(result.out() + result.err()).isZero();
      List<Config> rows = result.lines().stream().map(ConfigFactory::parseString).toList();
      assertThat(rows).hasSameSizeAs(cases.split(",", -1));
      assertThat(rows).extracting(row -> row.getString("result")).containsOnly("pass");
    }
  }
}
