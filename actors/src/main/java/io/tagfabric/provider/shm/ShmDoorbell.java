package io.tagfabric.provider.shm;

import io.tagfabric.progress.Doorbell;
import io.tagfabric.progress.WatchedSockets;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bell of a domain: a word in its file that says whether anybody looks at the ring, and a Unix
 * domain socket to ring at. A peer that finds the word set clears it and writes one byte.
 *
 * <p>The thread that sleeps waits for the socket itself, so a ring costs one wake-up and no thread
 * stands between. The word is guarded by this object's lock: threads that fall asleep or wake up
 * are not the loop that unmaps the file.
 */
final class ShmDoorbell implements Doorbell, AutoCloseable {
  private static final long NS_PER_MS = 1_000_000L;
  private static final int BACKLOG = 1024;

  private final UnsafeBuffer buffer;
  private final BooleanSupplier hasWork;
  private final Path path;
  private final Selector selector;
  private final ServerSocketChannel server;
  private final ByteBuffer heard = ByteBuffer.allocateDirect(256);
  private volatile boolean announced;
  private boolean closed;

  /**
   * Opens a bell.
   *
   * @param buffer the domain's file
   * @param hasWork whether its ring has something to read; called under the lock
   */
  ShmDoorbell(Path path, UnsafeBuffer buffer, BooleanSupplier hasWork) throws IOException {
    this.path = path;
    this.buffer = buffer;
    this.hasWork = hasWork;
    selector = Selector.open();
    boolean complete = false;
    try {
      server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(path), BACKLOG);
      server.configureBlocking(false);
      server.register(selector, SelectionKey.OP_ACCEPT);
      complete = true;
    } finally {
      if (!complete) {
        selector.close();
      }
    }
  }

  @Override
  public synchronized boolean announce() {
    if (closed) {
      return true;
    }
    announced = true;
    buffer.putIntVolatile(ShmLayout.ASLEEP_AT, 1);
    VarHandle.fullFence();
    if (hasWork.getAsBoolean()) {
      withdraw();
      return false;
    }
    return true;
  }

  @Override
  public void withdraw() {
    if (announced) {
      withdrawLocked();
    }
  }

  private synchronized void withdrawLocked() {
    announced = false;
    if (!closed) {
      buffer.putIntVolatile(ShmLayout.ASLEEP_AT, 0);
    }
  }

  @Override
  public void await(long maxNs) {
    try {
      selector.select(this::hear, Math.max(1, maxNs / NS_PER_MS));
    } catch (ClosedSelectorException goneMeanwhile) {
      return;
    } catch (IOException broken) {
      throw new IllegalStateException("the bell " + path + " is broken", broken);
    }
  }

  private void hear(SelectionKey key) {
    if (WatchedSockets.isWatched(key)) {
      return;
    }
    try {
      if (key.isAcceptable()) {
        SocketChannel ringer = server.accept();
        if (ringer != null) {
          ringer.configureBlocking(false);
          ringer.register(selector, SelectionKey.OP_READ);
        }
        return;
      }
      heard.clear();
      if (((SocketChannel) key.channel()).read(heard) < 0) {
        key.channel().close();
      }
    } catch (IOException ringerGone) {
      key.cancel();
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
    synchronized (this) {
      closed = true;
    }
    try {
      for (SelectionKey key : selector.keys()) {
        if (!WatchedSockets.isWatched(key)) {
          key.channel().close();
        }
      }
      selector.close();
      Files.deleteIfExists(path);
    } catch (IOException | ClosedSelectorException leftToTheSweep) {
      return;
    }
  }
}
