package io.tagfabric.cluster.job;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerCheckTest {
  private static void check(Map<String, String> environment) {
    check(ConfigFactory.load(), environment);
  }

  private static void check(Config config, Map<String, String> environment) {
    Map<String, String> ours = new HashMap<>(environment);
    ours.keySet().removeIf(name -> !name.startsWith("TAGFABRIC_"));
    SchedulerCheck.check(Settings.of(config, ours), environment);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SLURM_STEP_NUM_TASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
  void shouldRefuseOneOfManyThatKnowsOfNoJob(String name) {
    assertThatThrownBy(() -> check(Map.of(name, "2")))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            name
                + "=2, but this process knows of no job with the others: start one `tagfabric run"
                + " -n 2` instead, or give each process TAGFABRIC_JOB_KEY and the other settings of"
                + " a rank; with TAGFABRIC_JOB_SIZE=1 each runs as a job of its own");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "", "2(x3)"})
  void shouldTakeWhatSaysNothingOfOthers(String size) {
    assertThatCode(() -> check(Map.of("PMI_SIZE", size))).doesNotThrowAnyException();
  }

  @Test
  void shouldTakeAProgramThatAScriptOfSlurmStarts() {
    assertThatCode(() -> check(Map.of("SLURM_NTASKS", "4", "SLURM_PROCID", "0")))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldTakeARankOfAJob() {
    String key = "00000000-0000-0000-0000-000000000001";

    assertThatCode(() -> check(Map.of("PMI_SIZE", "2", "TAGFABRIC_JOB_KEY", key)))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldTakeAJobOfOneWhoseSizeIsGiven() {
    Config config = ConfigFactory.parseString("tagfabric.job.size = 1");

    assertThatCode(() -> check(Map.of("PMI_SIZE", "2", "TAGFABRIC_JOB_SIZE", "1")))
        .doesNotThrowAnyException();
    assertThatCode(() -> check(config.withFallback(ConfigFactory.load()), Map.of("PMI_SIZE", "2")))
        .doesNotThrowAnyException();
  }
}
