package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import io.tagfabric.link.ArrivalDesk;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;

/**
 * Brings what wires have to an endpoint's {@link ArrivalDesk} by the mailbox of its actor; by calls
 * while there is none. What may be there only during the call is copied. Thread: the domain's loop.
 */
final class ToldDesk implements WireListener {
  private final ArrivalDesk desk;
  private ActorRef<Endpoint.Command> endpoint;

  ToldDesk(ArrivalDesk desk) {
    this.desk = desk;
  }

  /** The actor is there, or not any more if it is null. */
  void tell(ActorRef<Endpoint.Command> newEndpoint) {
    endpoint = newEndpoint;
  }

  @Override
  public void onPacket(Packet packet) {
    if (endpoint == null) {
      desk.onPacket(packet);
      return;
    }
    Packet kept = packet.keep();
    packet.release();
    endpoint.tell(new Endpoint.PacketArrived(kept));
  }

  @Override
  public void onInjected(long flow, MessageView message) {
    if (endpoint == null) {
      desk.onInjected(flow, message);
    } else {
      endpoint.tell(new Endpoint.MessageArrived(flow, message.copy()));
    }
  }

  @Override
  public void onFrames(long flow, Packet frames) {
    if (endpoint == null) {
      desk.onFrames(flow, frames);
      return;
    }
    Packet kept = frames.keep();
    frames.release();
    endpoint.tell(new Endpoint.FramesArrived(flow, kept));
  }

  @Override
  public void onChannelClosed() {
    if (endpoint == null) {
      desk.onChannelClosed();
    } else {
      endpoint.tell(Endpoint.ChannelClosed.INSTANCE);
    }
  }
}
