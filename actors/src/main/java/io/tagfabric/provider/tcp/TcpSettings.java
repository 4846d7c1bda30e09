package io.tagfabric.provider.tcp;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.Interfaces;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/**
 * The settings {@code tagfabric.tcp.*}.
 *
 * @param host address this node listens at, unless interfaces are given
 * @param interfaces selectors of those whose addresses these are; empty for none
 * @param ports which it may listen at
 * @param toldHost address that it names to its peers, empty for the one it listens at
 * @param toldPort port that it names to its peers, 0 for the one it listens at
 * @param dscp differentiated services code point of the packets, 0 to 63
 * @param dial who makes the connections
 * @param dialTimeoutNs how long a connection may take to be made
 * @param retryNs how long a peer that cannot be dialled is reached otherwise
 * @param resumeNs how long a connection that has broken may take to be made again
 */
public record TcpSettings(
    String host,
    List<String> interfaces,
    PortRange ports,
    String toldHost,
    int toldPort,
    int dscp,
    Dial dial,
    long dialTimeoutNs,
    long retryNs,
    long resumeNs) {
  /** Whether this node can be dialled. */
  public enum Dial {
    /** The side that sends first dials. */
    ALWAYS,
    /** This node cannot be dialled, so it dials all its peers. */
    NEVER
  }

  public static final Setting<String> HOST = Setting.string("tcp.host");
  public static final Setting<List<String>> INTERFACES = Setting.strings("tcp.interfaces");
  public static final Setting<String> PORTS = Setting.string("tcp.ports");
  public static final Setting<String> CANONICAL_HOST = Setting.string("tcp.canonical-host");
  public static final Setting<Integer> CANONICAL_PORT =
      Setting.integer("tcp.canonical-port", 0, 65535);
  public static final Setting<Integer> DSCP = Setting.integer("tcp.dscp", 0, 63);
  public static final Setting<Dial> DIAL = Setting.choice("tcp.dial", Dial.class);
  public static final Setting<Duration> DIAL_TIMEOUT =
      Setting.duration("tcp.dial-timeout", Duration.ofMillis(10), Duration.ofMinutes(10));
  public static final Setting<Duration> DIAL_RETRY =
      Setting.duration("tcp.dial-retry", Duration.ofMillis(10), Duration.ofHours(1));
  public static final Setting<Duration> RESUME =
      Setting.duration("tcp.resume", Duration.ofMillis(10), Duration.ofHours(1));

  /** All of them, in the order of {@code reference.conf}. */
  public static final List<Setting<?>> ALL =
      List.of(
          HOST,
          INTERFACES,
          PORTS,
          CANONICAL_HOST,
          CANONICAL_PORT,
          DSCP,
          DIAL,
          DIAL_TIMEOUT,
          DIAL_RETRY,
          RESUME);

  public TcpSettings {
    interfaces = List.copyOf(interfaces);
  }

  /**
   * Reads them.
   *
   * @param remoting where Akka's remoting listens, and so does the node if neither a host nor
   *     interfaces are given
   * @param canonical what peers call that place
   * @throws IllegalArgumentException if both are given, or the ports are none
   */
  public static TcpSettings of(Settings settings, String remoting, String canonical) {
    String host = settings.get(HOST);
    List<String> interfaces = settings.get(INTERFACES);
    if (!host.isBlank() && !interfaces.isEmpty()) {
      throw new IllegalArgumentException(
          HOST.fullKey()
              + "="
              + host
              + " and "
              + INTERFACES.fullKey()
              + "="
              + interfaces
              + " both say where to listen, unset one of them");
    }
    String told = settings.get(CANONICAL_HOST);
    boolean same = host.isBlank() && interfaces.isEmpty() && told.isBlank();
    return new TcpSettings(
        host.isBlank() ? remoting : host,
        interfaces,
        PortRange.parse(settings.get(PORTS)).from(settings.get(JobSettings.RANK)),
        same ? canonical : told,
        settings.get(CANONICAL_PORT),
        settings.get(DSCP),
        settings.get(DIAL),
        settings.get(DIAL_TIMEOUT).toNanos(),
        settings.get(DIAL_RETRY).toNanos(),
        settings.get(RESUME).toNanos());
  }

  /**
   * The addresses to listen at, a rail each.
   *
   * @throws IllegalArgumentException if it is unknown, or no interface of this host is selected
   */
  List<InetAddress> addresses() {
    return addresses(Interfaces.ofThisHost());
  }

  /** The same among the interfaces of a host. */
  public List<InetAddress> addresses(Interfaces ofHost) {
    List<InetAddress> all =
        interfaces.isEmpty()
            ? List.of(resolve(HOST, host))
            : ofHost.chooseAll(INTERFACES, interfaces);
    return all.subList(0, Math.min(TcpAddress.MOST_PLACES, all.size()));
  }

  /**
   * The addresses that peers dial: the ones it listens at, or a single address for all rails.
   *
   * @throws IllegalArgumentException if it is unknown
   */
  List<InetAddress> toldAddresses() {
    return toldHost.isBlank() ? addresses() : List.of(resolve(CANONICAL_HOST, toldHost));
  }

  /** What peers call this node: a name if the settings, or those of remoting, have one. */
  String toldName() {
    String named = toldHost.isBlank() && interfaces.isEmpty() ? host : toldHost;
    return TcpAddress.isName(named) ? named : toldAddresses().get(0).getHostAddress();
  }

  private static InetAddress resolve(Setting<String> setting, String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          setting.fullKey() + "=" + host + " is unknown, name an address", e);
    }
  }

  /** The setting that says where to listen, and its value. */
  String place() {
    return interfaces.isEmpty()
        ? HOST.fullKey() + "=" + host
        : INTERFACES.fullKey() + "=" + interfaces;
  }
}
