package io.tagfabric.cluster.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Described;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JobSpecTest {
  private static final UUID KEY = UUID.fromString("0fff0fff-0000-0000-0000-0fff0fff0fff");

  @Test
  void shouldComeBackFromTheEnvironmentWhenLaunched() {
    JobSpec spec =
        new JobSpec(
            KEY,
            2,
            4,
            "127.0.0.2",
            4002,
            "127.0.0.1",
            4000,
            77,
            Optional.of(Path.of("/dev/shm/x y/aeron")),
            Profile.TCP);

    assertThat(read(spec.toEnvironment())).isEqualTo(spec);
  }

  @Test
  void shouldBeAJobOfOneRankWithItsOwnKeyWhenNothingIsSet() {
    JobSpec first = read(Map.of());
    JobSpec second = read(Map.of());

    assertThat(first.size()).isEqualTo(1);
    assertThat(first.rank()).isZero();
    assertThat(first.launcherPid()).isZero();
    assertThat(first.aeronDirectory()).isEmpty();
    assertThat(first.profile()).isEqualTo(Profile.AERON);
    assertThat(first.jobKey()).isNotEqualTo(second.jobKey());
  }

  @Test
  void shouldListenOnTheSeedPortWhenRankZeroIsStartedByHand() {
    JobSpec spec =
        read(
            Map.of(
                "TAGFABRIC_JOB_KEY", KEY.toString(),
                "TAGFABRIC_JOB_SIZE", "2",
                "TAGFABRIC_JOB_SEED_PORT", "4000"));

    assertThat(spec.port()).isEqualTo(4000);
    assertThat(spec.isSeed()).isTrue();
  }

  @Test
  void shouldAskForTheKeyWhenSeveralRanksHaveNone() {
    assertThatThrownBy(
            () -> read(Map.of("TAGFABRIC_JOB_SIZE", "2", "TAGFABRIC_JOB_SEED_PORT", "4000")))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "tagfabric.job.key: size=2 > 1 but the job has no key, set TAGFABRIC_JOB_KEY to the"
                + " same UUID in all ranks");
  }

  @Test
  void shouldAskForTheSeedPortWhenSeveralRanksHaveNone() {
    assertThatThrownBy(
            () -> read(Map.of("TAGFABRIC_JOB_SIZE", "2", "TAGFABRIC_JOB_KEY", KEY.toString())))
        .hasMessage(
            "tagfabric.job.seed-port: size=2 > 1 but the port of rank 0 is not known, set"
                + " TAGFABRIC_JOB_SEED_PORT to the same port in all ranks");
  }

  @Test
  void shouldRefuseARankThatTheJobDoesNotHave() {
    assertThatThrownBy(() -> read(Map.of("TAGFABRIC_JOB_RANK", "1")))
        .hasMessage("tagfabric.job.rank: rank=1 is not within size=1, number the ranks from 0");
  }

  @Test
  void shouldRefuseTwoPortsForRankZero() {
    assertThatThrownBy(
            () -> read(Map.of("TAGFABRIC_JOB_PORT", "1", "TAGFABRIC_JOB_SEED_PORT", "2")))
        .hasMessage("tagfabric.job.port: port=1 != seed-port=2 in rank 0, give one of the two");
  }

  @Test
  void shouldHaveACommentForEverySetting() {
    Settings settings = Settings.of(ConfigFactory.empty(), Map.of());

    assertThat(settings.describe(JobSettings.ALL)).extracting(Described::help).doesNotContain("");
  }

  @Test
  void shouldSayHowAProcessEnded() {
    assertThat(ExitCode.describe(0)).isEqualTo("ended");
    assertThat(ExitCode.describe(3)).isEqualTo("exited with code 3");
    assertThat(ExitCode.describe(ExitCode.KILLED))
        .isEqualTo("ended with 137 (exit code or SIGKILL)");
    assertThat(ExitCode.describe(143)).isEqualTo("ended with 143 (exit code or SIGTERM)");
  }

  private static JobSpec read(Map<String, String> environment) {
    return JobSpec.fromSettings(Settings.of(ConfigFactory.empty(), environment));
  }
}
