package io.tagfabric.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.Sample;
import io.tagfabric.bench.measure.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EpollContenderTest {
  private final EpollContender here =
      new EpollContender(new ProgramFinder(System.getenv(), Path.of("/")), Optional.empty());

  private static Workload workload(Cell... cells) {
    return new Workload(1, 2, 5, 4, List.of(cells));
  }

  @Test
  void shouldMeasureEachCell() throws ContenderException {
    assumeTrue(here.missingBecause().isEmpty(), "needs a C compiler");
    Cell first = new Cell(Metric.WAKE, 8, 100);
    Cell second = new Cell(Metric.WAKE, 1024, 200);

    List<Sample> samples = here.run(workload(first, second));

    assertThat(samples).hasSize(2);
    assertThat(samples.get(0).isOf(first)).isTrue();
    assertThat(samples.get(1).isOf(second)).isTrue();
    assertThat(samples).allMatch(sample -> sample.value() > 0);
    assertThat(samples).allMatch(sample -> sample.p99Us() >= sample.value());
    assertThat(samples).allMatch(sample -> sample.meanUs() > 0);
  }

  @Test
  void shouldSayWhatTheProgramSaid() {
    assumeTrue(here.missingBecause().isEmpty(), "needs a C compiler");

    assertThatThrownBy(() -> here.run(workload(new Cell(Metric.WAKE, 5_000, 100))))
        .isInstanceOf(ContenderException.class)
        .hasMessage("epoll_peer: wake:5000:100 is no cell");
  }

  @Test
  void shouldNameThePackageOfTheCompiler() {
    ProgramFinder nothing = new ProgramFinder(Map.of("PATH", ""), Path.of("/"));

    assertThat(new EpollContender(nothing, Optional.empty()).missingBecause())
        .contains("no cc in PATH, install it with: apt-get install gcc");
  }
}
