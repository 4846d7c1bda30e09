package io.tagfabric.provider.aeron;

import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/** What the sockets of a media driver tell its node. Thread: the loop. */
interface SocketEvents {
  void onOpened(DatagramChannel socket);

  void onClosed(DatagramChannel socket);

  /** Nobody listens at the address: its host has said so, again and again. */
  void onRefused(InetSocketAddress peer);
}
