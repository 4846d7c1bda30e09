package io.tagfabric.simulation.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.error.FabricError;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.choice.Sites;
import io.tagfabric.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DialsTest {
  private static final int SEEDS = 32;

  @Test
  void shouldCloseBothSidesWhenEachHasDialledInVainAndOneHasWaitedForTheOther() {
    List<Dials.What> heard = new ArrayList<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      Choices choices = Choices.of(seed);
      Sites sites = new Sites(choices);
      Scheduler scheduler = new Scheduler(choices);
      SimulatedNetwork network = new SimulatedNetwork(scheduler, sites, NetworkWatcher.NONE);
      Dials dials = new Dials(network, (what, node, peer) -> heard.add(what));
      sites.arm(Site.DIAL_SILENT, 1_000);
      sites.on();
      Dials.Side one = dials.side(0, 1);
      Dials.Side other = dials.side(1, 0);

      one.dial();
      other.dial();
      scheduler.runUntilQuiet(Long.MAX_VALUE);

      for (Dials.Side each : List.of(one, other)) {
        assertThat(each.closedBecause())
            .as("seed %d", seed)
            .matches("there is no connection, .+|neither side's dial has brought a connection");
        assertThat(each.closedWith()).isEqualTo(FabricError.HOST_UNREACHABLE);
      }
    }

    assertThat(heard).contains(Dials.What.FAILED, Dials.What.BOTH_FAILED);
  }
}
