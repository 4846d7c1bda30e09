package io.tagfabric.bench.measure;

import io.tagfabric.report.Measurement;
import java.util.Locale;

/** What a benchmark of messages measures and in which unit runs are compared. */
public enum TransferKind {
  /** A message goes and comes back; a transfer is half the round trip. */
  LATENCY(2, "usec_per_xfer") {
    @Override
    public double value(Measurement measured) {
      return measured.usecPerTransfer();
    }
  },
  /** Messages go one way, as many under way as the window allows. */
  RATE(1, "msgs_per_s") {
    @Override
    public double value(Measurement measured) {
      return measured.transfersPerSecond();
    }
  },
  /** The same with long messages; their bytes count. */
  BANDWIDTH(1, "mb_per_s") {
    @Override
    public double value(Measurement measured) {
      return measured.megabytesPerSecond();
    }
  },
  /** Long messages both ways at once; the bytes of both count. */
  BIBW(2, "mb_per_s") {
    @Override
    public double value(Measurement measured) {
      return measured.megabytesPerSecond();
    }
  };

  private final int transfersPerIteration;
  private final String unit;

  TransferKind(int transfersPerIteration, String unit) {
    this.transfersPerIteration = transfersPerIteration;
    this.unit = unit;
  }

  /** Messages of one iteration. */
  public int transfersPerIteration() {
    return transfersPerIteration;
  }

  /** Unit of {@link #value}. */
  public String unit() {
    return unit;
  }

  /** What a run is judged by. */
  public abstract double value(Measurement measured);

  /** Whether messages go within a window. */
  public boolean isStream() {
    return this != LATENCY;
  }

  /** What the end that does not begin has to do. */
  Order.Work farWork() {
    return switch (this) {
      case LATENCY -> Order.Work.PONG;
      case RATE, BANDWIDTH -> Order.Work.DRAIN;
      case BIBW -> Order.Work.BOTH_WAYS;
    };
  }

  /** Messages between two spans that a {@link Subject} records. */
  int transfersPerSpan(int window) {
    return isStream() ? transfersPerIteration * half(window) : 2;
  }

  /** Messages that the receiver acknowledges together. */
  public static int half(int window) {
    return Math.max(1, window / 2);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
