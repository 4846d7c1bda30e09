package io.tagfabric.progress;

import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves. */
final class ManualTime implements TimeSource {
  private final AtomicLong nowNs = new AtomicLong();

  ManualTime(long nowNs) {
    this.nowNs.set(nowNs);
  }

  void advance(long byNs) {
    nowNs.addAndGet(byNs);
  }

  @Override
  public long nanoTime() {
    return nowNs.get();
  }
}
