package io.tagfabric.jvms;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Ports for the tests of this JVM, below those that the system and the launcher give away.
 *
 * <p>A JVM owns a block of them: it listens on the block's first port as long as it lives, so no
 * other JVM of this build or of another one takes a port out of it.
 */
public final class TestPorts {
  private static final int LOWEST = 10_000;
  private static final int HIGHEST = 12_000;
  private static final int BLOCK = 40;
  private static final ServerSocket OWNED = own();

  private static int taken;

  private TestPorts() {}

  private static ServerSocket own() {
    for (int first = LOWEST; first < HIGHEST; first += BLOCK) {
      ServerSocket guard = listen(first);
      if (guard != null) {
        return guard;
      }
    }
    throw new IllegalStateException(
        "all blocks of ports from " + LOWEST + " to " + HIGHEST + " are owned by other JVMs");
  }

  /** Another port at each call, until all of the block have been used; then from the start. */
  public static synchronized int next() {
    for (int tries = 1; tries < BLOCK; tries++) {
      int port = OWNED.getLocalPort() + 1 + taken++ % (BLOCK - 1);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no port of the block that begins at " + OWNED.getLocalPort() + " is free");
  }

  /** A test before may have left one in use. */
  private static boolean isFree(int port) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (ServerSocket tcp = listen(port);
        DatagramSocket udp = new DatagramSocket(address)) {
      return tcp != null && udp.isBound();
    } catch (IOException inUse) {
      return false;
    }
  }

  /** Null where somebody listens already. */
  private static ServerSocket listen(int port) {
    ServerSocket socket;
    try {
      socket = new ServerSocket();
    } catch (IOException noDescriptor) {
      throw new UncheckedIOException(noDescriptor);
    }
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
      return socket;
    } catch (IOException inUse) {
      try {
        socket.close();
      } catch (IOException lost) {
        throw new UncheckedIOException(lost);
      }
      return null;
    }
  }
}
