package io.tagfabric.provider.shm;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The slots of a domain for packets that are too long for a ring. They lie in the sender's own
 * file: so only one thread takes slots, nobody has to be repaired, and a dead sender's slots vanish
 * with it. A receiver gives a slot back by one write.
 *
 * <p>Thread: the domain's loop.
 */
final class ShmPool {
  private final UnsafeBuffer buffer;
  private final ShmLayout layout;
  private final ShmPeer[] lentTo;
  private int next;

  ShmPool(UnsafeBuffer buffer, ShmLayout layout) {
    this.buffer = buffer;
    this.layout = layout;
    lentTo = new ShmPeer[layout.slots];
  }

  /**
   * Takes a slot and fills it.
   *
   * @return the slot, -1 if none is free
   */
  int fill(ShmPeer peer, DirectBuffer packet, int length) {
    for (int tried = 0; tried < layout.slots; tried++) {
      int slot = next;
      next = slot + 1 == layout.slots ? 0 : slot + 1;
      int stateAt = layout.stateAt(slot);
      if (buffer.getIntVolatile(stateAt) == ShmLayout.SLOT_FREE) {
        buffer.putInt(stateAt, ShmLayout.SLOT_LENT);
        lentTo[slot] = peer;
        buffer.putBytes(layout.slotAt(slot), packet, 0, length);
        return slot;
      }
    }
    return -1;
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
