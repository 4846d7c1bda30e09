package io.tagfabric.bench.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.collective.choose.DecisionTable;
import org.junit.jupiter.api.Test;

class TuneTableTest {
  private final TuneTable table = new TuneTable();

  @Test
  void shouldChangeTheAlgorithmInTheMiddleOfTwoSizes() {
    table.add("allreduce", 4, 100, "ring", 9);
    table.add("allreduce", 4, 100, "recursive-doubling", 3);
    table.add("allreduce", 4, 10_000, "ring", 10);
    table.add("allreduce", 4, 10_000, "recursive-doubling", 20);

    assertThat(table.rules())
        .containsExactly("allreduce 4 1000 recursive-doubling", "allreduce 4 any ring");
  }

  @Test
  void shouldKeepAnAlgorithmThatIsHardlySlower() {
    table.add("allreduce", 4, 100, "ring", 9);
    table.add("allreduce", 4, 100, "rabenseifner", 3);
    table.add("allreduce", 4, 10_000, "ring", 10);
    table.add("allreduce", 4, 10_000, "rabenseifner", 10.5);

    assertThat(table.rules()).containsExactly("allreduce 4 any rabenseifner");
  }

  @Test
  void shouldPutSmallTeamsFirstAndSayWhatTheSettingTakes() {
    table.add("scan", 8, 8, "linear", 1);
    table.add("scan", 2, 8, "recursive-doubling", 1);

    assertThat(table.rules()).containsExactly("scan 2 any recursive-doubling", "scan 8 any linear");
    assertThat(DecisionTable.parse(table.rules()).rules()).hasSize(2);
  }
}
