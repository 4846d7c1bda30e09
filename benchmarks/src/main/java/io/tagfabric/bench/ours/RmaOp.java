package io.tagfabric.bench.ours;

import java.util.Locale;

/** What the benchmark of remote memory does. */
enum RmaOp {
  /** Bytes to the other side, until they are there. */
  WRITE(1),
  /** Bytes of the other side. */
  READ(2),
  /** Bytes with a signal, which the other side answers with the same. */
  WRITE_SIGNAL(3),
  /** Numbers that both sides add to. */
  FETCH_ADD(4),
  /** A tagged message, which the other side answers with the same. */
  TAGGED(5);

  private final int number;

  RmaOp(int number) {
    this.number = number;
  }

  /** What an order calls it. */
  int number() {
    return number;
  }

  /** The operation that an order calls so; null if there is none. */
  static RmaOp of(int number) {
    for (RmaOp each : values()) {
      if (each.number == number) {
        return each;
      }
    }
    return null;
  }

  /** The operation that people call so; null if there is none. */
  static RmaOp find(String name) {
    for (RmaOp each : values()) {
      if (each.toString().equals(name.toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
