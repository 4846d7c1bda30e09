package io.tagfabric.progress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;

/** The bell of a loop that only sockets ring: who sends a datagram need not look for sleepers. */
final class SocketBell implements Doorbell, AutoCloseable {
  private static final long NS_PER_MS = 1_000_000L;

  private final Selector selector;

  SocketBell() {
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean announce() {
    return true;
  }

  @Override
  public void withdraw() {}

  @Override
  public void await(long maxNs) {
    try {
      selector.select(notUsed -> {}, Math.max(1, (maxNs + NS_PER_MS - 1) / NS_PER_MS));
    } catch (IOException | ClosedSelectorException e) {
      // Another bell has taken over, or nobody would end a longer sleep.
      LockSupport.parkNanos(this, NS_PER_MS);
    }
  }

  @Override
  public void wake() {
    selector.wakeup();
  }

  @Override
  public void watch(SelectableChannel channel) {
    WatchedSockets.add(selector, channel);
  }

  @Override
  public void unwatch(SelectableChannel channel) {
    WatchedSockets.remove(selector, channel);
  }

  @Override
  public void close() {
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
