package io.tagfabric.provider.shm;

import io.tagfabric.provider.AbsentEndpoints;
import io.tagfabric.provider.WireListener;
import io.tagfabric.provider.shm.ring.BrokenRingException;
import io.tagfabric.provider.shm.ring.ShmSenders;
import io.tagfabric.wire.InjectRecord;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.List;
import java.util.function.BiConsumer;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Hands the records that have come to the endpoints of the domain.
 *
 * <p>A record is a packet, or, for a long one, where the packet lies: the number of the sender's
 * entry, the slot, the length (4 bytes each). The record's type is the endpoint's number plus one,
 * with {@value #SLOT_FLAG} added for a long one. Packets are read where they lie. A short message
 * that needs no packet is a record of its own, with {@value #INJECT_FLAG} added: see {@link
 * InjectRecord}.
 *
 * <p>Thread: the domain's loop.
 */
final class ShmArrivals {
  static final int SLOT_FLAG = 1 << 30;

  /** Added to the type of a record that is one short message. */
  static final int INJECT_FLAG = 1 << 29;

  /** Added to the type of a record that is frames without a packet's header. */
  static final int FRAMES_FLAG = 1 << 28;

  static final int SLOT_RECORD_BYTES = 12;

  private final ShmSenders<ShmPeer> senders;
  private final AbsentEndpoints absent;
  private final BiConsumer<ShmPeer, InternalError> onCut;
  private final Packet view = Packet.view();
  private final MessageView injected = new MessageView();
  private final Int2ObjectHashMap<WireListener> listeners = new Int2ObjectHashMap<>();
  private int lastType;
  private WireListener lastListener;

  /**
   * The arrivals of a domain without endpoints.
   *
   * @param absent takes packets for endpoints that are not here
   * @param onCut hears of a peer whose file ends before a slot of it
   */
  ShmArrivals(
      ShmSenders<ShmPeer> senders,
      AbsentEndpoints absent,
      BiConsumer<ShmPeer, InternalError> onCut) {
    this.senders = senders;
    this.absent = absent;
    this.onCut = onCut;
  }

  /** Type of the records for an endpoint. */
  static int typeOf(int endpoint) {
    return endpoint + 1;
  }

  void add(int endpoint, WireListener listener) {
    listeners.put(typeOf(endpoint), listener);
    lastListener = null;
  }

  void remove(int endpoint) {
    listeners.remove(typeOf(endpoint));
    lastListener = null;
  }

  /** Whether the domain has no endpoints. */
  boolean isEmpty() {
    return listeners.isEmpty();
  }

  /** The endpoints' ears, as they are now. */
  List<WireListener> listeners() {
    return List.copyOf(listeners.values());
  }

  /**
   * Takes a record.
   *
   * @throws BrokenRingException if no sender writes such a one
   */
  void onRecord(DirectBuffer memory, int type, int index, int length) {
    int flags = type & (SLOT_FLAG | INJECT_FLAG | FRAMES_FLAG);
    if (type - flags <= 0
        || (flags & flags - 1) != 0 // more than one
        || (flags == SLOT_FLAG && length != SLOT_RECORD_BYTES)
        || (flags == FRAMES_FLAG && length < Long.BYTES)) {
      throw new BrokenRingException("a record has type=" + type + " and length=" + length);
    }
    if (flags == INJECT_FLAG) {
      onInjected(type & ~INJECT_FLAG, memory, index, length);
    } else if (flags == FRAMES_FLAG) {
      WireListener listener = listenerOf(type & ~FRAMES_FLAG);
      if (listener != null) {
        view.show(memory, index + Long.BYTES, length - Long.BYTES);
        listener.onFrames(memory.getLong(index), view);
      }
    } else if (flags == 0) {
      onPacket(type, memory, index, length);
    } else {
      onSlot(
          type & ~SLOT_FLAG,
          senders.peer(memory.getInt(index)),
          memory.getInt(index + 4),
          memory.getInt(index + 8));
    }
  }

  private void onInjected(int type, DirectBuffer memory, int index, int length) {
    WireListener listener = listenerOf(type);
    if (listener != null && InjectRecord.read(memory, index, length, injected)) {
      listener.onInjected(InjectRecord.flow(memory, index), injected);
    }
  }

  /** Most records are for the endpoint of the one before. */
  private WireListener listenerOf(int type) {
    WireListener listener = lastListener;
    if (listener == null || type != lastType) {
      listener = listeners.get(type);
      lastType = type;
      lastListener = listener;
    }
    return listener;
  }

  private void onSlot(int type, ShmPeer peer, int slot, int length) {
    if (peer != null && peer.gone() == null && peer.hasSlot(slot, length) && isThere(peer, slot)) {
      onPacket(type, peer.memory(), peer.slotAt(slot), length);
      peer.freeSlot(slot);
    }
  }

  /** Whether the file of a peer reaches to the end of a slot; then it does so while it is read. */
  private boolean isThere(ShmPeer peer, int slot) {
    try {
      peer.memory().getByte(peer.slotAt(slot) + peer.slotBytes() - 1);
      return true;
    } catch (InternalError e) {
      onCut.accept(peer, e);
      return false;
    }
  }

  private void onPacket(int type, DirectBuffer memory, int index, int length) {
    view.show(memory, index, length);
    WireListener listener = listenerOf(type);
    if (listener != null) {
      listener.onPacket(view);
    } else {
      absent.onPacket(view);
    }
  }
}
