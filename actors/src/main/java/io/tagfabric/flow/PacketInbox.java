package io.tagfabric.flow;

import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;

/** Puts received packets in order and hands their frames to those they are for. */
final class PacketInbox {
  private final Flow flow;
  private final FlowEvents events;
  private final ReceiveWindow arrivals;
  private final Dues dues;
  private final PeerWatch watch;
  private final RendezvousSender rendezvous;
  private final ControlQueue control;
  private final FlowCounters counters;

  PacketInbox(
      Flow flow,
      FlowEvents events,
      ReceiveWindow arrivals,
      Dues dues,
      PeerWatch watch,
      RendezvousSender rendezvous,
      ControlQueue control,
      FlowCounters counters) {
    this.flow = flow;
    this.events = events;
    this.arrivals = arrivals;
    this.dues = dues;
    this.watch = watch;
    this.rendezvous = rendezvous;
    this.control = control;
    this.counters = counters;
  }

  /** Takes a counted packet; its frames are handed on now, later, or never if it came before. */
  void onCounted(FrameBatch packet, long sequence, FrameCursor cursor) {
    counters.packetsReceived++;
    dues.packetComes(watch.lastHeardNs());
    switch (arrivals.offer(packet, sequence)) {
      case NEXT -> {
        deliver(packet, cursor);
        FrameBatch parked;
        while ((parked = arrivals.pollNext()) != null) {
          cursor.wrap(parked);
          deliver(parked, cursor);
          parked.release();
        }
      }
      case DUPLICATE -> {
        counters.packetsDuplicate++;
        dues.acknowledgeNow();
      }
      case EARLY -> {
        counters.packetsEarly++;
        // Over several paths the missing one is likely on its way; if not, the sender will ask.
        if (!flow.link().channel().reorders()) {
          dues.earlyPacket();
        }
      }
    }
  }

  private void deliver(FrameBatch packet, FrameCursor cursor) {
    packet.origin(flow);
    PacketHeaderDecoder header = cursor.packet();
    if ((header.flags() & PacketLayout.CONFIRM_DELIVERY) != 0) {
      dues.confirmDelivery(header.sequence());
    }
    long arrivedBefore = dues.arrivedBytes();
    boolean tagged = false;
    int template;
    while ((template = cursor.nextFrame()) != 0) {
      if (template == FrameCursor.EAGER) {
        tagged = true;
        arrived(cursor.eager().length());
      } else if (template == FrameCursor.REQUEST_TO_SEND) {
        tagged = true;
        arrived(0);
      } else if (template == FrameCursor.DATA) {
        onData(packet, cursor);
      } else if (template == FrameCursor.PLACED) {
        var placed = cursor.placed();
        control.settled(placed.length());
        events.onPlaced(flow, placed.receive(), placed.position(), placed.length());
      } else if (template == FrameCursor.EAGER_FIRST) {
        tagged = true;
        arrived(cursor.eagerFirst().total());
      } else if (template == FrameCursor.GOODBYE) {
        handOn(packet, tagged);
        flow.onCountedGoodbye(cursor.goodbye().errorCode());
        return;
      } else {
        tagged |= !onSteering(template, cursor);
      }
      if (flow.state() == Flow.State.LOST) {
        // Nobody may see the frame that the flow was lost for.
        dues.dropArrivedSince(arrivedBefore);
        return;
      }
    }
    if (cursor.isMalformed()) {
      counters.packetsMalformed++;
      flow.breach("packet " + header.sequence() + " does not follow the schema of the wire");
      dues.dropArrivedSince(arrivedBefore);
      return;
    }
    handOn(packet, tagged);
  }

  private void arrived(long payloadBytes) {
    if (!dues.arrived(payloadBytes)) {
      flow.breach(dues.overdraft(payloadBytes));
    }
  }

  /** Frames that steer what this side sends; false for those that belong to received messages. */
  private boolean onSteering(int template, FrameCursor cursor) {
    if (template == FrameCursor.CLEAR_TO_SEND) {
      var clear = cursor.clearToSend();
      if (rendezvous.clear(
          clear.message(),
          clear.receive(),
          clear.wanted(),
          clear.clearedTo(),
          cursor.clearMemory())) {
        flow.queueFlush();
      }
      return true;
    }
    if (template == FrameCursor.FINISH) {
      rendezvous.finish(cursor.finish().message(), cursor.finish().errorCode());
      return true;
    }
    return template != FrameCursor.EAGER_NEXT && template != FrameCursor.ABORT;
  }

  private void handOn(FrameBatch packet, boolean tagged) {
    if (tagged) {
      dues.packetHandedOn();
      events.onTaggedFrames(flow, packet);
    }
  }

  private void onData(FrameBatch packet, FrameCursor cursor) {
    var data = cursor.data();
    control.settled(data.length());
    events.onData(
        flow,
        data.receive(),
        data.position(),
        packet.buffer(),
        cursor.dataPayloadAt(),
        data.length());
  }
}
