package io.tagfabric.bench.measure;

import org.HdrHistogram.Histogram;

/** The end that begins every run and holds the clock. Thread: one. */
public final class NearSide {
  private final End end;

  public NearSide(End end) {
    this.end = end;
  }

  /** A subject that moves messages between the two ends. */
  public Subject subject(String name, String provider, TransferKind kind, int window) {
    return subject(name, provider, kind, window, Order.SELF, end);
  }

  /** The same where another pair of ends moves the messages, whose number both sides know. */
  public Subject subject(
      String name, String provider, TransferKind kind, int window, int mover, End moving) {
    return new Subject() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public String provider() {
        return provider;
      }

      @Override
      public long run(int bytes, int iterations, Histogram spansNs) {
        order(kind, mover, bytes, iterations, window);
        return switch (kind) {
          case LATENCY -> Exchange.ping(moving, bytes, iterations, spansNs);
          case RATE, BANDWIDTH -> Exchange.stream(moving, bytes, iterations, window, spansNs);
          case BIBW -> Exchange.bothWays(moving, bytes, iterations, window, spansNs);
        };
      }
    };
  }

  /** A subject whose messages come to one that sleeps. */
  public WakeSubject waking() {
    return (bytes, count, gapNs, spansNs) -> {
      order(new Order(Order.Work.ANSWER_ASLEEP, Order.SELF, bytes, count, 0));
      Exchange.wake(end, bytes, count, gapNs, spansNs);
    };
  }

  /** A subject whose messages match at a depth; both ends must match by tags. */
  public MatchSubject matching(String name, String provider) {
    TaggedEnd tagged = (TaggedEnd) end;
    return new MatchSubject() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public String provider() {
        return provider;
      }

      @Override
      public long run(MatchKind kind, int depth) {
        order(new Order(kind.work(), Order.SELF, MatchExchange.BYTES, depth, 0));
        return kind == MatchKind.POSTED
            ? MatchExchange.sendToPosted(tagged, depth)
            : MatchExchange.sendUnexpected(tagged, depth);
      }
    };
  }

  /** Tells the far end what comes and returns when it is ready. */
  public void order(TransferKind kind, int mover, int bytes, int iterations, int window) {
    order(Order.of(kind, mover, bytes, iterations, window));
  }

  /** Bytes that the threads of the far end's JVM have allocated since this was last asked. */
  public long farAllocated() {
    order(new Order(Order.Work.TELL_ALLOCATED, Order.SELF, 0, 0, 0));
    return end.incoming().getLong(0);
  }

  /** No more runs. */
  public void end() {
    order(Order.END);
  }

  private void order(Order order) {
    end.begin(Order.BYTES, Order.ANSWER_BYTES);
    order.write(end.outgoing());
    end.postReceive();
    end.send();
    end.await(1);
  }
}
