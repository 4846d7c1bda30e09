package io.tagfabric.flow;

import io.tagfabric.flow.send.FlowTrace;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.trace.TraceKind;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.TaggedArrivals;
import io.tagfabric.wire.sbe.EagerDecoder;

/**
 * The lane beside a flow whose messages nobody waits for: each is an Eager frame in a packet that
 * is not counted. None is kept, repeated, ordered or held for a receive; there are numbers of them.
 * Single threaded: the domain's loop.
 *
 * @source libfabric fi_endpoint(3), FI_EP_DGRAM
 */
final class Datagrams {
  private final PacketOutbox outbox;
  private final FrameOrigin origin;
  private final TaggedArrivals arrivals;
  private final FlowCounters counters;
  private final FlowTrace trace;
  private final long mostTakenBytes;
  private final MessageView view = new MessageView();
  private final EagerDecoder eager = new EagerDecoder();

  /**
   * The lane of a flow.
   *
   * @param mostTakenBytes longest message that this side takes, -1 if none
   */
  Datagrams(
      PacketOutbox outbox,
      FrameOrigin origin,
      TaggedArrivals arrivals,
      FlowCounters counters,
      FlowTrace trace,
      long mostTakenBytes) {
    this.outbox = outbox;
    this.origin = origin;
    this.arrivals = arrivals;
    this.counters = counters;
    this.trace = trace;
    this.mostTakenBytes = mostTakenBytes;
  }

  /** Hands a message to the channel; one for which it has no room is dropped and counted. */
  void send(MessageView message) {
    Packet packet = outbox.uncounted(FrameWriter.eagerLength(message.length()));
    outbox.writer().eager(packet, message);
    boolean leaves = outbox.offerUncounted(packet, 0);
    if (leaves) {
      counters.datagramsSent++;
    } else {
      counters.datagramsUnsent++;
    }
    if (trace.isOn()) {
      trace.datagram(leaves ? TraceKind.DATAGRAM_SENT : TraceKind.DATAGRAM_UNSENT, message);
    }
  }

  /**
   * Takes the frame that the cursor stands on.
   *
   * @return false if it does not follow the schema
   */
  boolean onFrame(FrameCursor frame) {
    if (!frame.hasBlock(EagerDecoder.BLOCK_LENGTH)) {
      return false;
    }
    eager.wrap(frame.buffer(), frame.blockAt(), EagerDecoder.BLOCK_LENGTH, frame.version());
    view.show(eager.tag(), frame.buffer(), frame.payloadAt(), frame.payloadLength());
    if ((eager.flags() & PacketLayout.HAS_DATA) != 0) {
      view.showData(eager.data());
    }
    if ((eager.flags() & PacketLayout.UNTAGGED) != 0) {
      view.showUntagged();
    }
    counters.datagramsReceived++;
    if (trace.isOn()) {
      trace.datagram(TraceKind.DATAGRAM_ARRIVED, view);
    }
    if (view.length() > mostTakenBytes) {
      counters.datagramsDropped++;
      if (trace.isOn()) {
        trace.datagramDropped();
      }
    } else {
      arrivals.datagram(origin, view);
    }
    return true;
  }
}
