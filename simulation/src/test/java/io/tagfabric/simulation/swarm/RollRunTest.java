package io.tagfabric.simulation.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.TraceHash;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RollRunTest {
  private static final int RUNS = 12;

  private static LongStream rolls() {
    return LongStream.iterate(1, seed -> seed + 1)
        .filter(seed -> Theme.draw(Choices.of(seed)) == Theme.ROLL)
        .limit(RUNS);
  }

  @Test
  void shouldKeepAllPromisesWhileNodesAreReplaced() {
    List<String> violations = new ArrayList<>();
    Probes probes = new Probes();
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
      rolls()
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
        .doesNotContain(
            Probe.ROLL_LEFT,
            Probe.ROLL_KILLED,
            Probe.ROLL_PLAIN,
            Probe.ROLL_MOVED,
            Probe.ANNOUNCED_LATE);
  }

  @Test
  void shouldDoTheSameTwice() {
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
      rolls()
          .limit(3)
          .forEach(
              seed -> {
                Outcome one = Sweep.run(seed, SwarmOptions.DEFAULT, systems);
                Outcome other = Sweep.run(seed, SwarmOptions.DEFAULT, systems);

                assertThat(TraceHash.firstDifference(one.hash(), other.hash())).isEqualTo(-1);
              });
    }
  }
}
