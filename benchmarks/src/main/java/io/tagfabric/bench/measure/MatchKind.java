package io.tagfabric.bench.measure;

import java.util.Locale;

/** What is measured of matching: which side waits, or what a look costs. */
public enum MatchKind {
  /** Receives are posted, then their messages come in reverse order. */
  POSTED(Order.Work.MATCH_POSTED),
  /** Messages have come, then receives for them are posted in reverse order. */
  UNEXPECTED(Order.Work.MATCH_UNEXPECTED),
  /** Messages have come, then the last of them is looked for again and again; none is taken. */
  PROBE(Order.Work.MATCH_PROBED);

  /** Looks in a pass, so that the clock does not count where few messages wait. */
  static final int LOOKS = 1_000;

  private final Order.Work work;

  MatchKind(Order.Work work) {
    this.work = work;
  }

  /** How many operations the time of a pass is of. */
  int operations(int depth) {
    return this == PROBE ? LOOKS : depth;
  }

  Order.Work work() {
    return work;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
