package io.tagfabric.bench.measure;

import java.util.Locale;
import java.util.Optional;

/** What a comparison measures, each with one figure a run. */
public enum Metric {
  /** Half a round trip: median in microseconds. */
  LATENCY("p50_us", TransferKind.LATENCY, null),
  /** Messages a second within a window. */
  RATE("msgs_per_s", TransferKind.RATE, null),
  /** Megabytes a second within a window. */
  BANDWIDTH("mb_per_s", TransferKind.BANDWIDTH, null),
  /** Megabytes a second of both directions together, each within a window. */
  BIBW("mb_per_s", TransferKind.BIBW, null),
  /** Half a round trip after a silence, to one that sleeps: median in microseconds. */
  WAKE("p50_us", null, null),
  /** Nanoseconds a message at a depth of posted receives. */
  MATCHING_POSTED("ns_per_message", null, MatchKind.POSTED),
  /** Nanoseconds a message at a depth of waiting messages. */
  MATCHING_UNEXPECTED("ns_per_message", null, MatchKind.UNEXPECTED),
  /** Microseconds until bytes are in the other side's memory, one write after the other. */
  RMA_WRITE("us_per_access", null, null),
  /** Microseconds until bytes of the other side's memory are here, one read after the other. */
  RMA_READ("us_per_access", null, null),
  /** Microseconds until a number is added to one there and the old one is here. */
  RMA_FETCH_ADD("us_per_access", null, null);

  private final String unit;
  private final TransferKind kind;
  private final MatchKind matchKind;

  Metric(String unit, TransferKind kind, MatchKind matchKind) {
    this.unit = unit;
    this.kind = kind;
    this.matchKind = matchKind;
  }

  /** Unit of the figure. */
  public String unit() {
    return unit;
  }

  /** Whether a smaller figure is the better one. */
  public boolean isTime() {
    return this != RATE && this != BANDWIDTH && this != BIBW;
  }

  /** Whether it is about matching, so that the number of a cell is a depth. */
  public boolean isMatching() {
    return matchKind != null;
  }

  /** Whether it accesses the other side's memory, so that there are no messages. */
  public boolean isAccess() {
    return this == RMA_WRITE || this == RMA_READ || this == RMA_FETCH_ADD;
  }

  public Optional<TransferKind> kind() {
    return Optional.ofNullable(kind);
  }

  MatchKind matchKind() {
    return matchKind;
  }

  /** The test that a word names. */
  static Optional<Metric> find(String word) {
    for (Metric metric : values()) {
      if (metric.toString().equals(word)) {
        return Optional.of(metric);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
