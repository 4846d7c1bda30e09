package io.tagfabric.flow;

import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameCursor;

/** Puts received packets in order and hands their frames to those they are for. */
final class PacketInbox {
  private final Flow flow;
  private final FlowEvents events;
  private final ReceiveWindow arrivals;
  private final Dues dues;
  private final PeerWatch watch;
  private final RendezvousSender rendezvous;
  private final Clearances clearances;
  private final FlowCounters counters;

  PacketInbox(
      Flow flow,
      FlowEvents events,
      ReceiveWindow arrivals,
      Dues dues,
      PeerWatch watch,
      RendezvousSender rendezvous,
      Clearances clearances,
      FlowCounters counters) {
    this.flow = flow;
    this.events = events;
    this.arrivals = arrivals;
    this.dues = dues;
    this.watch = watch;
    this.rendezvous = rendezvous;
    this.clearances = clearances;
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
        dues.earlyPacket();
      }
    }
  }

  private void deliver(FrameBatch packet, FrameCursor cursor) {
    packet.origin(flow);
    boolean tagged = false;
    int template;
    while ((template = cursor.nextFrame()) != 0) {
      if (template == FrameCursor.EAGER || template == FrameCursor.REQUEST_TO_SEND) {
        tagged = true;
        dues.messageArrived();
      } else if (template == FrameCursor.DATA) {
        onData(packet, cursor);
      } else if (template == FrameCursor.CLEAR_TO_SEND) {
        var clear = cursor.clearToSend();
        if (rendezvous.clear(clear.message(), clear.receive(), clear.length())) {
          flow.queueFlush();
        }
      } else if (template == FrameCursor.GOODBYE) {
        if (tagged) {
          events.onTaggedFrames(flow, packet);
        }
        flow.onCountedGoodbye(cursor.goodbye().errorCode());
        return;
      }
    }
    if (cursor.isMalformed()) {
      counters.packetsMalformed++;
    }
    if (tagged) {
      events.onTaggedFrames(flow, packet);
    }
  }

  private void onData(FrameBatch packet, FrameCursor cursor) {
    var data = cursor.data();
    clearances.arrived(data.length());
    events.onData(
        flow,
        data.receive(),
        data.position(),
        packet.buffer(),
        cursor.dataPayloadAt(),
        data.length());
  }
}
