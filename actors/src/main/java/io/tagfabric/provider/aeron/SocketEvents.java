package io.tagfabric.provider.aeron;

import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/** What the sockets of a media driver tell its node. Thread: the loop. */
interface SocketEvents {
  void onOpened(DatagramChannel socket);

  void onClosed(DatagramChannel socket);

  /**
   * Whether what receivers tell this sender is left for the next duty cycle. While nothing is on
   * its way but one short message, a look at each socket takes as long as all else of a cycle.
   */
  boolean leavesStatus();

  /** Nobody listens at the address: its host has said so, again and again. */
  void onRefused(InetSocketAddress peer);
}
