package io.tagfabric.provider.aeron;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.wire.Packet;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A publication to one stream of a peer. A few packets offered before it is connected wait here, so
 * that a greeting leaves as soon as it can. A publication that nobody hears for long is closed; the
 * next packet opens another.
 */
final class AeronChannel implements Channel {
  private static final int MAX_HELD = 8;
  private static final long NOT_OPENED = -1;

  private final AeronNode node;
  private final AeronAddress peer;
  private final InetSocketAddress socket;
  private final int stream;
  private final Consumer<AeronChannel> opens;
  private final ArrayDeque<Packet> held = new ArrayDeque<>();
  private long registration = NOT_OPENED;
  private ExclusivePublication publication;
  private boolean connected;
  private long lastUsedNs;
  private String closedBecause;
  private FabricError closedWith = FabricError.SHUTDOWN;

  /**
   * A channel to a stream of a peer.
   *
   * @param opens runs each time a publication begins to open; {@link #connect} goes on with it
   */
  AeronChannel(AeronNode node, AeronAddress peer, int stream, Consumer<AeronChannel> opens) {
    this.node = node;
    this.peer = peer;
    this.stream = stream;
    this.opens = opens;
    socket = peer.toSocketAddress();
  }

  @Override
  public boolean offer(Packet packet) {
    if (closedBecause != null) {
      return true;
    }
    if (connected) {
      return publish(packet);
    }
    if (held.size() == MAX_HELD) {
      return false;
    }
    packet.retain();
    held.addLast(packet);
    open();
    return true;
  }

  private void open() {
    lastUsedNs = node.nanoTime();
    if (registration == NOT_OPENED) {
      Optional<String> noRoom = node.room().noneForStream();
      if (noRoom.isPresent()) {
        closedWith = FabricError.NO_MEMORY;
        close(noRoom.get());
        return;
      }
      int datagramBytes = Math.min(node.mtuBytes(), peer.mtuBytes());
      registration = node.publish(peer.socket(), datagramBytes, stream);
      opens.accept(this);
    }
  }

  private boolean publish(Packet packet) {
    try {
      return offerTo(publication, packet);
    } catch (InternalError e) {
      node.memoryLost(e);
      return true;
    }
  }

  private boolean offerTo(ExclusivePublication publication, Packet packet) {
    long position = publication.offer(packet.buffer(), 0, packet.length());
    if (position == Publication.ADMIN_ACTION) {
      // A term has just ended; the packet fits into the next.
      position = publication.offer(packet.buffer(), 0, packet.length());
    }
    if (position > 0) {
      node.offered();
      return true;
    }
    if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
      close("publication to " + peer.socket() + ": " + Publication.errorString(position));
      return true;
    }
    return false;
  }

  /** Goes on with opening and sends what waits for it. Returns the work done. */
  int connect() {
    if (registration == NOT_OPENED || connected || closedBecause != null) {
      return 0;
    }
    if (publication == null) {
      try {
        publication = node.publication(registration);
      } catch (RuntimeException e) {
        close("no publication to " + peer.socket() + ": " + e.getMessage());
      }
      return 1;
    }
    if (!publication.isConnected()) {
      return 0;
    }
    while (!held.isEmpty()) {
      Packet packet = held.peekFirst();
      if (!publish(packet)) {
        return 0;
      }
      held.pollFirst();
      packet.release();
    }
    connected = true;
    return 1;
  }

  /** Whether {@link #connect} has something to do still. */
  boolean isOpening() {
    return registration != NOT_OPENED && !connected && closedBecause == null;
  }

  /** Closes a publication that has had no receiver, and nothing to send, since the given time. */
  void closeUnused(long sinceNs) {
    if (publication == null) {
      return;
    }
    if (publication.isConnected()) {
      lastUsedNs = node.nanoTime();
    } else if (lastUsedNs - sinceNs < 0) {
      publication.close();
      publication = null;
      registration = NOT_OPENED;
      connected = false;
      dropHeld();
    }
  }

  /** Whether the peer's node is at this address. */
  boolean leadsTo(InetSocketAddress address) {
    return socket.equals(address);
  }

  @Override
  public FabricError closedWith() {
    return node.hasLostMemory() ? FabricError.NO_MEMORY : closedWith;
  }

  @Override
  public String closedBecause() {
    return closedBecause;
  }

  /** The peer's node has gone: its flows are lost, as those of a process that was killed. */
  void refused(String reason) {
    if (closedBecause == null) {
      closedWith = FabricError.CONNECTION_RESET;
      close(reason);
    }
  }

  /** Nothing can be sent any more. */
  void close(String reason) {
    if (closedBecause == null) {
      closedBecause = reason;
      dropHeld();
      if (publication != null && !node.hasLostMemory()) {
        publication.close();
      }
    }
  }

  private void dropHeld() {
    held.forEach(Packet::release);
    held.clear();
  }
}
