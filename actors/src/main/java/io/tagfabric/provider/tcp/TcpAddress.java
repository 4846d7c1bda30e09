package io.tagfabric.provider.tcp;

import io.tagfabric.path.PathSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where a node listens, and how its peers know it. Written {@code
 * version;token;dial;scope;host:port,host:port;paths} with an IPv6 host in brackets, and behind it
 * {@code ;name} if it speaks by TLS. So a build that knows no TLS cannot read where it would have
 * to speak it.
 *
 * @param token random number of the node: with the incarnation of its ActorSystem it tells the node
 *     from any other; its lowest bits are 0, and those of a path of it are the path's number
 * @param dialled whether peers may dial; if not, it dials them
 * @param scope from where it can be reached: empty for everywhere, or the host and network
 *     namespace whose loopback it is
 * @param places where it listens, one for each rail: numeric hosts, ports from 1 to 65535
 * @param paths parallel connections that its endpoint takes, 1 or more
 * @param name empty if it speaks in the clear; else it speaks by TLS only, and that is the host
 *     that its certificate may name
 */
public record TcpAddress(
    long token,
    boolean dialled,
    String scope,
    List<InetSocketAddress> places,
    int paths,
    String name) {
  /** What this provider is called, and its addresses within those of endpoints. */
  static final String PROVIDER = "tcp";

  /** Of the records on a connection and of its set-up. */
  static final int VERSION = 1;

  /** The paths there can be to a node, a power of 2. */
  static final int MOST_PATHS = PathSettings.MAX_PATHS;

  /** The rails that a node can have. */
  static final int MOST_PLACES = 8;

  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern IP_4 = Pattern.compile(BYTE + "([.]" + BYTE + "){3}");
  private static final Pattern IP_6 = Pattern.compile("\\[[0-9a-fA-F:.]+]");
  private static final Pattern NAME = Pattern.compile("[0-9a-zA-Z._:%-]{1,253}");
  private static final int PARTS = 6;
  private static final int LONGEST_SCOPE = 128;

  public TcpAddress {
    places = List.copyOf(places);
  }

  /** One with one rail and one path that speaks in the clear. */
  public TcpAddress(long token, boolean dialled, String scope, InetAddress host, int port) {
    this(token, dialled, scope, List.of(new InetSocketAddress(host, port)), 1, "");
  }

  /** The same of an endpoint with other paths. */
  TcpAddress withPaths(int count) {
    return new TcpAddress(token, dialled, scope, places, count, name);
  }

  /** The token of a path of the node. */
  long token(int path) {
    return token | path;
  }

  /** The path that a token is of. */
  static int path(long token) {
    return (int) token & MOST_PATHS - 1;
  }

  /** The host of the first rail. */
  public InetAddress host() {
    return places.get(0).getAddress();
  }

  /** The port of the first rail. */
  public int port() {
    return places.get(0).getPort();
  }

  /** Whether it listens at a host. */
  boolean isAt(InetAddress host) {
    return places.stream().anyMatch(each -> each.getAddress().equals(host));
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
        + ";"
        + paths
        + (isSecure() ? ";" + name : "");
  }

  /** Hosts and ports for people. */
  String place() {
    return places.stream().map(TcpAddress::place).collect(Collectors.joining(","));
  }

  private static String place(InetSocketAddress at) {
    String text = at.getAddress().getHostAddress();
    int zone = text.indexOf('%');
    String plain = zone < 0 ? text : text.substring(0, zone);
    return (plain.indexOf(':') >= 0 ? "[" + plain + "]" : plain) + ":" + at.getPort();
  }

  /** The address that {@link #encode} wrote, empty if it is not one of this version. */
  public static Optional<TcpAddress> parse(String text) {
    String[] parts = text.split(";", -1);
    boolean secure = parts.length == PARTS + 1;
    if ((parts.length != PARTS && !secure) || !parts[0].equals(Integer.toString(VERSION))) {
      return Optional.empty();
    }
    String name = secure ? parts[PARTS] : "";
    boolean sound =
        (parts[2].equals("always") || parts[2].equals("never"))
            && parts[3].length() <= LONGEST_SCOPE
            && secure == isName(name);
    List<InetSocketAddress> places = sound ? places(parts[4]) : List.of();
    try {
      int paths = Integer.parseInt(parts[5]);
      long token = Long.parseUnsignedLong(parts[1], 16);
      return places.isEmpty() || paths < 1 || path(token) != 0
          ? Optional.empty()
          : Optional.of(
              new TcpAddress(token, parts[2].equals("always"), parts[3], places, paths, name));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Empty if one of them is none. */
  private static List<InetSocketAddress> places(String text) {
    List<InetSocketAddress> all = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      Optional<InetSocketAddress> place = toPlace(each);
      if (place.isEmpty() || all.size() == MOST_PLACES) {
        return List.of();
      }
      all.add(place.get());
    }
    return all;
  }

  private static Optional<InetSocketAddress> toPlace(String text) {
    int colon = text.lastIndexOf(':');
    try {
      int port = colon > 0 ? Integer.parseInt(text.substring(colon + 1)) : 0;
      return port < 1 || port > 65535
          ? Optional.empty()
          : literal(text.substring(0, colon)).map(host -> new InetSocketAddress(host, port));
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
