package io.tagfabric.provider;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between two nodes: takes connections at a port, passes on what they bring to another one,
 * and cuts them when it is told to, or after so many bytes. Thread: any.
 */
public final class Relay implements AutoCloseable {
  private static final int MOST_HEARD = 1 << 20;

  private final ServerSocket listener;
  private final ByteArrayOutputStream heardThere = new ByteArrayOutputStream();
  private final ByteArrayOutputStream heardBack = new ByteArrayOutputStream();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicLong passed = new AtomicLong();
  private final AtomicLong connections = new AtomicLong();
  private volatile int target;
  private volatile long cutAfter = Long.MAX_VALUE;
  private volatile boolean closed;

  public Relay() {
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  /** The port to be dialled. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Sets the port that connections are passed on to. */
  public void to(int port) {
    target = port;
  }

  /** Cuts each connection that is there now, without a word: both sides read a reset. */
  public void cut() {
    sockets.removeIf(
        each -> {
          reset(each);
          return true;
        });
  }

  /** Cuts one when so many more bytes have passed. */
  public void cutAfter(long bytes) {
    passed.set(0);
    cutAfter = bytes;
  }

  /** Connections that have been made. */
  public long connections() {
    return connections.get();
  }

  /** What has passed, there and then back, a character for each byte. */
  String heard() {
    return heardThere.toString(StandardCharsets.ISO_8859_1)
        + heardBack.toString(StandardCharsets.ISO_8859_1);
  }

  /** What those who have dialled have said. */
  byte[] heardThere() {
    return heardThere.toByteArray();
  }

  /** What they have been told. */
  byte[] heardBack() {
    return heardBack.toByteArray();
  }

  private void accept() {
    while (!closed) {
      try {
        Socket near = listener.accept();
        connections.incrementAndGet();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        sockets.add(near);
        sockets.add(far);
        start(() -> pass(near, far, heardThere));
        start(() -> pass(far, near, heardBack));
      } catch (IOException e) {
        // closed, or nobody listens there
      }
    }
  }

  private void pass(Socket from, Socket to, ByteArrayOutputStream heard) {
    byte[] bytes = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int read = in.read(bytes);
      while (read > 0) {
        hear(bytes, read, heard);
        long left = cutAfter - passed.getAndAdd(read);
        if (left < read) {
          out.write(bytes, 0, (int) Math.max(0, left)); // a part of a record, mostly
          cutAfter = Long.MAX_VALUE;
          reset(from);
          reset(to);
          return;
        } else {
          out.write(bytes, 0, read);
        }
        read = in.read(bytes);
      }
    } catch (IOException e) {
      // cut
    }
  }

  private static void hear(byte[] bytes, int count, ByteArrayOutputStream heard) {
    synchronized (heard) {
      heard.write(bytes, 0, Math.min(count, MOST_HEARD - heard.size()));
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // closed already
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
