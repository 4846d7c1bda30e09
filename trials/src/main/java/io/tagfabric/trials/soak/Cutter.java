package io.tagfabric.trials.soak;

import io.tagfabric.provider.tcp.TcpSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Stands before the port at which a rank listens for connections of provider tcp, and cuts each
 * after as many bytes as chance has it: in its set-up, in the midst of a record, or long after.
 * Thread: any; each direction of each connection has its own.
 */
final class Cutter implements AutoCloseable {
  private static final int MOST_BYTES_BETWEEN = 1 << 20;
  private static final int SET_UP_BYTES = 400;
  private static final int BUFFER_BYTES = 64 * 1024;

  private final ServerSocket listener;
  private final int target;
  private final SplittableRandom random;
  private long bytesLeft;
  private int cutsLeft;
  private int cuts;

  /**
   * Begins to take connections.
   *
   * @param cuts how many to cut; the ones after that stay
   */
  Cutter(int cuts, long seed) throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    listener = new ServerSocket(0, 0, here);
    try (ServerSocket free = new ServerSocket(0, 0, here)) {
      target = free.getLocalPort();
    }
    random = new SplittableRandom(seed);
    cutsLeft = cuts;
    // The first one is made in peace: what is not connected yet would use another provider.
    bytesLeft = SET_UP_BYTES + (long) random.nextInt(MOST_BYTES_BETWEEN);
    start(this::accept);
  }

  /** What the rank is to be told: where to listen, and where its peers dial. */
  Map<String, Object> settings() {
    return Map.of(
        TcpSettings.PORTS.fullKey(),
        Integer.toString(target),
        TcpSettings.CANONICAL_PORT.fullKey(),
        listener.getLocalPort());
  }

  /** Connections cut so far. */
  synchronized int cuts() {
    return cuts;
  }

  private void accept() {
    try {
      while (true) {
        pass(listener.accept());
      }
    } catch (IOException closed) {
      // the soak has ended
    }
  }

  private void pass(Socket near) {
    try {
      Socket far = new Socket(listener.getInetAddress(), target);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      start(() -> pass(near, far));
      start(() -> pass(far, near));
    } catch (IOException nobodyListens) {
      reset(near);
    }
  }

  private void pass(Socket from, Socket to) {
    byte[] bytes = new byte[BUFFER_BYTES];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {
        int passes = take(read);
        out.write(bytes, 0, passes);
        if (passes < read) {
          reset(from);
          reset(to);
          return;
        }
      }
    } catch (IOException cut) {
      // by the other direction, or an end of it
    }
  }

  /** How many of these bytes pass before the next cut. */
  private synchronized int take(int bytes) {
    if (cutsLeft == 0 || bytesLeft >= bytes) {
      bytesLeft -= bytes;
      return bytes;
    }
    int passes = (int) bytesLeft;
    cutsLeft--;
    cuts++;
    bytesLeft = random.nextInt(random.nextInt(4) == 0 ? SET_UP_BYTES : MOST_BYTES_BETWEEN);
    return passes;
  }

  /** So that both ends read an error, not an end. */
  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException closed) {
      // already
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "tagfabric-soak-cutter");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
