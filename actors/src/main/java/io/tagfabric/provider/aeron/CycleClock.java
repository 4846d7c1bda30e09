package io.tagfabric.provider.aeron;

import org.agrona.concurrent.NanoClock;

/**
 * The clock of a media driver: set once before each of its duty cycles, of which every agent asks
 * it for itself. Single threaded: the domain's loop.
 */
final class CycleClock implements NanoClock {
  private long nowNs;

  CycleClock(long nowNs) {
    this.nowNs = nowNs;
  }

  /** A duty cycle begins. */
  void set(long newNowNs) {
    nowNs = newNowNs;
  }

  @Override
  public long nanoTime() {
    return nowNs;
  }
}
