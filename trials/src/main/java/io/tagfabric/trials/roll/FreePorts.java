package io.tagfabric.trials.roll;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of this host that the system has just given away and taken back. */
final class FreePorts {
  private FreePorts() {}

  /** So many, all different. */
  static List<Integer> take(int count) {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      List<Integer> ports = held.stream().map(ServerSocket::getLocalPort).toList();
      for (ServerSocket socket : held) {
        socket.close();
      }
      return ports;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
