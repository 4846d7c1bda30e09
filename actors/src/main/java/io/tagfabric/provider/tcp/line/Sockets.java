package io.tagfabric.provider.tcp.line;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Map;

/** What all connections of nodes have in common. */
public final class Sockets {
  /**
   * Seconds of silence, then so many questions so many seconds apart. Linux and macOS have them.
   */
  private static final Map<String, Integer> KEEP_ALIVE =
      Map.of("TCP_KEEPIDLE", 10, "TCP_KEEPINTERVAL", 2, "TCP_KEEPCOUNT", 5);

  private Sockets() {}

  /** Makes a socket non-blocking, quick, and one that finds out that the peer's host is gone. */
  public static void prepare(SocketChannel socket, int dscp) throws IOException {
    socket.configureBlocking(false);
    if (dscp > 0) {
      socket.setOption(StandardSocketOptions.IP_TOS, dscp << 2); // the bits above those of ECN
    }
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    for (SocketOption<?> option : socket.supportedOptions()) {
      Integer value = KEEP_ALIVE.get(option.name());
      if (value != null && option.type() == Integer.class) {
        @SuppressWarnings("unchecked")
        SocketOption<Integer> number = (SocketOption<Integer>) option;
        socket.setOption(number, value);
      }
    }
  }

  /** The host at the other end. */
  public static InetAddress remoteHost(SocketChannel socket) {
    return socket.socket().getInetAddress();
  }
}
