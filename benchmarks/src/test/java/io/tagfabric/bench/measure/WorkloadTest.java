package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {
  private static final Cell LATENCY = new Cell(Metric.LATENCY, 8, 1);
  private static final Cell POSTED = new Cell(Metric.MATCHING_POSTED, 100, 0);

  @Test
  void shouldReadWhatItHasWritten() {
    Workload workload = new Workload(10, 20, 30, 40, List.of(LATENCY, POSTED));

    List<String> words = workload.toWords();

    assertThat(words)
        .containsExactly("10", "20", "30", "40", "latency:8:1", "matching-posted:100:0");
    assertThat(Workload.parse(words)).isEqualTo(workload);
  }

  @Test
  void shouldRefuseWordsThatAreNoCell() {
    assertThatThrownBy(() -> Workload.parse(List.of("1", "2", "3", "4", "height:8:1")))
        .hasMessage("'height:8:1' is no cell");
  }

  @Test
  void shouldReadTheSampleThatAProgramPrints() {
    Sample sample = new Sample(Metric.RATE, 64, 1234567.5, 0.25, "");

    assertThat(sample.toLine()).isEqualTo("sample rate 64 1.23457e+06 0.250000");
    assertThat(Sample.parse(sample.toLine() + "\n"))
        .contains(new Sample(Metric.RATE, 64, 1234570, 0.25, ""));
    assertThat(sample.isOf(new Cell(Metric.RATE, 64, 1000))).isTrue();
    assertThat(sample.isOf(new Cell(Metric.RATE, 65, 1000))).isFalse();
  }

  @Test
  void shouldReadASampleWithItsMean() {
    Sample sample = new Sample(Metric.LATENCY, 8, 0.25, 0.5, 0.375, "");

    assertThat(sample.toLine()).isEqualTo("sample latency 8 0.250000 0.500000 0.375000");
    assertThat(Sample.parse(sample.toLine())).contains(sample);
    assertThat(Sample.parse("sample latency 8 1 2 3 4")).isEmpty();
  }

  @Test
  void shouldReadWhyACellWasLeftOut() {
    Sample sample = Sample.leftOut(POSTED, "it does not match by tags");

    Sample read = Sample.parse(sample.toLine()).orElseThrow();

    assertThat(read.isMeasured()).isFalse();
    assertThat(read.isOf(POSTED)).isTrue();
    assertThat(read.leftOutBecause()).isEqualTo("it does not match by tags");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sample latency 8",
        "sample latency eight 1 2",
        "sample latency 8 1",
        "sample latency 8 a b",
        "sample height 8 1 2",
        "simple latency 8 1 2"
      })
  void shouldPassOverOtherLines(String line) {
    assertThat(Sample.parse(line)).isEmpty();
  }
}
