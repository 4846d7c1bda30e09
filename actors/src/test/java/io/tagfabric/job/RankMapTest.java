package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.address.EndpointAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RankMapTest {
  /** Ranks by host and JVM, such as "a1". */
  private static RankMap map(String... places) {
    List<EndpointAddress> addresses = new ArrayList<>();
    List<String> hosts = new ArrayList<>();
    for (String place : places) {
      int rank = hosts.size();
      addresses.add(new EndpointAddress(rank, 0, "rank-" + rank, "node", place, Map.of()));
      hosts.add(place.substring(0, 1));
    }
    return RankMap.of(addresses, hosts, hosts);
  }

  @Test
  void shouldNumberHostsAndVmsInTheOrderOfTheirLowestRank() {
    RankMap map = map("b1", "a1", "b1", "a2", "b3");

    assertThat(map.hosts()).isEqualTo(2);
    assertThat(map.locality(0)).isEqualTo(new Locality(0, 0));
    assertThat(map.locality(1)).isEqualTo(new Locality(1, 1));
    assertThat(map.locality(2)).isEqualTo(new Locality(0, 0));
    assertThat(map.locality(3)).isEqualTo(new Locality(1, 2));
    assertThat(map.locality(4)).isEqualTo(new Locality(0, 3));
  }

  @Test
  void shouldListTheRanksOfAHost() {
    RankMap map = map("b1", "a1", "b1", "a2", "b3");

    assertThat(map.ranksOn(0)).containsExactly(0, 2, 4);
    assertThat(map.ranksOn(1)).containsExactly(1, 3);
    assertThatThrownBy(() -> map.ranksOn(2)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void shouldTellWhetherTwoRanksAreTogether() {
    RankMap map = map("a1", "a1", "a2", "b3");

    assertThat(map.locality(0).isInVmOf(map.locality(1))).isTrue();
    assertThat(map.locality(0).isInVmOf(map.locality(2))).isFalse();
    assertThat(map.locality(0).isOnHostOf(map.locality(2))).isTrue();
    assertThat(map.locality(0).isOnHostOf(map.locality(3))).isFalse();
  }
}
