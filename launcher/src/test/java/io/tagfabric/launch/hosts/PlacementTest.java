package io.tagfabric.launch.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.cluster.settings.SettingsException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BLOCK  | a,b       | 4 | 0 0 1 1",
        "BLOCK  | a,b,c     | 5 | 0 0 1 1 2",
        "BLOCK  | a,b,c     | 2 | 0 1",
        "CYCLIC | a,b,c     | 5 | 0 1 2 0 1",
        "BLOCK  | a:1,b:3   | 3 | 0 1 1",
        "CYCLIC | a:1,b:3   | 4 | 0 1 1 1",
        "CYCLIC | a:3,b:1   | 4 | 0 1 0 0",
        "BLOCK  | a:2,b:2   | 2 | 0 0"
      })
  void shouldPlaceRanksOnHosts(Placement placement, String hosts, int ranks, String expected) {
    int[] hostOf = placement.place(ranks, HostList.ofOption(hosts));

    assertThat(Arrays.toString(hostOf).replaceAll("[\\[,\\]]", "")).isEqualTo(expected);
  }

  @Test
  void shouldRefuseMoreRanksThanSlots() {
    List<Host> hosts = HostList.ofOption("a:2,b:1");

    assertThatThrownBy(() -> Placement.BLOCK.place(4, hosts))
        .isInstanceOf(SettingsException.class)
        .hasMessage("ranks=4 > slots=3 of all hosts, start fewer or name more slots");
  }

  @Test
  void shouldResolveNamesAndRefuseHostsThatCannotReachEachOther() {
    assertThatThrownBy(() -> plan("localhost,127.0.0.1").resolved())
        .hasMessage(
            "hosts localhost and 127.0.0.1 have the same address=127.0.0.1, name one and give it"
                + " slots");
    assertThatThrownBy(() -> plan("localhost,192.0.2.7").resolved())
        .hasMessageContaining("host localhost has the loopback address=127.0.0.1")
        .hasMessageContaining("host 192.0.2.7 (address=192.0.2.7) cannot reach it");
    assertThatThrownBy(() -> plan("no-such-host.invalid").resolved())
        .hasMessageStartingWith("host no-such-host.invalid has no address here");
  }

  @Test
  void shouldTakeOnlyTheFirstHostsWhenFewerAreWanted() {
    assertThat(plan("a,b,c").first(2).hosts()).containsExactly(Host.named("a"), Host.named("b"));
    assertThatThrownBy(() -> plan("a").first(2))
        .hasMessage("-N: hosts=2 are wanted, but hosts=1 are named");
  }

  private static HostPlan plan(String hosts) {
    return new HostPlan(HostList.ofOption(hosts), Placement.BLOCK, new Spawner.Local());
  }
}
