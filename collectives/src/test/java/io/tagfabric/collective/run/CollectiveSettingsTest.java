package io.tagfabric.collective.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.collective.algorithm.Collective;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CollectiveSettingsTest {
  private static CollectiveSettings read(String text) {
    return CollectiveSettings.of(
        Settings.of(ConfigFactory.parseString(text).withFallback(ConfigFactory.load())));
  }

  @Test
  void shouldHaveDefaultsThatForceNothing() {
    assertThat(read(""))
        .isEqualTo(
            new CollectiveSettings(
                false,
                true,
                SharedMemoryUse.BETWEEN_JVMS,
                64 * 1024,
                4,
                64 * 1024,
                4,
                Duration.ZERO,
                List.of(),
                Map.of()));
  }

  @Test
  void shouldReadWhatAPersonSets() {
    CollectiveSettings settings =
        read(
            """
            tagfabric.collective {
              checked = on, shared-cell = off, shared-memory = always, chunk-size = 4 KiB, slots = 8
              table = ["scan 4 1024 linear"]
              segment-size = 1 KiB, segments-in-flight = 2, timeout = 5 s
              algorithm { allreduce = ring, reduce-scatter = pairwise }
            }
            """);

    assertThat(settings)
        .isEqualTo(
            new CollectiveSettings(
                true,
                false,
                SharedMemoryUse.ALWAYS,
                4096,
                8,
                1024,
                2,
                Duration.ofSeconds(5),
                List.of("scan 4 1024 linear"),
                Map.of(Collective.ALLREDUCE, "ring", Collective.REDUCE_SCATTER, "pairwise")));
  }

  @Test
  void shouldSayWhichAlgorithmsThereAreWhenOneIsUnknown() {
    assertThatThrownBy(() -> read("tagfabric.collective.algorithm.scan = fast"))
        .hasMessage("algorithm=[fast] is none of scan, choose one of recursive-doubling, linear");
  }

  @Test
  void shouldSayWhatARuleIsWhenOneIsNone() {
    assertThatThrownBy(() -> read("tagfabric.collective.table = [scan 4 few linear]"))
        .hasMessageContaining("rule=[scan 4 few linear] is not a collective, ranks, bytes and");
    assertThatThrownBy(() -> read("tagfabric.collective.table = [scan 4 8 fast]"))
        .hasMessageContaining("algorithm=[fast] is none of scan");
  }
}
