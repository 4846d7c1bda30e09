package io.tagfabric.provider.aeron;

import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketPool;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Makes packets of fragments. A packet that came in one is shown where it lies, in the stream's
 * buffer; the fragments of a longer one are copied into a packet. Fragments of a stream come in
 * order; a stream that ends leaves its unfinished packet here until {@link #forget}. Single
 * threaded.
 */
final class PacketAssembler implements FragmentHandler {
  private final PacketPool pool;
  private final Consumer<Packet> arrivals;
  private final Int2ObjectHashMap<Packet> unfinished = new Int2ObjectHashMap<>();
  private final Packet view = Packet.view();
  private long oversized;

  PacketAssembler(PacketPool pool, Consumer<Packet> arrivals) {
    this.pool = pool;
    this.arrivals = arrivals;
  }

  @Override
  public void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
    byte flags = header.flags();
    if ((flags & FrameDescriptor.UNFRAGMENTED) == FrameDescriptor.UNFRAGMENTED) {
      whole(buffer, offset, length);
    } else {
      part(buffer, offset, length, header.sessionId(), flags);
    }
  }

  private void whole(DirectBuffer buffer, int offset, int length) {
    if (length > pool.largeCapacity()) {
      oversized++;
      return;
    }
    view.show(buffer, offset, length);
    arrivals.accept(view);
  }

  private void part(DirectBuffer buffer, int offset, int length, int session, byte flags) {
    Packet packet;
    int at = 0;
    if ((flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0) {
      forget(session);
      packet = pool.acquire(pool.largeCapacity() - Packet.HEADER_LENGTH);
      unfinished.put(session, packet);
    } else {
      packet = unfinished.get(session);
      if (packet == null) {
        return;
      }
      at = packet.length();
    }
    if (at + length > pool.largeCapacity()) {
      oversized++;
      forget(session);
      return;
    }
    packet.buffer().putBytes(at, buffer, offset, length);
    packet.received(at + length);
    if ((flags & FrameDescriptor.END_FRAG_FLAG) != 0) {
      unfinished.remove(session);
      arrivals.accept(packet);
    }
  }

  /** Drops what has come of a packet of a session. */
  void forget(int session) {
    Packet packet = unfinished.remove(session);
    if (packet != null) {
      packet.release();
    }
  }

  void clear() {
    unfinished.values().forEach(Packet::release);
    unfinished.clear();
  }

  /** Packets dropped because they are longer than any of this domain. */
  long oversized() {
    return oversized;
  }
}
