package io.tagfabric.bench.measure;

/**
 * Matching at a depth, as seen from both ends: messages with labels 0 to {@code depth - 1}, taken
 * in the reverse order, which is the worst for a list.
 */
public final class MatchExchange {
  static final int BYTES = 8;

  private MatchExchange() {}

  /** Waits until receives are posted, sends to them in reverse, waits until all have matched. */
  static long sendToPosted(TaggedEnd end, int depth) {
    end.begin(BYTES, Order.ANSWER_BYTES);
    end.postReceive();
    end.postReceive();
    end.await(1);
    long beginNs = System.nanoTime();
    for (int label = depth - 1; label >= 0; label--) {
      end.send(label);
    }
    end.await(2);
    return System.nanoTime() - beginNs;
  }

  /** The other end of {@link #sendToPosted}. */
  static void receivePosted(TaggedEnd end, int depth) {
    end.begin(Order.ANSWER_BYTES, BYTES);
    for (int label = 0; label < depth; label++) {
      end.postReceive(label);
    }
    end.send();
    end.await(depth);
    end.send();
  }

  /** Sends messages for which nothing is posted; the far end measures and says how long it took. */
  static long sendUnexpected(TaggedEnd end, int depth) {
    end.begin(BYTES, Order.ANSWER_BYTES);
    end.postReceive();
    for (int label = 0; label < depth; label++) {
      end.send(label);
    }
    // messages of a pair keep their order: when this one has come, all have
    end.send();
    end.await(1);
    return end.incoming().getLong(0);
  }

  /** The other end of {@link #sendUnexpected}. */
  static void receiveUnexpected(TaggedEnd end, int depth) {
    end.begin(Order.ANSWER_BYTES, BYTES);
    end.postReceive();
    end.await(1);
    long elapsedNs = takeUnexpected(end, depth);
    end.outgoing().putLong(0, elapsedNs);
    end.send();
  }

  /** Posts receives in reverse for messages that wait; one more has been received before. */
  static long takeUnexpected(TaggedEnd end, int depth) {
    long beginNs = System.nanoTime();
    for (int label = depth - 1; label >= 0; label--) {
      end.postReceive(label);
    }
    end.await(1 + depth);
    return System.nanoTime() - beginNs;
  }

  /** The other end of {@link #sendUnexpected} if it looks for messages. */
  static void receiveProbed(ProbingEnd end, int depth) {
    end.begin(Order.ANSWER_BYTES, BYTES);
    end.postReceive();
    end.await(1);
    long elapsedNs = probe(end, depth);
    end.outgoing().putLong(0, elapsedNs);
    end.send();
  }

  /**
   * Looks for the last of the messages that wait, one look after the other, then takes all; one
   * more has been received before.
   *
   * @return nanoseconds of all looks
   */
  private static long probe(ProbingEnd end, int depth) {
    int count = 1;
    long beginNs = System.nanoTime();
    for (int look = 0; look < MatchKind.LOOKS; look++) {
      end.probe(depth - 1);
      end.await(++count);
    }
    long elapsedNs = System.nanoTime() - beginNs;
    for (int label = 0; label < depth; label++) {
      end.postReceive(label);
    }
    end.await(count + depth);
    return elapsedNs;
  }

  /** Both ends of {@link MatchKind#PROBE} moved by one thread. */
  public static long probedAlone(TaggedEnd near, ProbingEnd far, int depth) {
    sendAlone(near, far, depth);
    return probe(far, depth);
  }

  /** Both ends of {@link MatchKind#POSTED} moved by one thread. */
  public static long postedAlone(TaggedEnd near, TaggedEnd far, int depth) {
    near.begin(BYTES, BYTES);
    far.begin(BYTES, BYTES);
    for (int label = 0; label < depth; label++) {
      far.postReceive(label);
    }
    // posts made while the loop was busy are still on their way
    far.poll();
    long beginNs = System.nanoTime();
    for (int label = depth - 1; label >= 0; label--) {
      near.send(label);
    }
    far.await(depth);
    return System.nanoTime() - beginNs;
  }

  /** Both ends of {@link MatchKind#UNEXPECTED} moved by one thread. */
  public static long unexpectedAlone(TaggedEnd near, TaggedEnd far, int depth) {
    sendAlone(near, far, depth);
    return takeUnexpected(far, depth);
  }

  /** Messages come for which nothing is posted, and one more. */
  private static void sendAlone(TaggedEnd near, TaggedEnd far, int depth) {
    near.begin(BYTES, BYTES);
    far.begin(BYTES, BYTES);
    far.postReceive();
    for (int label = 0; label < depth; label++) {
      near.send(label);
    }
    near.send();
    far.await(1);
  }
}
