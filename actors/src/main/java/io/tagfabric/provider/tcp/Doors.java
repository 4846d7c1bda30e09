package io.tagfabric.provider.tcp;

import io.tagfabric.provider.LoopbackScope;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;

/** Where a node listens, and dials from: a door for each rail. Thread: the domain's loop. */
final class Doors {
  private static final int BACKLOG = 1024;

  private final List<InetAddress> rails;
  private final List<ServerSocketChannel> all = new ArrayList<>();
  private final TcpAddress address;

  /**
   * Listens where the settings say.
   *
   * @param token of the node
   * @param secure whether the connections are encrypted
   */
  Doors(TcpSettings settings, long token, boolean secure) throws IOException {
    rails = settings.addresses();
    try {
      int[] ports = new int[rails.size()];
      for (int i = 0; i < ports.length; i++) {
        ServerSocketChannel door = ServerSocketChannel.open();
        all.add(door);
        ports[i] = bind(door, rails.get(i), settings.ports());
        door.configureBlocking(false);
      }
      List<InetAddress> told = settings.toldAddresses();
      List<InetSocketAddress> toldPlaces = new ArrayList<>();
      for (int i = 0; i < told.size(); i++) {
        int port = settings.toldPort() == 0 ? ports[i] : settings.toldPort();
        toldPlaces.add(new InetSocketAddress(told.get(i), port));
      }
      address =
          new TcpAddress(
              token,
              settings.dial() == TcpSettings.Dial.ALWAYS,
              told.stream().allMatch(InetAddress::isLoopbackAddress) ? LoopbackScope.own() : "",
              toldPlaces,
              1,
              secure ? settings.toldName() : "");
    } catch (IOException | RuntimeException e) {
      for (ServerSocketChannel door : all) {
        door.close();
      }
      throw e;
    }
  }

  private static int bind(ServerSocketChannel door, InetAddress host, PortRange range)
      throws IOException {
    PrimitiveIterator.OfInt ports = range.inTurn().iterator();
    while (ports.hasNext()) {
      InetSocketAddress place = new InetSocketAddress(host, ports.nextInt());
      try {
        door.bind(place, BACKLOG);
        return ((InetSocketAddress) door.getLocalAddress()).getPort();
      } catch (BindException e) {
        if (!ports.hasNext()) {
          throw new IOException(
              "no port is free of "
                  + TcpSettings.PORTS.fullKey()
                  + "="
                  + range
                  + " at "
                  + host.getHostAddress()
                  + " ("
                  + e.getMessage()
                  + "), give a wider range",
              e);
        }
      }
    }
    throw new IllegalStateException("a range has a port");
  }

  List<ServerSocketChannel> all() {
    return all;
  }

  /** What peers are told. */
  TcpAddress address() {
    return address;
  }

  /** So many ways lead to a peer, from one of this node's rails to one of the peer's. */
  int ways(TcpAddress peer) {
    return Math.max(rails.size(), peer.places().size());
  }

  /** Binds a socket to the address of a rail, if there are several. */
  void bind(SocketChannel socket, int way) throws IOException {
    if (rails.size() > 1) {
      socket.bind(new InetSocketAddress(rails.get(way % rails.size()), 0));
    }
  }
}
