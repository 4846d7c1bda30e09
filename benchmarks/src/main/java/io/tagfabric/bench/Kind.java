package io.tagfabric.bench;

import io.tagfabric.cluster.report.Measurement;
import java.util.Locale;

/** What a benchmark measures and in which unit runs are compared. */
enum Kind {
  /** A message goes and comes back; a transfer is half the round trip. */
  LATENCY(2, "usec_per_xfer") {
    @Override
    double value(Measurement measured) {
      return measured.usecPerTransfer();
    }
  },
  /** Messages go one way, as many under way as the window allows. */
  RATE(1, "msgs_per_s") {
    @Override
    double value(Measurement measured) {
      return measured.transfersPerSecond();
    }
  };

  private final int transfersPerIteration;
  private final String unit;

  Kind(int transfersPerIteration, String unit) {
    this.transfersPerIteration = transfersPerIteration;
    this.unit = unit;
  }

  int transfersPerIteration() {
    return transfersPerIteration;
  }

  String unit() {
    return unit;
  }

  /** What a run is judged by. */
  abstract double value(Measurement measured);

  /** Messages between two spans that a {@link Subject} records. */
  int transfersPerSpan(int window) {
    return this == LATENCY ? 2 : half(window);
  }

  /** Messages that the receiver acknowledges together. */
  static int half(int window) {
    return Math.max(1, window / 2);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
