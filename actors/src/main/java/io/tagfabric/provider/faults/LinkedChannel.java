package io.tagfabric.provider.faults;

import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.wire.Packet;
import java.util.ArrayDeque;

/** A channel that does with each packet what {@link Links} decide. */
final class LinkedChannel implements Channel {
  private final Channel channel;
  private final Links links;
  private final Links.End from;
  private final Links.End to;
  private final ArrayDeque<Packet> held = new ArrayDeque<>();

  LinkedChannel(Channel channel, Links links, Links.End from, Links.End to) {
    this.channel = channel;
    this.links = links;
    this.from = from;
    this.to = to;
  }

  @Override
  public boolean offer(Packet packet) {
    return switch (links.next(from, to)) {
      case DROP -> true;
      case HOLD -> hold(packet);
      case PASS -> passHeld() && channel.offer(packet);
      case DOUBLE -> {
        boolean passed = passHeld() && channel.offer(packet);
        if (passed) {
          channel.offer(packet);
        }
        yield passed;
      }
    };
  }

  private boolean hold(Packet packet) {
    packet.retain();
    held.add(packet);
    links.waiting(from, to, held.size());
    return true;
  }

  /** Hands on what was held, unless it still is; false if something is held afterwards. */
  boolean passHeld() {
    if (held.isEmpty() || links.isHeld(from, to)) {
      return held.isEmpty();
    }
    if (links.isCut(from, to)) {
      dropHeld();
      return true;
    }
    while (!held.isEmpty() && (channel.closedBecause() != null || channel.offer(held.peek()))) {
      held.poll().release();
    }
    links.waiting(from, to, held.size());
    return held.isEmpty();
  }

  void dropHeld() {
    held.forEach(Packet::release);
    held.clear();
    links.waiting(from, to, 0);
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public boolean isDrained() {
    return channel.isDrained();
  }

  @Override
  public void inquire() {
    channel.inquire();
  }

  @Override
  public FabricError closedWith() {
    return links.hasCrashed(to) ? FabricError.CONNECTION_RESET : channel.closedWith();
  }

  @Override
  public String closedBecause() {
    if (links.hides(from, to)) {
      return null;
    }
    return links.hasCrashed(to) ? "the peer's node has crashed" : channel.closedBecause();
  }
}
