package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * At most one warning a second about what strangers send, so that they cannot fill the log; what is
 * held back is counted and told with the next one. Thread: any.
 */
@InternalApi
public final class WarningRate {
  private static final long DISTANCE_NS = 1_000_000_000L;

  private final Consumer<String> log;
  private final TimeSource time;
  private final AtomicLong nextNs;
  private final AtomicLong heldBack = new AtomicLong();

  /** Warnings to a log, a line each. */
  public WarningRate(Consumer<String> log, TimeSource time) {
    this.log = log;
    this.time = time;
    nextNs = new AtomicLong(time.nanoTime());
  }

  /**
   * Warns, or counts the warning if there was one within the last second.
   *
   * @param text asked for only if it is written
   */
  public void warn(Supplier<String> text) {
    long nowNs = time.nanoTime();
    long dueNs = nextNs.get();
    if (nowNs - dueNs < 0 || !nextNs.compareAndSet(dueNs, nowNs + DISTANCE_NS)) {
      heldBack.incrementAndGet();
      return;
    }
    long before = heldBack.getAndSet(0);
    log.accept(
        before == 0 ? text.get() : text.get() + "; heldBack=" + before + " such lines before this");
  }
}
