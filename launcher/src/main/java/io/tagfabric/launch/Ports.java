package io.tagfabric.launch;

import io.tagfabric.cluster.host.LaunchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports that ranks can listen on.
 *
 * <p>They lie below the range from which the system takes the ports of outgoing connections, so
 * nobody gets one by chance between here and the rank's bind.
 */
final class Ports {
  private static final int LOWEST = 12_000;
  private static final int DEFAULT_HIGHEST = 32_768;
  private static final int LEAST_RANGE = 4_000;
  private static final int ATTEMPTS_PER_PORT = 200;
  private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

  private Ports() {}

  /**
   * Different ports, ascending, each free for TCP and UDP a moment ago.
   *
   * @throws LaunchException if too few are free
   */
  static List<Integer> free(InetAddress address, int count) {
    int highest = Math.max(LOWEST + LEAST_RANGE, firstEphemeral());
    TreeSet<Integer> found = new TreeSet<>();
    List<AutoCloseable> held = new ArrayList<>();
    try {
      for (int i = 0; i < count * ATTEMPTS_PER_PORT && found.size() < count; i++) {
        int port = ThreadLocalRandom.current().nextInt(LOWEST, highest);
        if (!found.contains(port) && hold(address, port, held)) {
          found.add(port);
        }
      }
    } finally {
      held.forEach(Ports::close);
    }
    if (found.size() < count) {
      throw new LaunchException(
          "found="
              + found.size()
              + " < needed="
              + count
              + " free ports between "
              + LOWEST
              + " and "
              + highest
              + " on "
              + address.getHostAddress()
              + ", close what listens there");
    }
    return List.copyOf(found);
  }

  private static boolean hold(InetAddress address, int port, List<AutoCloseable> held) {
    ServerSocket tcp = null;
    try {
      tcp = new ServerSocket(port, 1, address);
      held.add(new DatagramSocket(new InetSocketAddress(address, port)));
      held.add(tcp);
      return true;
    } catch (IOException taken) {
      if (tcp != null) {
        close(tcp);
      }
      return false;
    }
  }

  private static int firstEphemeral() {
    // one read, as a file of sysctl gives nothing to a second one
    try (BufferedReader lines = Files.newBufferedReader(EPHEMERAL)) {
      String line = lines.readLine();
      return line == null ? DEFAULT_HIGHEST : Integer.parseInt(line.trim().split("\\s+", 2)[0]);
    } catch (IOException | NumberFormatException notLinux) {
      return DEFAULT_HIGHEST;
    }
  }

  private static void close(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }
}
