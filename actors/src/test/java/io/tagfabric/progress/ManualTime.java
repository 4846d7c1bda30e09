package io.tagfabric.progress;

/** A clock that a test moves. */
final class ManualTime implements TimeSource {
  private volatile long nowNs;

  ManualTime(long nowNs) {
    this.nowNs = nowNs;
  }

  void advance(long byNs) {
    nowNs += byNs;
  }

  @Override
  public long nanoTime() {
    return nowNs;
  }
}
