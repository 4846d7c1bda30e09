package io.tagfabric.cluster.profile;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * System properties of the JVM that runs a media driver, shared or embedded.
 *
 * <p>Aeron reads them when its classes load, so they are passed on the command line, or applied
 * before the first use of Aeron.
 */
public final class AeronTuning {
  /**
   * Length of one of the three terms of a log buffer. A frame may be an eighth of it, so this is
   * the smallest that carries Artery's frames of 256 KiB.
   */
  public static final int TERM_LENGTH_BYTES = 2 * 1024 * 1024;

  /**
   * Largest datagram. Ranks of one host talk over loopback, whose packets hold 64 KiB: a message of
   * that size takes 0.7 ms against 20 ms in 47 datagrams of Aeron's 1408 bytes.
   */
  public static final int MTU_BYTES = 60 * 1024;

  /** Socket buffers and first window; with Aeron's 128 KiB a message of 64 KiB takes 10 ms. */
  private static final int SOCKET_BUFFER_BYTES = 2 * 1024 * 1024;

  /** Largest datagram where the limits of the system are not known; macOS refuses above 9216. */
  private static final int CAUTIOUS_MTU_BYTES = 8 * 1024;

  private static final int FRAME_ALIGNMENT = 32;

  /** Aeron's own default, which fits into a packet of Ethernet. */
  private static final int LEAST_MTU_BYTES = 1408;

  /** Of IPv6 and UDP. */
  private static final int HEADERS = 48;

  private static final String MTU = "aeron.mtu.length";
  private static final Path SYSTEM_LIMITS = Path.of("/proc/sys/net/core");

  private AeronTuning() {}

  /** The properties and their values, within the limits that the operating system sets. */
  public static Map<String, String> properties() {
    return properties(SYSTEM_LIMITS);
  }

  /**
   * The properties as {@code -Dname=value}, for a driver whose ranks listen at an address: a
   * datagram fits into one packet of its interface.
   */
  public static List<String> jvmFlags(InetAddress address) {
    Map<String, String> properties = properties(SYSTEM_LIMITS);
    int mtu = Integer.parseInt(properties.get(MTU));
    int datagram = datagramBytes(address);
    properties.put(MTU, Integer.toString(Math.min(mtu, datagram - datagram % FRAME_ALIGNMENT)));
    return properties.entrySet().stream()
        .map(property -> "-D" + property.getKey() + "=" + property.getValue())
        .toList();
  }

  /** Sets those properties that the user has not set. */
  public static void apply() {
    properties()
        .forEach(
            (name, value) -> {
              if (System.getProperty(name) == null) {
                System.setProperty(name, value);
              }
            });
  }

  static Map<String, String> properties(Path systemLimits) {
    OptionalInt receiveLimit = limit(systemLimits.resolve("rmem_max"));
    OptionalInt sendLimit = limit(systemLimits.resolve("wmem_max"));
    boolean known = receiveLimit.isPresent() && sendLimit.isPresent();
    int receive = Math.min(SOCKET_BUFFER_BYTES, receiveLimit.orElse(SOCKET_BUFFER_BYTES));
    int send = Math.min(SOCKET_BUFFER_BYTES, sendLimit.orElse(SOCKET_BUFFER_BYTES));
    int mtu = Math.min(known ? MTU_BYTES : CAUTIOUS_MTU_BYTES, Math.min(receive, send));
    Map<String, String> properties = new LinkedHashMap<>();
    // pages are allocated when first written, not 48 MiB a peer at once
    properties.put("aeron.term.buffer.sparse.file", "true");
    // the starter of a driver sees to room; Aeron would print a stack trace for each rank and
    // buffer
    properties.put("aeron.low.file.store.warning.threshold", "0");
    properties.put("aeron.term.buffer.length", Integer.toString(TERM_LENGTH_BYTES));
    properties.put(MTU, Integer.toString(mtu - mtu % FRAME_ALIGNMENT));
    properties.put("aeron.socket.so_rcvbuf", Integer.toString(receive));
    properties.put("aeron.socket.so_sndbuf", Integer.toString(send));
    properties.put(
        "aeron.rcv.initial.window.length",
        Integer.toString(Math.min(receive, TERM_LENGTH_BYTES / 2)));
    return properties;
  }

  private static int datagramBytes(InetAddress address) {
    try {
      NetworkInterface at = NetworkInterface.getByInetAddress(address);
      // all of 127.0.0.0/8 is loopback, but only 127.0.0.1 is listed
      boolean isLong = at == null ? address.isLoopbackAddress() : at.getMTU() > MTU_BYTES;
      return isLong ? MTU_BYTES : Math.max(LEAST_MTU_BYTES, at == null ? 0 : at.getMTU() - HEADERS);
    } catch (SocketException unknown) {
      return LEAST_MTU_BYTES;
    }
  }

  private static OptionalInt limit(Path file) {
    // a file of sysctl gives all it has to the first read and nothing to a second one, with which
    // Files.readString would go on
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      String line = lines.readLine();
      return line == null
          ? OptionalInt.empty()
          : OptionalInt.of((int) Math.min(Long.parseLong(line.trim()), Integer.MAX_VALUE));
    } catch (IOException | NumberFormatException notLinux) {
      return OptionalInt.empty();
    }
  }
}
