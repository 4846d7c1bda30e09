package io.tagfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.cluster.host.StartPhase;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartReportTest {
  @Test
  void shouldSayNothingWhenTheStartIsQuick() {
    StartReport report = new StartReport(2, rank -> "", true);

    assertThat(report.tell(1999, Map.of())).isEmpty();
  }

  @Test
  void shouldTellWhoIsWhereAndThenOnlyWhatIsNew() {
    StartReport report = new StartReport(3, rank -> rank == 2 ? " on b" : " on a", true);

    assertThat(report.tell(2000, Map.of(0, StartPhase.MEETING, 1, StartPhase.MEETING)))
        .isEqualTo(
            "starting for 2 s: rank 2 on b starts its JVM; each of 2 ranks (0 on a, 1 on a) waits"
                + " for the others");
    assertThat(report.tell(3000, Map.of())).isEmpty();
    assertThat(report.tell(4000, Map.of(0, StartPhase.MEETING, 1, StartPhase.MEETING))).isEmpty();
    assertThat(
            report.tell(
                8000, Map.of(0, StartPhase.MEETING, 1, StartPhase.MEETING, 2, StartPhase.SYSTEM)))
        .startsWith("starting for 8 s: rank 2 on b starts its ActorSystem; each of 2 ranks");
  }

  @Test
  void shouldWaitLongerWhereNobodyLooks() {
    StartReport report = new StartReport(1, rank -> "", false);

    assertThat(report.tell(19_999, Map.of())).isEmpty();
    assertThat(report.tell(20_000, Map.of())).isEqualTo("starting for 20 s: rank 0 starts its JVM");
  }
}
