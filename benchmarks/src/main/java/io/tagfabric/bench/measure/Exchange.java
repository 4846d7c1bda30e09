package io.tagfabric.bench.measure;

import org.HdrHistogram.Histogram;

/** The two patterns of exchange, as seen from both ends. */
public final class Exchange {
  private static final int ACKNOWLEDGEMENT_BYTES = 8;

  private Exchange() {}

  /** Sends, waits for the answer, and again. */
  public static long ping(End end, int bytes, int iterations, Histogram spansNs) {
    end.begin(bytes, bytes);
    long beginNs = System.nanoTime();
    long lastNs = beginNs;
    for (int i = 1; i <= iterations; i++) {
      end.send();
      end.postReceive();
      end.await(i);
      long nowNs = System.nanoTime();
      spansNs.recordValue(nowNs - lastNs);
      lastNs = nowNs;
    }
    return lastNs - beginNs;
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
