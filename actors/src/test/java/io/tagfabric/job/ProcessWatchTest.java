package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.runtime.ProcessControl;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessWatchTest {
  private final BitSet dead = new BitSet();

  private int next(int rank, String... processes) {
    return ProcessWatch.next(rank, List.of(processes), dead);
  }

  @Test
  void shouldLookAfterTheNextRankAround() {
    assertThat(next(0, "ns 1-1", "ns 2-1", "ns 3-1")).isEqualTo(1);
    assertThat(next(2, "ns 1-1", "ns 2-1", "ns 3-1")).isEqualTo(0);

    dead.set(0);
    assertThat(next(2, "ns 1-1", "ns 2-1", "ns 3-1")).isEqualTo(1);
    dead.set(1);
    assertThat(next(2, "ns 1-1", "ns 2-1", "ns 3-1")).isEqualTo(-1);
  }

  @Test
  void shouldPassOverRanksOfItsOwnProcessAndOfOtherHosts() {
    assertThat(next(0, "ns 1-1", "ns 1-1", "other 2-1", "", "ns 4-1")).isEqualTo(4);
    assertThat(next(3, "ns 1-1", "ns 1-1", "other 2-1", "", "ns 4-1")).isEqualTo(-1);
    assertThat(next(2, "ns 1-1", "ns 1-1", "other 2-1", "", "ns 4-1")).isEqualTo(-1);
  }

  @Test
  void shouldNameThisProcess() {
    assertThat(ProcessControl.JVM.identity())
        .contains(Long.toString(ProcessHandle.current().pid()));
  }
}
