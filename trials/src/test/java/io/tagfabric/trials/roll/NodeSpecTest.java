package io.tagfabric.trials.roll;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeSpecTest {
  @ParameterizedTest
  @EnumSource
  void shouldReadTheArgumentsOfANode(Scenario scenario) {
    for (Build build : scenario.builds()) {
      NodeSpec spec =
          new NodeSpec(
              1,
              2,
              List.of(7, 8, 9),
              false,
              build,
              20,
              3,
              Path.of("/d"),
              Optional.of(Defect.LOST_TELL));

      NodeSpec read = NodeSpec.parse(spec.arguments().toArray(String[]::new));

      assertThat(read).isEqualTo(spec);
      assertThat(read.name()).isEqualTo("1.2");
      assertThat(read.port()).isEqualTo(8);
    }
  }

  @Test
  void shouldAgreeByProtocolAndAKeyInCommon() {
    assertThat(Build.OWN.agreesWith(Build.ofKeys(1, 2))).isTrue();
    assertThat(Build.ofKeys(1, 2).agreesWith(Build.ofKeys(2, 1))).isTrue();
    assertThat(Build.ofKeys(2).agreesWith(Build.OWN)).isFalse();
    assertThat(Build.OWN.agreesWith(Build.ofProtocol(8))).isFalse();
    assertThat(Build.OWN.agreesWith(Build.PLAIN)).isFalse();
    assertThat(Build.PLAIN.agreesWith(Build.PLAIN)).isFalse();
    assertThat(Build.allAgree(List.of(Build.OWN, Build.ofKeys(1, 2)))).isTrue();
    assertThat(Build.allAgree(List.of(Build.OWN, Build.PLAIN))).isFalse();
  }

  @Test
  void shouldShareAKeyInEachStateOfTheRollsOfAKey() {
    List<Build> builds = Scenario.KEYS.builds();
    for (int i = 1; i < builds.size(); i++) {
      assertThat(builds.get(i).agreesWith(builds.get(i - 1))).isTrue();
    }
  }

  @Test
  void shouldWriteKeysAsSettings() {
    assertThat(ConfigFactory.parseString("k = " + Build.OWN.jobKey()).getString("k"))
        .isEqualTo("00000000-0000-4000-8000-000000000001");
    assertThat(ConfigFactory.parseString("k = " + Build.ofKeys(2, 1).jobKey()).getStringList("k"))
        .containsExactly(
            "00000000-0000-4000-8000-000000000002", "00000000-0000-4000-8000-000000000001");
  }
}
