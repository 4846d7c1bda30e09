package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.progress.CoreSet;
import org.junit.jupiter.api.Test;

/** Which cores the setting {@code tagfabric.progress.affinity} stands for. */
class ProgressAffinityTest {
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  @Test
  void shouldBindNobodyByDefault() {
    assertThat(cores("")).isEqualTo(CoreSet.NONE);
  }

  @Test
  void shouldGiveEachRankACoreOfItsOwn() {
    int last = CORES - 1;

    assertThat(cores(job("auto", CORES, last))).isEqualTo(CoreSet.allowed().nth(last));
  }

  @Test
  void shouldBindNobodyWhereRanksOutnumberCores() {
    assertThat(cores(job("auto", CORES + 1, 0))).isEqualTo(CoreSet.NONE);
  }

  @Test
  void shouldTakeASetAsItIs() {
    assertThat(cores("tagfabric.progress.affinity = \"-1\""))
        .isEqualTo(CoreSet.of(CoreSet.allowed().length() - 1));
  }

  @Test
  void shouldNameTheSettingThatIsWrong() {
    assertThatThrownBy(() -> cores("tagfabric.progress.affinity = everywhere"))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "tagfabric.progress.affinity=everywhere: [everywhere] is no set of cores, write numbers"
                + " as in 0:3 or 1:7:2,12");
  }

  private static String job(String affinity, int size, int rank) {
    return "tagfabric { progress.affinity = "
        + affinity
        + ", job { size = "
        + size
        + ", rank = "
        + rank
        + " } }";
  }

  private static CoreSet cores(String configuration) {
    return FabricSettings.progress(
            Settings.of(
                ConfigFactory.parseString(configuration).withFallback(ConfigFactory.load())))
        .cores();
  }
}
