package io.tagfabric.provider.shm;

import io.tagfabric.provider.shm.ring.ShmLayout;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PayloadCopy;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The slots of a domain for packets that are too long for a ring. They lie in the sender's own
 * file: so only one thread takes slots, nobody has to be repaired, and a dead sender's slots vanish
 * with it. A receiver gives a slot back by one write.
 *
 * <p>Slots take turns. The lines of one that has just been read are in the reader's nearest cache,
 * and writing them takes twice as long as a little later. After {@value #ROUND_BYTES} bytes it is
 * the first one's turn again, so that what is written is still in a cache of this processor.
 *
 * <p>Thread: the domain's loop.
 */
final class ShmPool {
  /** More than a first-level cache holds, and much less than a second-level one. */
  static final int ROUND_BYTES = 256 * 1024;

  private final UnsafeBuffer buffer;
  private final ShmLayout layout;
  private final PayloadCopy copy;
  private final ShmPeer[] lentTo;
  private final Packet[] packets;

  /** Whose turn it is. */
  private int next;

  /** Bytes that have left in slots since it was the first one's turn. */
  private int roundBytes;

  /**
   * The slots of a domain's file.
   *
   * @param copy writes long payloads into them
   */
  ShmPool(UnsafeBuffer buffer, ShmLayout layout, PayloadCopy copy) {
    this.buffer = buffer;
    this.layout = layout;
    this.copy = copy;
    lentTo = new ShmPeer[layout.slots];
    packets = new Packet[layout.slots];
  }

  /** An empty packet in a slot, to be sent from there or released; null if no slot is free. */
  Packet packet() {
    int slot = take();
    if (slot < 0) {
      return null;
    }
    Packet packet = packets[slot];
    if (packet == null) {
      packet =
          Packet.lent(
              buffer, layout.slotAt(slot), layout.slotBytes, copy, notUsed -> released(slot));
      packets[slot] = packet;
      return packet;
    }
    return packet.renew();
  }

  private void released(int slot) {
    if (lentTo[slot] == null) {
      giveBack(slot);
    }
  }

  /** The slot that a packet lies in, -1 if it lies elsewhere. */
  int slotOf(Packet packet) {
    long offset = packet.buffer().addressOffset() - buffer.addressOffset() - layout.slotsAt;
    boolean here =
        packet.array() == null && offset >= 0 && offset / layout.slotBytes < packets.length;
    return here ? (int) (offset / layout.slotBytes) : -1;
  }

  /** A packet in a slot is on its way; the peer gives the slot back. */
  void sent(int slot, ShmPeer peer, int length) {
    lentTo[slot] = peer;
    roundBytes += length;
  }

  /** Takes the free slot whose turn it is. */
  private int take() {
    if (roundBytes >= ROUND_BYTES) {
      next = 0;
      roundBytes = 0;
    }
    int slot = firstFree(next, layout.slots);
    if (slot < 0) {
      slot = firstFree(0, next);
    }
    if (slot >= 0) {
      buffer.putInt(layout.stateAt(slot), ShmLayout.SLOT_LENT);
      lentTo[slot] = null;
      next = slot + 1;
    }
    return slot;
  }

  private int firstFree(int from, int to) {
    for (int slot = from; slot < to; slot++) {
      if (buffer.getIntVolatile(layout.stateAt(slot)) == ShmLayout.SLOT_FREE) {
        return slot;
      }
    }
    return -1;
  }

  /**
   * Takes a slot and fills it.
   *
   * @return the slot, -1 if none is free
   */
  int fill(DirectBuffer packet, int length) {
    int slot = take();
    if (slot >= 0) {
      copy.copy(packet, 0, buffer, layout.slotAt(slot), length);
    }
    return slot;
  }

  /** Takes a slot back that nobody has heard of. */
  void giveBack(int slot) {
    lentTo[slot] = null;
    buffer.putInt(layout.stateAt(slot), ShmLayout.SLOT_FREE);
  }

  /** Takes back what a peer has that reads no more. */
  void reclaim(ShmPeer peer) {
    for (int slot = 0; slot < lentTo.length; slot++) {
      if (lentTo[slot] == peer) {
        giveBack(slot);
      }
    }
  }
}
