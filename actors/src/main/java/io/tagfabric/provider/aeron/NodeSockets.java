package io.tagfabric.provider.aeron;

import io.tagfabric.progress.ProgressLoop;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntSupplier;

/**
 * The sockets of a node's driver, as far as the node reads them itself, and what they have told.
 * Thread: the loop. An interrupt would close a socket that is read, so each read puts it off.
 */
final class NodeSockets implements SocketEvents {
  /** More than a socket's buffer holds of the datagrams that a peer sent before its port closed. */
  private static final int MOST_LAST_READS = 4096;

  private final ProgressLoop loop;

  /** Where nobody listens any more; what came from there before may be unread still. */
  private final Deque<InetSocketAddress> refused = new ArrayDeque<>();

  /** Where data comes in; null while no subscription is open. */
  private ListeningSocket listening;

  private boolean sending;

  NodeSockets(ProgressLoop loop) {
    this.loop = loop;
  }

  /** Whether a look at the data socket alone is enough. */
  boolean suffices() {
    return listening != null && refused.isEmpty();
  }

  /** The driver runs for what goes out alone, from now on or no longer. */
  void sending(boolean now) {
    sending = now;
  }

  /** Reads datagrams that have come, at most so many. Returns how many. */
  int receive(int most) {
    if (most == 0 || listening == null) {
      return 0;
    }
    boolean interrupted = Thread.interrupted();
    int received = 0;
    while (received < most && listening.receive() > 0) {
      received++;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return received;
  }

  /**
   * Where nobody listens any more, once all that has come from there is read: a peer that closed in
   * order has said so, and must not be taken for a dead one.
   *
   * @param readStreams hands on what datagrams have brought, and returns the work done
   * @return null if there is none
   */
  InetSocketAddress gone(IntSupplier readStreams) {
    if (refused.isEmpty()) {
      return null;
    }
    int reads = 0;
    while (receive(1) + readStreams.getAsInt() > 0 && reads < MOST_LAST_READS) {
      reads++;
    }
    return refused.pollFirst();
  }

  @Override
  public void onOpened(DatagramChannel socket) {
    loop.watch(socket);
  }

  @Override
  public void onClosed(DatagramChannel socket) {
    loop.unwatch(socket);
  }

  @Override
  public void onListening(ListeningSocket socket) {
    listening = socket;
  }

  @Override
  public void onDeaf(ListeningSocket socket) {
    if (listening == socket) {
      listening = null;
    }
  }

  @Override
  public boolean isSending() {
    return sending;
  }

  @Override
  public void onRefused(InetSocketAddress peer) {
    refused.addLast(peer);
    loop.wake();
  }
}
