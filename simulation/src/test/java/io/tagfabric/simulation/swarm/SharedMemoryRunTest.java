package io.tagfabric.simulation.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.choice.TraceHash;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedMemoryRunTest {
  private static final int SEEDS = 120;

  /** Senders are killed and held up in the midst of claims more often than a seed would draw. */
  private static final SwarmOptions KILLING =
      new SwarmOptions(
          3,
          120,
          SwarmOptions.Scheduling.BOTH,
          Map.of(Site.KILL_CLAIM, 8, Site.HOLD_CLAIM, 20),
          List.of());

  @Test
  void shouldKeepAllPromisesWhenSendersAreKilledInTheMidstOfClaims() {
    List<String> violations = new ArrayList<>();
    Probes probes = new Probes();
    int sharing = 0;
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
      for (long seed = 1; seed <= SEEDS; seed++) {
        Outcome outcome = Sweep.run(seed, KILLING, systems);
        sharing += outcome.mix().contains("share memory") ? 1 : 0;
        probes.add(outcome.probes());
        if (outcome.violation() != null) {
          violations.add(seed + ": " + outcome.violation());
        }
      }
    }

    assertThat(violations).isEmpty();
    assertThat(sharing).isBetween(SEEDS / 8, SEEDS / 2);
    assertThat(probes.missed())
        .doesNotContain(Probe.RING_FULL, Probe.RING_HELD, Probe.RING_KILLED, Probe.RING_REPAIRED);
    assertThat(probes.missed())
        .doesNotContain(
            Probe.LANE_TAKEN,
            Probe.LANE_NONE_FREE,
            Probe.LANE_READ,
            Probe.LANE_WRAPPED,
            Probe.LANE_FULL,
            Probe.LANE_KILLED);
  }

  @Test
  void shouldKeepAllPromisesWhenALaneIsTakenThatAKilledSenderHad() {
    SwarmOptions comingAgain =
        new SwarmOptions(
            3,
            120,
            SwarmOptions.Scheduling.BOTH,
            Map.of(Site.KILL_CLAIM, 8, Site.RESTART, 900),
            List.of());
    List<String> violations = new ArrayList<>();
    Probes probes = new Probes();
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
      for (long seed = 1; seed <= SEEDS; seed++) {
        Outcome outcome = Sweep.run(seed, comingAgain, systems);
        probes.add(outcome.probes());
        if (outcome.violation() != null) {
          violations.add(seed + ": " + outcome.violation());
        }
      }
    }

    assertThat(violations).isEmpty();
    assertThat(probes.runs(Probe.LANE_INHERITED)).isPositive();
  }

  @Test
  void shouldDoTheSameTwice() {
    try (SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty())) {
      for (long seed = 1; seed <= 20; seed++) {
        Outcome one = Sweep.run(seed, KILLING, systems);
        Outcome other = Sweep.run(seed, KILLING, systems);

        assertThat(TraceHash.firstDifference(one.hash(), other.hash())).isEqualTo(-1);
      }
    }
  }
}
