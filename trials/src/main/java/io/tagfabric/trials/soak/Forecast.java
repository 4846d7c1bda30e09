package io.tagfabric.trials.soak;

import org.agrona.collections.LongArrayList;

/**
 * Decides which receive to post next and knows which message it will get: the earliest one that
 * fits and that no receive posted before gets.
 */
final class Forecast {
  private static final long ALL = (1L << MessageStream.TAGS) - 1;
  private static final int GROUP = 4;

  /** Numbers of one tag in order; taken from the front. */
  private static final class Numbers {
    private final LongArrayList list = new LongArrayList();
    private int next;

    long first() {
      return next == list.size() ? Long.MAX_VALUE : list.getLong(next);
    }

    void add(long number) {
      list.addLong(number);
    }

    void removeFirst() {
      next++;
      if (next == list.size()) {
        list.clear();
        next = 0;
      }
    }
  }

  private final MessageStream stream;
  private final Numbers[] untaken = new Numbers[MessageStream.TAGS];
  private long drawn;
  private long taken;
  private long tag;
  private long ignore;
  private long number;

  Forecast(MessageStream stream) {
    this.stream = stream;
    for (int i = 0; i < untaken.length; i++) {
      untaken[i] = new Numbers();
    }
  }

  /** Whether every message has a receive. */
  boolean isDone() {
    return taken == stream.count();
  }

  /**
   * Chooses the next receive: an exact tag, a group of tags or any.
   *
   * @param bits decide
   */
  void next(long bits) {
    int choice = (int) (bits & 15);
    long wanted = (bits >>> 4) & (MessageStream.TAGS - 1);
    if (choice < 9) {
      select(wanted, 0, 1L << wanted);
    } else if (choice < 12) {
      long first = wanted & -GROUP;
      select(first, GROUP - 1, ((1L << GROUP) - 1) << first);
    } else {
      select(0, -1, ALL);
    }
    if (number == Long.MAX_VALUE) {
      select(0, -1, ALL);
    }
    untaken[(int) stream.tag(number)].removeFirst();
    taken++;
  }

  private void select(long newTag, long newIgnore, long tags) {
    tag = newTag;
    ignore = newIgnore;
    number = Long.MAX_VALUE;
    for (int i = 0; i < untaken.length; i++) {
      if ((tags >>> i & 1) != 0) {
        number = Math.min(number, untaken[i].first());
      }
    }
    while (number == Long.MAX_VALUE && drawn < stream.count()) {
      long drawnTag = stream.tag(drawn);
      untaken[(int) drawnTag].add(drawn);
      if ((tags >>> drawnTag & 1) != 0) {
        number = drawn;
      }
      drawn++;
    }
  }

  /** Tag of the receive. */
  long tag() {
    return tag;
  }

  /** Bits of the tag it ignores. */
  long ignore() {
    return ignore;
  }

  /** The message it will get. */
  long number() {
    return number;
  }
}
