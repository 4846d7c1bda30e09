package io.tagfabric.trials.exit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExitCaseTest {
  @Test
  void shouldSayOfEachCaseInOneLineWhatItRequires() {
    assertThat(ExitCase.ALL)
        .hasSize(32)
        .allSatisfy(
            each -> {
              assertThat(each.requires()).startsWith("code ").doesNotContain("\n");
              assertThat(each.evidence()).hasSizeGreaterThanOrEqualTo(2);
            });
  }

  @Test
  void shouldAcceptNoCodeThatALauncherGivesToJobsItHadToEnd() {
    assertThat(ExitCase.ALL)
        .allSatisfy(each -> assertThat(each.codes()).doesNotContain(-1, 124, 137, 143));
  }

  @Test
  void shouldTellWhatACaseRequires() {
    assertThat(ExitCase.of(112).requires())
        .isEqualTo(
            "code 1 or 134 or 135; the job forms; the last acts; the hooks of all but the last"
                + " run; that of the last does not");
    assertThat(ExitCase.of(7).requires()).isEqualTo("code 7; the last acts; all hooks run");
  }

  @Test
  void shouldExpectALonelyExitToTakeLonger() {
    ExitForecast forecast = new ExitForecast(2);
    Duration timeout = Duration.ofSeconds(3);

    assertThat(forecast.seconds(ExitCase.of(5), 2, timeout))
        .isGreaterThan(forecast.seconds(ExitCase.of(1), 2, timeout) + 3);
    assertThat(forecast.seconds(ExitCase.of(1), 4, timeout))
        .isGreaterThan(forecast.seconds(ExitCase.of(1), 2, timeout));
  }

  @Test
  void shouldTellTimesAsPeopleDo() {
    assertThat(ExitForecast.inWords(38.2)).isEqualTo("39 s");
    assertThat(ExitForecast.inWords(601)).isEqualTo("11 min");
  }
}
