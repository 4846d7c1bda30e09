package io.tagfabric.provider.tcp;

import io.tagfabric.progress.WarningRate;
import io.tagfabric.provider.tcp.line.Poller;
import io.tagfabric.provider.tcp.line.Ready;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** The connections to a node that have not proved themselves. Thread: the domain's loop. */
final class Guests implements Ready {
  /** So many at most. */
  static final int MOST = 64;

  private final TcpNode node;
  private final Poller poller;
  private final List<ServerSocketChannel> doors;
  private final WarningRate strangers;
  private final List<Guest> all = new ArrayList<>();

  /** Whether there are as many as may be. */
  private boolean full;

  private boolean closed;

  /**
   * None yet.
   *
   * @param strangers warns of what guests do and peers never do
   */
  Guests(TcpNode node, Poller poller, List<ServerSocketChannel> doors, WarningRate strangers) {
    this.node = node;
    this.poller = poller;
    this.doors = doors;
    this.strangers = strangers;
  }

  /** Takes those that have come, and from now on all. */
  void welcome() {
    doors.forEach(door -> poller.register(door, SelectionKey.OP_ACCEPT, this));
  }

  WarningRate strangers() {
    return strangers;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Somebody is at a door. */
  @Override
  public int onReady() {
    int accepted = 0;
    try {
      for (ServerSocketChannel door : doors) {
        SocketChannel socket = all.size() < MOST ? door.accept() : null;
        while (socket != null) {
          accepted++;
          all.add(Guest.at(node, socket));
          socket = all.size() < MOST ? door.accept() : null;
        }
      }
      if (all.size() == MOST) {
        full = true; // others wait where the system keeps them: most of them may be peers
        doors.forEach(door -> poller.register(door, 0, this));
      }
    } catch (IOException e) {
      strangers.warn(() -> "a connection cannot be accepted: " + e.getMessage());
    }
    return accepted;
  }

  /** One has become a connection, or is closed. */
  void remove(Guest guest) {
    all.remove(guest);
    if (full && !closed) {
      full = false;
      welcome();
    }
  }

  /** This node's own call to a peer has brought a connection. */
  void dropHeldFor(TcpPeer peer) {
    for (Guest guest : List.copyOf(all)) {
      if (guest.isHeldFor(peer)) {
        guest.close();
      }
    }
  }

  /** It has failed: a guest that was held for its outcome goes on. Whether there is one. */
  boolean goOnFor(TcpPeer peer) {
    boolean found = false;
    for (Guest guest : List.copyOf(all)) {
      if (guest.isHeldFor(peer)) {
        guest.goOn();
      }
      found |= all.contains(guest) && guest.isFor(peer);
    }
    return found;
  }

  void close() {
    closed = true;
    List.copyOf(all).forEach(Guest::close);
    doors.forEach(door -> poller.close(door, door));
  }
}
