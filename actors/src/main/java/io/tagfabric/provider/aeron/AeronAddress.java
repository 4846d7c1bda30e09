package io.tagfabric.provider.aeron;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Where a node listens. Written {@code host:port;mtu;paths;scope}.
 *
 * @param socket host and port as Aeron writes them, an IPv6 host in brackets
 * @param mtuBytes longest datagram it takes
 * @param paths streams it listens to for each endpoint
 * @param scope from where it can be reached: empty for everywhere, or the host and network
 *     namespace whose loopback it is
 */
record AeronAddress(String socket, int mtuBytes, int paths, String scope) {
  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final String IP_4 = BYTE + "([.]" + BYTE + "){3}";

  String encode() {
    return socket + ";" + mtuBytes + ";" + paths + ";" + scope;
  }

  /** The same with another number of streams. */
  AeronAddress withPaths(int count) {
    return new AeronAddress(socket, mtuBytes, count, scope);
  }

  /** The address that {@link #encode} wrote, empty if it is not one. */
  static Optional<AeronAddress> parse(String text) {
    String[] parts = text.split(";", -1);
    try {
      int mtu = parts.length == 4 ? Integer.parseInt(parts[1]) : 0;
      int paths = parts.length == 4 ? Integer.parseInt(parts[2]) : 0;
      int colon = parts[0].lastIndexOf(':');
      int port = Integer.parseInt(parts[0].substring(colon + 1));
      boolean sound =
          mtu >= Mtu.SMALLEST
              && mtu <= Mtu.LARGEST
              && mtu % 32 == 0
              && paths >= 1
              && paths <= AeronNode.MAX_PATHS
              && parts[0].matches(".*:[0-9]{1,5}")
              && port >= 1
              && port <= 65535
              && literal(parts[0].substring(0, colon)).isPresent();
      return sound
          ? Optional.of(new AeronAddress(parts[0], mtu, paths, parts[3]))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Host and port for the operating system. */
  InetSocketAddress toSocketAddress() {
    int colon = socket.lastIndexOf(':');
    InetAddress host =
        literal(socket.substring(0, colon))
            .orElseThrow(() -> new IllegalStateException(socket + " has no numeric host"));
    return new InetSocketAddress(host, Integer.parseInt(socket.substring(colon + 1)));
  }

  /** The host that a number names, empty if it is none; never asks a name server. */
  private static Optional<InetAddress> literal(String host) {
    if (!host.matches(IP_4) && !host.matches("\\[[0-9a-fA-F:.%]+]")) {
      return Optional.empty();
    }
    try {
      // Within brackets it takes numbers only.
      return Optional.of(InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /** Why a peer cannot be reached from here, empty if it can. */
  Optional<String> unreachableBecause(AeronAddress peer) {
    if (scope.equals(peer.scope)) {
      return Optional.empty();
    }
    if (!scope.isEmpty()) {
      return Optional.of(
          "this node listens on loopback only, at "
              + socket
              + ", and the peer is elsewhere; set "
              + AeronSettings.HOST.fullKey());
    }
    return Optional.of(
        "the peer listens on loopback only, at "
            + peer.socket
            + ", and is elsewhere; set "
            + AeronSettings.HOST.fullKey()
            + " there");
  }
}
