package io.tagfabric.provider.tcp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a node listens, and how its peers know it. Written {@code
 * version;token;dial;scope;host:port} with an IPv6 host in brackets, and behind it {@code ;name} if
 * it speaks by TLS. So a build that knows no TLS cannot read where it would have to speak it.
 *
 * @param token random number of the node: with the incarnation of its ActorSystem it tells the node
 *     from any other
 * @param dialled whether peers may dial; if not, it dials them
 * @param scope from where it can be reached: empty for everywhere, or the host and network
 *     namespace whose loopback it is
 * @param host numeric
 * @param port from 1 to 65535
 * @param name empty if it speaks in the clear; else it speaks by TLS only, and that is the host
 *     that its certificate may name
 */
public record TcpAddress(
    long token, boolean dialled, String scope, InetAddress host, int port, String name) {
  /** Of the records on a connection and of its set-up. */
  static final int VERSION = 1;

  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern IP_4 = Pattern.compile(BYTE + "([.]" + BYTE + "){3}");
  private static final Pattern IP_6 = Pattern.compile("\\[[0-9a-fA-F:.]+]");
  private static final Pattern NAME = Pattern.compile("[0-9a-zA-Z._:%-]{1,253}");
  private static final int PARTS = 5;
  private static final int LONGEST_SCOPE = 128;

  /** One that speaks in the clear. */
  public TcpAddress(long token, boolean dialled, String scope, InetAddress host, int port) {
    this(token, dialled, scope, host, port, "");
  }

  /** Whether it speaks by TLS, and by nothing else. */
  boolean isSecure() {
    return !name.isEmpty();
  }

  /** Whether a text may be the name of a host, or its number. */
  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /** As it travels. */
  String encode() {
    return VERSION
        + ";"
        + Long.toHexString(token)
        + ";"
        + (dialled ? "always" : "never")
        + ";"
        + scope
        + ";"
        + place()
        + (isSecure() ? ";" + name : "");
  }

  /** Host and port for people. */
  String place() {
    String text = host.getHostAddress();
    int zone = text.indexOf('%');
    String plain = zone < 0 ? text : text.substring(0, zone);
    return (plain.indexOf(':') >= 0 ? "[" + plain + "]" : plain) + ":" + port;
  }

  InetSocketAddress toSocketAddress() {
    return new InetSocketAddress(host, port);
  }

  /** The address that {@link #encode} wrote, empty if it is not one of this version. */
  public static Optional<TcpAddress> parse(String text) {
    String[] parts = text.split(";", -1);
    boolean secure = parts.length == PARTS + 1;
    if ((parts.length != PARTS && !secure) || !parts[0].equals(Integer.toString(VERSION))) {
      return Optional.empty();
    }
    String name = secure ? parts[PARTS] : "";
    int colon = parts[4].lastIndexOf(':');
    boolean sound =
        colon > 0
            && (parts[2].equals("always") || parts[2].equals("never"))
            && parts[3].length() <= LONGEST_SCOPE
            && secure == isName(name);
    try {
      int port = sound ? Integer.parseInt(parts[4].substring(colon + 1)) : 0;
      if (port < 1 || port > 65535) {
        return Optional.empty();
      }
      long token = Long.parseUnsignedLong(parts[1], 16);
      return literal(parts[4].substring(0, colon))
          .map(
              host -> new TcpAddress(token, parts[2].equals("always"), parts[3], host, port, name));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The host that a number names, empty if it is none; never asks a name server. */
  private static Optional<InetAddress> literal(String host) {
    if (!IP_4.matcher(host).matches() && !IP_6.matcher(host).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /** Why a node cannot be dialled from here, empty if it can. */
  Optional<String> unreachableBecause(TcpAddress peer) {
    if (isSecure() != peer.isSecure()) {
      return Optional.of(
          isSecure()
              ? "this node's remoting is encrypted and so is its tcp, that of the peer is not"
              : "the peer's remoting is encrypted and so is its tcp, that of this node is not");
    }
    if (!peer.scope.isEmpty() && !peer.scope.equals(scope)) {
      return Optional.of(
          "the peer listens on loopback only, at "
              + peer.place()
              + ", and is elsewhere; set "
              + TcpSettings.HOST.fullKey()
              + " there");
    }
    return Optional.empty();
  }
}
