package io.tagfabric.provider.aeron;

import io.tagfabric.progress.TimeSource;
import org.agrona.concurrent.NanoClock;

/**
 * The clock of a media driver: read once before each of its duty cycles, of which every agent asks
 * it for itself. Single threaded: the domain's loop.
 */
final class CycleClock implements NanoClock {
  private final TimeSource time;
  private long nowNs;

  CycleClock(TimeSource time) {
    this.time = time;
    read();
  }

  /** A duty cycle begins. */
  void read() {
    nowNs = time.nanoTime();
  }

  @Override
  public long nanoTime() {
    return nowNs;
  }
}
