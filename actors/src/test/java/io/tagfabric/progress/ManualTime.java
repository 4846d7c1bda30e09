package io.tagfabric.progress;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves. */
final class ManualTime implements TimeSource {
  private final AtomicLong nowNs = new AtomicLong();

  /** How often threads have given their core away. */
  final AtomicInteger yields = new AtomicInteger();

  ManualTime(long nowNs) {
    this.nowNs.set(nowNs);
  }

  void advance(long byNs) {
    nowNs.addAndGet(byNs);
  }

  @Override
  public void yieldCore() {
    yields.getAndIncrement();
    Thread.yield();
  }

  @Override
  public long nanoTime() {
    return nowNs.get();
  }
}
