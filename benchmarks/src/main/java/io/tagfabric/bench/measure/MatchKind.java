package io.tagfabric.bench.measure;

import java.util.Locale;

/** Which side waits when messages match. */
public enum MatchKind {
  /** Receives are posted, then their messages come in reverse order. */
  POSTED(Order.Work.MATCH_POSTED),
  /** Messages have come, then receives for them are posted in reverse order. */
  UNEXPECTED(Order.Work.MATCH_UNEXPECTED);

  private final Order.Work work;

  MatchKind(Order.Work work) {
    this.work = work;
  }

  Order.Work work() {
    return work;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
