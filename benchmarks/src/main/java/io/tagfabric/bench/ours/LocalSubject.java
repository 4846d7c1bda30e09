package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.Allocation;
import io.tagfabric.bench.measure.Exchange;
import io.tagfabric.bench.measure.Subject;
import io.tagfabric.bench.measure.TransferKind;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;

/** Messages within one JVM, moved by one thread or by two. */
final class LocalSubject implements Subject {
  private final LocalPair pair;
  private final TransferKind kind;
  private final int threads;
  private final int window;
  private volatile long farAllocated;

  LocalSubject(LocalPair pair, TransferKind kind, int threads, int window) {
    this.pair = pair;
    this.kind = kind;
    this.threads = threads;
    this.window = window;
  }

  @Override
  public String name() {
    return "tagfabric";
  }

  @Override
  public String provider() {
    return "local";
  }

  @Override
  public long run(int bytes, int iterations, Histogram spansNs) {
    if (threads == 1) {
      return switch (kind) {
        case LATENCY -> Exchange.pingAlone(pair.near(), pair.far(), bytes, iterations, spansNs);
        case RATE, BANDWIDTH ->
            Exchange.streamAlone(pair.near(), pair.far(), bytes, iterations, window, spansNs);
        case BIBW ->
            Exchange.bothWaysAlone(pair.near(), pair.far(), bytes, iterations, window, spansNs);
      };
    }
    return withFarThread(bytes, iterations, spansNs);
  }

  /** Bytes that the far end's own thread allocated in the last run. */
  long farAllocated() {
    return farAllocated;
  }

  /** The far end has its own thread, which goes on driving until its last message has left. */
  private long withFarThread(int bytes, int iterations, Histogram spansNs) {
    AtomicBoolean finished = new AtomicBoolean();
    FutureTask<Void> far =
        new FutureTask<>(
            () -> {
              answer(bytes, iterations);
              while (!finished.get()) {
                pair.far().poll();
              }
              farAllocated = Allocation.ofThisThread();
            },
            null);
    Thread thread = new Thread(far, "bench-far");
    thread.setDaemon(true);
    thread.start();
    try {
      return switch (kind) {
        case LATENCY -> Exchange.ping(pair.near(), bytes, iterations, spansNs);
        case RATE, BANDWIDTH -> Exchange.stream(pair.near(), bytes, iterations, window, spansNs);
        case BIBW -> Exchange.bothWays(pair.near(), bytes, iterations, window, spansNs);
      };
    } finally {
      finished.set(true);
      join(far);
    }
  }

  private static void join(FutureTask<Void> task) {
    try {
      task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the far end failed", e.getCause());
    }
  }

  private void answer(int bytes, int iterations) {
    switch (kind) {
      case LATENCY -> Exchange.pong(pair.far(), bytes, iterations);
      case RATE, BANDWIDTH -> Exchange.drain(pair.far(), bytes, iterations, window);
      case BIBW -> Exchange.bothWaysFar(pair.far(), bytes, iterations, window);
    }
  }
}
