package io.tagfabric.wire;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * Packets of one domain, in two sizes. {@link #acquire} belongs to the domain's loop, packets come
 * back from any thread. An empty pool makes new ones, a full one drops what comes back: the number
 * of packets in use is bounded by the flows' windows, not here.
 */
public final class PacketPool {
  private static final int KEPT_SMALL = 256;
  private static final int KEPT_LARGE = 64;

  private final int smallCapacity;
  private final int largeCapacity;
  private final ArrayDeque<Packet> small = new ArrayDeque<>(KEPT_SMALL);
  private final ArrayDeque<Packet> large = new ArrayDeque<>(KEPT_LARGE);
  private final Consumer<Packet> owner = this::giveBack;
  private final ManyToOneConcurrentArrayQueue<Packet> returned =
      new ManyToOneConcurrentArrayQueue<>(KEPT_SMALL + KEPT_LARGE);

  /**
   * A pool.
   *
   * @param smallCapacity bytes of a packet that a pass begins with, header included
   * @param largeCapacity bytes of the largest packet, header included
   */
  public PacketPool(int smallCapacity, int largeCapacity) {
    if (smallCapacity < Packet.HEADER_LENGTH || largeCapacity < smallCapacity) {
      throw new IllegalArgumentException(
          "smallCapacity="
              + smallCapacity
              + " must be at least "
              + Packet.HEADER_LENGTH
              + " and not above largeCapacity="
              + largeCapacity);
    }
    this.smallCapacity = smallCapacity;
    this.largeCapacity = largeCapacity;
  }

  /** Bytes of the largest packet, header included. */
  public int largeCapacity() {
    return largeCapacity;
  }

  /**
   * Whether frames of {@code frameBytes} in all need a large packet.
   *
   * @throws IllegalArgumentException if no packet has room for them
   */
  public boolean isLarge(int frameBytes) {
    return capacityFor(frameBytes) > smallCapacity;
  }

  /** An empty packet with room for frames of {@code frameBytes} in all. */
  public Packet acquire(int frameBytes) {
    int needed = capacityFor(frameBytes);
    takeReturned();
    boolean isSmall = needed <= smallCapacity;
    Packet packet = isSmall ? small.pollLast() : large.pollLast();
    return packet != null
        ? packet.renew()
        : new Packet(isSmall ? smallCapacity : largeCapacity, owner);
  }

  /**
   * An empty packet with room for frames of {@code frameBytes} and no more, which the pool does not
   * keep: for the packets of a set-up, which are odd in size and come many at once.
   */
  public Packet single(int frameBytes) {
    return new Packet(capacityFor(frameBytes), packet -> {});
  }

  private int capacityFor(int frameBytes) {
    int needed = Packet.HEADER_LENGTH + frameBytes;
    if (needed > largeCapacity) {
      throw new IllegalArgumentException(
          "frameBytes="
              + frameBytes
              + " > largest packet's "
              + (largeCapacity - Packet.HEADER_LENGTH));
    }
    return needed;
  }

  /** Moves the frames of a small packet to a large one; gives the small one back. */
  public Packet grow(Packet packet) {
    return grow(packet, acquire(largeCapacity - Packet.HEADER_LENGTH));
  }

  /** Moves the frames of a packet to an empty larger one; gives the first one back. */
  public static Packet grow(Packet packet, Packet larger) {
    larger.copyFrom(packet);
    packet.release();
    return larger;
  }

  private void giveBack(Packet packet) {
    returned.offer(packet);
  }

  private void takeReturned() {
    Packet packet;
    while ((packet = returned.poll()) != null) {
      if (packet.capacity() == smallCapacity) {
        if (small.size() < KEPT_SMALL) {
          small.addLast(packet);
        }
      } else if (large.size() < KEPT_LARGE) {
        large.addLast(packet);
      }
    }
  }
}
