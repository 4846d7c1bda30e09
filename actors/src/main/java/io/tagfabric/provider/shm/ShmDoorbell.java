package io.tagfabric.provider.shm;

import io.tagfabric.progress.Doorbell;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.shm.ring.ShmLayout;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bell of a domain: a word in its file that says whether anybody looks at the ring, and a Unix
 * domain socket to ring at. A peer that finds the word set clears it and writes one byte.
 *
 * <p>The thread that sleeps waits for the socket itself, so a ring costs one wake-up and no thread
 * stands between. This object's lock guards word and sockets: threads that fall asleep or wake up
 * are not the loop that unmaps the file.
 */
final class ShmDoorbell implements Doorbell, AutoCloseable {
  private static final int BACKLOG = 1024;

  private final ProgressLoop loop;
  private final UnsafeBuffer buffer;
  private final BooleanSupplier hasWork;
  private final Path path;
  private final ServerSocketChannel server;
  private final List<SocketChannel> ringers = new ArrayList<>();

  /** Those who have rung since the last announcement, each once: read by the next. */
  private final List<SocketChannel> rung = new ArrayList<>();

  private final ByteBuffer heard = ByteBuffer.allocateDirect(256);
  private volatile boolean announced;
  private boolean closed;

  /**
   * Opens a bell.
   *
   * @param buffer the domain's file
   * @param hasWork whether its ring has something to read; called under the lock
   */
  ShmDoorbell(ProgressLoop loop, Path path, UnsafeBuffer buffer, BooleanSupplier hasWork)
      throws IOException {
    this.loop = loop;
    this.path = path;
    this.buffer = buffer;
    this.hasWork = hasWork;
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    boolean complete = false;
    try {
      server.bind(UnixDomainSocketAddress.of(path), BACKLOG);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      server.configureBlocking(false);
      complete = true;
    } finally {
      if (!complete) {
        server.close();
      }
    }
  }

  /** From now on sleeping threads of the loop listen. */
  void hang() {
    loop.watch(server, SelectionKey.OP_ACCEPT, this::accept);
    loop.doorbell(this);
  }

  @Override
  public synchronized boolean announce() {
    if (closed) {
      return true;
    }
    readBells();
    announced = true;
    try {
      buffer.putIntOrdered(ShmLayout.ASLEEP_AT, 1);
      VarHandle.fullFence();
      if (hasWork.getAsBoolean()) {
        withdraw();
        return false;
      }
      return true;
    } catch (InternalError cut) {
      // The file has no such bytes any more; the poll that follows finds it out too.
      announced = false;
      return false;
    }
  }

  /** {@inheritDoc} A peer passes no fence between its record and its look at the word. */
  @Override
  public synchronized boolean isQuiet() {
    try {
      return closed || !hasWork.getAsBoolean();
    } catch (InternalError cut) {
      return false;
    }
  }

  @Override
  public void withdraw() {
    if (announced) {
      withdrawLocked();
    }
  }

  private synchronized void withdrawLocked() {
    announced = false;
    try {
      if (!closed) {
        buffer.putIntVolatile(ShmLayout.ASLEEP_AT, 0);
      }
    } catch (InternalError cut) {
      // As above.
      return;
    }
  }

  private synchronized void accept() {
    try {
      SocketChannel ringer = closed ? null : server.accept();
      if (ringer != null) {
        ringer.configureBlocking(false);
        ringers.add(ringer);
        loop.watch(ringer, SelectionKey.OP_READ, () -> hear(ringer));
      }
    } catch (IOException ringerGone) {
      // It will ring again if it lives.
      return;
    }
  }

  private synchronized void hear(SocketChannel ringer) {
    if (!closed && !rung.contains(ringer)) {
      rung.add(ringer);
    }
  }

  /**
   * Reads what was heard since the last announcement: not when it is heard, since the thread that
   * wakes has a message to look for first, and before the next one, whose strokes it must leave.
   */
  private void readBells() {
    for (SocketChannel ringer : rung) {
      read(ringer);
    }
    rung.clear();
  }

  private void read(SocketChannel ringer) {
    boolean gone;
    try {
      heard.clear();
      gone = ringer.read(heard) < 0;
    } catch (IOException broken) {
      gone = true;
    }
    if (gone && ringers.remove(ringer)) {
      shut(ringer);
    }
  }

  private void shut(SocketChannel ringer) {
    try {
      ringer.close();
    } catch (IOException alreadyBroken) {
      heard.clear();
    }
    loop.unwatch(ringer);
  }

  /** Nobody listens any more. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
    }
    loop.doorbell(null);
    synchronized (this) {
      closed = true;
      ringers.forEach(this::shut);
      ringers.clear();
      rung.clear();
    }
    try {
      server.close();
      loop.unwatch(server);
      Files.deleteIfExists(path);
    } catch (IOException leftToTheSweep) {
      // The directory goes with the job or with the process.
      return;
    }
  }
}
