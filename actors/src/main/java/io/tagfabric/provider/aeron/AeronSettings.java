package io.tagfabric.provider.aeron;

import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Setting;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.Interfaces;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/**
 * The settings {@code tagfabric.aeron.*}.
 *
 * @param host address this node listens at and names to its peers, unless interfaces are given
 * @param interfaces selectors of the one whose address that is; empty for none
 * @param port UDP port, 0 for any free one
 * @param mtuBytes longest datagram, 0 for what the interface carries
 * @param termBytes length of one of the three terms of a stream's buffer
 * @param windowBytes a sender may be so far ahead of a receiver
 * @param socketBufferBytes of each socket in each direction, as far as the system allows
 * @param streamTimeoutNs silence after which a receiver forgets a stream
 */
public record AeronSettings(
    String host,
    List<String> interfaces,
    int port,
    int mtuBytes,
    int termBytes,
    int windowBytes,
    int socketBufferBytes,
    long streamTimeoutNs) {
  private static final int KIB = 1024;
  private static final long MIB = 1024L * KIB;

  public static final Setting<String> HOST = Setting.string("aeron.host");
  public static final Setting<List<String>> INTERFACES = Setting.strings("aeron.interfaces");
  public static final Setting<Integer> PORT = Setting.integer("aeron.port", 0, 65535);
  public static final Setting<Long> MTU = Setting.bytes("aeron.mtu", 0, Mtu.LARGEST);
  public static final Setting<Long> TERM_LENGTH =
      Setting.bytes("aeron.term-length", 512 * KIB, 1024 * MIB);
  public static final Setting<Long> RECEIVE_WINDOW =
      Setting.bytes("aeron.receive-window", 64 * KIB, 512 * MIB);
  public static final Setting<Long> SOCKET_BUFFER =
      Setting.bytes("aeron.socket-buffer", 64 * KIB, 512 * MIB);
  public static final Setting<Duration> STREAM_TIMEOUT =
      Setting.duration("aeron.stream-timeout", Duration.ofSeconds(1), Duration.ofHours(1));

  /** All of them, in the order of {@code reference.conf}. */
  public static final List<Setting<?>> ALL =
      List.of(
          HOST, INTERFACES, PORT, MTU, TERM_LENGTH, RECEIVE_WINDOW, SOCKET_BUFFER, STREAM_TIMEOUT);

  public AeronSettings {
    interfaces = List.copyOf(interfaces);
    if (Integer.bitCount(termBytes) != 1) {
      throw new IllegalArgumentException(
          TERM_LENGTH.fullKey()
              + "="
              + termBytes
              + " is not a power of two, take "
              + Integer.highestOneBit(termBytes));
    }
    if (mtuBytes != 0 && mtuBytes < Mtu.SMALLEST) {
      throw new IllegalArgumentException(
          MTU.fullKey() + "=" + mtuBytes + " < " + Mtu.SMALLEST + ", 0 asks the interface");
    }
  }

  /**
   * Reads them; without a host or interfaces of its own the node listens where the job does.
   *
   * @throws IllegalArgumentException if both are given, or a number does not fit
   */
  public static AeronSettings of(Settings settings) {
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
    int port = settings.get(PORT);
    return new AeronSettings(
        host.isBlank() ? settings.get(JobSettings.HOST) : host,
        interfaces,
        port == 0 ? 0 : port + settings.get(JobSettings.RANK),
        settings.get(MTU).intValue(),
        settings.get(TERM_LENGTH).intValue(),
        settings.get(RECEIVE_WINDOW).intValue(),
        settings.get(SOCKET_BUFFER).intValue(),
        settings.get(STREAM_TIMEOUT).toNanos());
  }

  /**
   * The address to listen at.
   *
   * @throws IllegalArgumentException if it is unknown, or no interface of this host is selected
   */
  InetAddress address() {
    return address(Interfaces.ofThisHost());
  }

  /** The same among the interfaces of a host. */
  public InetAddress address(Interfaces ofHost) {
    if (!interfaces.isEmpty()) {
      return ofHost.choose(INTERFACES, interfaces);
    }
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          HOST.fullKey() + "=" + host + " is unknown, name an address of this host", e);
    }
  }

  /** The setting that says where to listen, and its value. */
  String place() {
    return interfaces.isEmpty()
        ? HOST.fullKey() + "=" + host
        : INTERFACES.fullKey() + "=" + interfaces;
  }
}
