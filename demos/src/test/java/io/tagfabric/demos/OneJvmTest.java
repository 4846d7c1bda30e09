package io.tagfabric.demos;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.report.Report;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OneJvmTest {
  @ParameterizedTest
  @CsvSource({"AUTO, 5", "MANUAL,", "MANUAL, 0", "MANUAL, 5"})
  void shouldPlayEverySizeWithItsBytesVerified(ProgressMode mode, Integer warmUp) {
    play(mode, warmUp);
  }

  @Test
  @Tag("exhaustive")
  void shouldPlayUntilTheProgressThreadIsSteady() {
    play(ProgressMode.AUTO, null);
  }

  private static void play(ProgressMode mode, Integer warmUp) {
    StringWriter text = new StringWriter();

    try (OneJvm court = new OneJvm(mode, true)) {
      Report report = Report.json(new PrintWriter(text), Map.of());
      new Rally(List.of(0, 64, 100_000), 3, warmUp, report).play(court);
    }

    List<Config> rows = text.toString().lines().map(ConfigFactory::parseString).toList();
    assertThat(rows).extracting(row -> row.getInt("bytes")).containsExactly(0, 64, 100_000);
    assertThat(rows).extracting(row -> row.getInt("iters")).containsOnly(3);
    assertThat(rows).extracting(row -> row.getString("provider")).containsOnly("local");
  }
}
