package io.tagfabric.bench.ours;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.bench.measure.Subject;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.progress.ProgressMode;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalSubjectTest {
  @ParameterizedTest
  @CsvSource({"MANUAL, 1", "MANUAL, 2", "AUTO, 1", "AUTO, 2"})
  void shouldMeasureEveryRoundTrip(ProgressMode mode, int threads) {
    Histogram spansNs = new Histogram(3);
    try (LocalPair pair = new LocalPair(mode, threads)) {
      Subject subject = new LocalSubject(pair, TransferKind.LATENCY, threads, 1);

      subject.run(8, 3, new Histogram(3));
      long elapsedNs = subject.run(100_000, 7, spansNs);

      assertThat(spansNs.getTotalCount()).isEqualTo(7);
      assertThat(elapsedNs).isPositive();
      assertThat(pair.near().received()).isEqualTo(7);
      assertThat(pair.far().received()).isEqualTo(7);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MANUAL, 1, 64, 320", "MANUAL, 2, 64, 320", "AUTO, 1, 64, 320", "AUTO, 2, 64, 320",
    "MANUAL, 1, 1, 5", "MANUAL, 2, 1, 5", "MANUAL, 1, 1000, 500", "MANUAL, 2, 7, 9"
  })
  void shouldMoveAllMessagesBothWays(ProgressMode mode, int threads, int window, int messages) {
    Histogram spansNs = new Histogram(3);
    try (LocalPair pair = new LocalPair(mode, threads)) {
      Subject subject = new LocalSubject(pair, TransferKind.BIBW, threads, window);

      subject.run(8, TransferKind.half(window), new Histogram(3));
      long elapsedNs = subject.run(100_000, messages, spansNs);

      assertThat(elapsedNs).isPositive();
      assertThat(spansNs.getTotalCount()).isEqualTo(messages / TransferKind.half(window));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MANUAL, 1, 64, 320", "MANUAL, 2, 64, 320", "AUTO, 1, 64, 320", "AUTO, 2, 64, 320",
    "MANUAL, 1, 1, 5", "MANUAL, 2, 1, 5", "MANUAL, 1, 1000, 500", "MANUAL, 2, 7, 9"
  })
  void shouldMeasureEveryHalfWindow(ProgressMode mode, int threads, int window, int messages) {
    Histogram spansNs = new Histogram(3);
    try (LocalPair pair = new LocalPair(mode, threads)) {
      Subject subject = new LocalSubject(pair, TransferKind.RATE, threads, window);

      subject.run(8, TransferKind.half(window), new Histogram(3));
      subject.run(8, messages, spansNs);

      assertThat(spansNs.getTotalCount()).isEqualTo(messages / TransferKind.half(window));
      assertThat(pair.far().received()).isEqualTo(messages);
    }
  }
}
