package io.tagfabric.provider.aeron;

import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/** What the sockets of a media driver tell its node. Thread: the loop. */
interface SocketEvents {
  void onOpened(DatagramChannel socket);

  void onClosed(DatagramChannel socket);

  /**
   * Whether the sending sockets are not read in this duty cycle: what receivers tell the sender
   * waits for the next full one. To read a socket takes as long as all else of a cycle.
   */
  boolean leavesStatus();

  /** Nobody listens at the address: its host has said so, again and again. */
  void onRefused(InetSocketAddress peer);
}
