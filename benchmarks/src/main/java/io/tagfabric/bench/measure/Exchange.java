package io.tagfabric.bench.measure;

import org.HdrHistogram.Histogram;

/** The patterns of exchange, as seen from both ends. */
public final class Exchange {
  private static final int ACKNOWLEDGEMENT_BYTES = 8;

  private Exchange() {}

  /**
   * Sends, waits for the answer, and again.
   *
   * @return how long it took, in ns, without what the histogram took
   */
  public static long ping(End end, int bytes, int iterations, Histogram spansNs) {
    end.begin(bytes, bytes);
    SpanNotes notes = new SpanNotes(iterations);
    long pausedNs = 0;
    long beginNs = System.nanoTime();
    long lastNs = beginNs;
    for (int i = 1; i <= iterations; i++) {
      end.send();
      end.postReceive();
      end.await(i);
      long nowNs = System.nanoTime();
      notes.add(nowNs - lastNs);
      lastNs = nowNs;
      if (notes.isFull()) {
        notes.moveTo(spansNs);
        lastNs = System.nanoTime();
        pausedNs += lastNs - nowNs;
      }
    }
    notes.moveTo(spansNs);
    return lastNs - beginNs - pausedNs;
  }

  /** Answers every message; each end posts its next receive while its own message travels. */
  public static void pong(End end, int bytes, int iterations) {
    end.begin(bytes, bytes);
    for (int i = 1; i <= iterations; i++) {
      end.postReceive();
      end.await(i);
      end.send();
    }
  }

  /** Sends messages one by one, each after a silence, and sleeps until it is answered. */
  public static void wake(End end, int bytes, int count, long gapNs, Histogram spansNs) {
    end.begin(bytes, bytes);
    for (int i = 1; i <= count; i++) {
      end.postReceive();
      Pause.of(gapNs);
      long beginNs = System.nanoTime();
      end.send();
      end.awaitAsleep(i);
      spansNs.recordValue(System.nanoTime() - beginNs);
    }
  }

  /** The other end of {@link #wake}. */
  public static void answerAsleep(End end, int bytes, int count) {
    end.begin(bytes, bytes);
    for (int i = 1; i <= count; i++) {
      end.postReceive();
      end.awaitAsleep(i);
      end.send();
    }
  }

  /** Sends messages, at most a window more than have been acknowledged by halves. */
  public static long stream(End end, int bytes, int messages, int window, Histogram spansNs) {
    int half = TransferKind.half(window);
    int acknowledgements = messages / half;
    end.begin(bytes, ACKNOWLEDGEMENT_BYTES);
    end.postReceive();
    long beginNs = System.nanoTime();
    long lastNs = beginNs;
    int sent = 0;
    for (int i = 1; i <= acknowledgements; i++) {
      int mayBeSent = Math.min(messages, (i - 1) * half + window);
      while (sent < mayBeSent) {
        end.send();
        sent++;
      }
      end.await(i);
      if (i < acknowledgements) {
        end.postReceive();
      }
      long nowNs = System.nanoTime();
      spansNs.recordValue(nowNs - lastNs);
      lastNs = nowNs;
    }
    return lastNs - beginNs;
  }

  /**
   * Sends and receives so many messages at once. What comes acknowledges what was sent: a message
   * leaves when no more than a window of those before it lacks one from the other end, counted by
   * halves. The clock stops when the other end says that it has all.
   */
  public static long bothWays(End end, int bytes, int messages, int window, Histogram spansNs) {
    end.begin(bytes, bytes);
    long beginNs = System.nanoTime();
    cross(end, messages, window, spansNs);
    end.begin(ACKNOWLEDGEMENT_BYTES, ACKNOWLEDGEMENT_BYTES);
    end.postReceive();
    end.await(1);
    return System.nanoTime() - beginNs;
  }

  /** The other end of {@link #bothWays}. */
  public static void bothWaysFar(End end, int bytes, int messages, int window) {
    end.begin(bytes, bytes);
    cross(end, messages, window, new Histogram(1));
    end.begin(ACKNOWLEDGEMENT_BYTES, ACKNOWLEDGEMENT_BYTES);
    end.send();
  }

  /** The other end may be a window ahead of what it acknowledges, so two windows are posted. */
  private static void cross(End end, int messages, int window, Histogram spansNs) {
    int half = TransferKind.half(window);
    int posted = 0;
    int sent = 0;
    long lastNs = System.nanoTime();
    for (int taken = 0; taken < messages; taken += half) {
      for (; posted < Math.min(messages, taken + 2 * window); posted++) {
        end.postReceive();
      }
      for (; sent < Math.min(messages, taken + window); sent++) {
        end.send();
      }
      end.await(taken + half);
      long nowNs = System.nanoTime();
      spansNs.recordValue(nowNs - lastNs);
      lastNs = nowNs;
    }
  }

  /** A {@link #ping} whose both ends one thread moves; each send is received before the next. */
  public static long pingAlone(End near, End far, int bytes, int iterations, Histogram spansNs) {
    near.begin(bytes, bytes);
    far.begin(bytes, bytes);
    far.postReceive();
    long beginNs = System.nanoTime();
    long lastNs = beginNs;
    for (int i = 1; i <= iterations; i++) {
      near.postReceive();
      near.send();
      far.await(i);
      if (i < iterations) {
        far.postReceive();
      }
      far.send();
      near.await(i);
      long nowNs = System.nanoTime();
      spansNs.recordValue(nowNs - lastNs);
      lastNs = nowNs;
    }
    return lastNs - beginNs;
  }

  /** A {@link #stream} whose both ends one thread moves. */
  public static long streamAlone(
      End near, End far, int bytes, int messages, int window, Histogram spansNs) {
    int half = TransferKind.half(window);
    near.begin(bytes, ACKNOWLEDGEMENT_BYTES);
    far.begin(ACKNOWLEDGEMENT_BYTES, bytes);
    near.postReceive();
    int posted = 0;
    int sent = 0;
    long beginNs = System.nanoTime();
    long lastNs = beginNs;
    for (int acknowledged = 0; acknowledged * half < messages; ) {
      while (posted < Math.min(messages, far.received() + window)) {
        far.postReceive();
        posted++;
      }
      while (sent < Math.min(messages, acknowledged * half + window)) {
        near.send();
        sent++;
      }
      far.await((acknowledged + 1) * half);
      far.send();
      acknowledged++;
      near.await(acknowledged);
      if (acknowledged * half < messages) {
        near.postReceive();
      }
      long nowNs = System.nanoTime();
      spansNs.recordValue(nowNs - lastNs);
      lastNs = nowNs;
    }
    return lastNs - beginNs;
  }

  /** The same both ways, with both ends moved by one thread. */
  public static long bothWaysAlone(
      End near, End far, int bytes, int messages, int window, Histogram spansNs) {
    int half = TransferKind.half(window);
    near.begin(bytes, bytes);
    far.begin(bytes, bytes);
    int posted = 0;
    int sent = 0;
    long beginNs = System.nanoTime();
    long lastNs = beginNs;
    for (int taken = 0; taken < messages; taken += half) {
      for (; posted < Math.min(messages, taken + 2 * window); posted++) {
        near.postReceive();
        far.postReceive();
      }
      for (; sent < Math.min(messages, taken + window); sent++) {
        near.send();
        far.send();
      }
      near.await(taken + half);
      far.await(taken + half);
      long nowNs = System.nanoTime();
      spansNs.recordValue(nowNs - lastNs);
      lastNs = nowNs;
    }
    return lastNs - beginNs;
  }

  /** Keeps a window of receives posted and acknowledges each half, before it posts the next. */
  public static void drain(End end, int bytes, int messages, int window) {
    int half = TransferKind.half(window);
    end.begin(ACKNOWLEDGEMENT_BYTES, bytes);
    int posted = 0;
    while (posted < Math.min(window, messages)) {
      end.postReceive();
      posted++;
    }
    for (int received = half; received <= messages; received += half) {
      end.await(received);
      end.send();
      int mayBePosted = Math.min(messages, end.received() + window);
      while (posted < mayBePosted) {
        end.postReceive();
        posted++;
      }
    }
  }
}
