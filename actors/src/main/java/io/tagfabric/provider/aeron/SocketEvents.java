package io.tagfabric.provider.aeron;

import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/** What the sockets of a media driver tell its node. Thread: the loop. */
interface SocketEvents {
  void onOpened(DatagramChannel socket);

  void onClosed(DatagramChannel socket);

  /** The open one is that at which data comes in. */
  void onListening(ListeningSocket socket);

  /** That one is closed. */
  void onDeaf(ListeningSocket socket);

  /**
   * Whether this duty cycle is for what goes out: then no socket is read, which takes as long as
   * all else of a cycle.
   */
  boolean isSending();

  /** Nobody listens at the address: its host has said so, again and again. */
  void onRefused(InetSocketAddress peer);
}
