package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.flow.window.FlowPace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the settings of {@code tagfabric.flow} become the pace of an endpoint's flows. */
class FlowPaceSettingsTest {
  private static FlowPace pace(String configuration) {
    return FabricDefaults.endpoint(
            Settings.of(
                ConfigFactory.parseString(configuration).withFallback(ConfigFactory.load())))
        .flow()
        .pace();
  }

  @Test
  void shouldBeTheDefaultIfNothingIsSet() {
    assertThat(pace("")).isEqualTo(FlowPace.DEFAULT);
  }

  @Test
  void shouldTakeEachNumberToItsPlace() {
    assertThat(
            pace(
                "tagfabric.flow { max-pings = 11, max-congested-pings = 7, connect-retry-min = 3 ms,"
                    + " connect-retry-max = 9 ms, window-packets-total = 5 }"))
        .isEqualTo(new FlowPace(11, 7, 3_000_000, 9_000_000, 5));
  }

  @Test
  void shouldAskNoMoreFlowsWhenAChannelIsFullThanOtherwise() {
    assertThat(new FlowPace(3, 5, 1, 1, 0).pings(true)).isEqualTo(3);
    assertThat(new FlowPace(5, 3, 1, 1, 0).pings(true)).isEqualTo(3);
    assertThat(new FlowPace(5, 3, 1, 1, 0).pings(false)).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"connect-retry-min = 2 s", "connect-retry-max = 49 ms"})
  void shouldRefuseAShortestDistanceAboveTheLongest(String setting) {
    assertThatThrownBy(() -> pace("tagfabric.flow." + setting))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "flow.connect-retry-min", "flow.connect-retry-max", "lower the one or raise the other");
  }
}
