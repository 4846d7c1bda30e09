package io.tagfabric.simulation.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterRunTest {
  private static final int RUNS = 16;

  @Test
  void shouldKeepAllPromisesWhereAClusterSaysWhoIsThere() {
    List<String> violations = new ArrayList<>();
    Probes probes = new Probes();
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
      LongStream.iterate(1, seed -> seed + 1)
          .filter(seed -> Theme.draw(Choices.of(seed)) == Theme.CLUSTER)
          .limit(RUNS)
          .forEach(
              seed -> {
                Outcome outcome = Sweep.run(seed, SwarmOptions.DEFAULT, systems);
                probes.add(outcome.probes());
                if (outcome.violation() != null) {
                  violations.add(seed + ": " + outcome.violation());
                }
              });
    }

    assertThat(violations).isEmpty();
    assertThat(probes.missed())
        .doesNotContain(Probe.JOINED_LATE, Probe.STOOD_STILL, Probe.TOO_LONG);
  }

  /** Its node lives on, so no verdict of the cluster ends what was sent to it. */
  @ParameterizedTest
  @ValueSource(longs = {6958, 8794, 15634, 19063})
  void shouldEndWhatWaitsForAnEndpointWhoseGoodbyeWasLost(long seed) {
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
      assertThat(Sweep.run(seed, SwarmOptions.DEFAULT, systems).violation()).isNull();
    }
  }
}
