package io.tagfabric.endpoint;

import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowContext;
import io.tagfabric.flow.FlowEvents;
import io.tagfabric.flow.PendingSend;
import io.tagfabric.flow.UnexpectedBudget;
import io.tagfabric.match.InboundTransfer;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * The plain inside of an endpoint: it brings sends and packets to the flows, flushes and times
 * these, and keeps the long messages under way. Single threaded: the domain's loop.
 */
final class EndpointCore implements FlowEvents {
  private final EndpointIdentity identity;
  private final AddressTable addresses;
  private final WireTable wires;
  private final FlowTable flows;
  private final FlowSchedule schedule;
  private final Handshake handshake;
  private final EndpointOutput output;

  private final FrameCursor cursor = new FrameCursor();
  private final InboundTransfers transfers;
  private final FlowWaiters waiters = new FlowWaiters();
  private boolean closed;
  private String closedBecause = "the endpoint is closed";
  private String ownClose = "this endpoint was closed";
  private String noNewPeers;
  private long strangers;

  EndpointCore(EndpointContext context, EndpointOutput output) {
    this.output = output;
    identity = context.identity();
    addresses = context.addresses();
    wires = context.wires();
    transfers = new InboundTransfers(output);
    FlowContext flowContext =
        new FlowContext(
            identity.address().incarnation(),
            identity.isolation(),
            context.time(),
            context.pool(),
            new FrameWriter(),
            new UnexpectedBudget(context.settings().unexpectedBudgetBytes()),
            this);
    flows = new FlowTable(context, flowContext, output);
    schedule = new FlowSchedule(context, flows, output);
    handshake = new Handshake(context, flows, flowContext, waiters, output);
  }

  EndpointAddress address() {
    return identity.address();
  }

  // ---- sends ----

  void send(SendOperation send) {
    if (closed) {
      refuse(send);
      return;
    }
    flows.followAddresses();
    Flow flow = flows.toPeer(send.peer());
    if (flow == null) {
      FabricException failure = flows.lost(send.peer());
      if (failure == null && noNewPeers != null) {
        failure = unconnected(send.peer());
      }
      if (failure == null) {
        try {
          flow = handshake.connect(send.peer());
          onFlushNeeded(flow);
        } catch (FabricException e) {
          failure = e;
        }
      }
      if (failure != null) {
        output.sendFailed(send, failure.error(), failure.getMessage());
        return;
      }
    }
    flow.submit(send);
  }

  /** Fails a send because the endpoint is closed. */
  void refuse(SendOperation send) {
    output.sendFailed(send, FabricError.CANCELED, closedBecause);
  }

  /** A short message straight into the open packet; false if it must be sent as any other. */
  boolean inject(int peer, DirectBuffer buffer, int offset, int length, long tag) {
    if (closed) {
      return false;
    }
    flows.followAddresses();
    Flow flow = flows.toPeer(peer);
    return flow != null && flow.inject(buffer, offset, length, tag);
  }

  /**
   * Takes back a send of which bytes are left to send; false if there is none with this context.
   */
  boolean cancelSend(Object context) {
    for (Flow flow : flows.all()) {
      PendingSend send = flow.withdraw(each -> ((SendOperation) each).context() == context);
      if (send != null) {
        output.sendFailed((SendOperation) send, FabricError.CANCELED, "cancelled");
        return true;
      }
    }
    return false;
  }

  // ---- flows without a send ----

  /** Sets up the flow to a peer. */
  void connect(int peer, FlowWaiters.Waiter waiter) {
    flows.followAddresses();
    Flow flow = flows.toPeer(peer);
    if (flow == null) {
      try {
        if (closed) {
          throw new FabricException(FabricError.CANCELED, closedBecause);
        } else if (flows.lost(peer) != null) {
          throw flows.lost(peer);
        } else if (noNewPeers != null) {
          throw unconnected(peer);
        }
        flow = handshake.connect(peer);
        onFlushNeeded(flow);
      } catch (FabricException failure) {
        waiter.onSetUp(failure);
        return;
      }
    }
    waiters.add(flow, waiter);
  }

  /** From now on only peers with a flow can be sent to. */
  void fixPeers(String why) {
    noNewPeers = why;
  }

  private FabricException unconnected(int peer) {
    return new FabricException(
        FabricError.BAD_STATE,
        "peer [" + addresses.snapshot().lookup(peer) + "] is not connected: " + noNewPeers);
  }

  // ---- arrivals ----

  /** Takes a received packet; releases the transport's reference. */
  void packet(FrameBatch packet) {
    try {
      take(packet);
    } finally {
      packet.release();
    }
  }

  private void take(FrameBatch packet) {
    flows.followAddresses();
    if (!cursor.wrap(packet)) {
      strangers++;
    } else {
      PacketHeaderDecoder header = cursor.packet();
      if (header.isolation() == identity.isolation()) {
        ownPacket(packet, header);
      } else {
        strangers += handshake.onStranger(cursor);
      }
    }
  }

  /** Takes a short message that has come by itself for a flow. */
  void injected(int id, MessageView message) {
    flows.followAddresses();
    if (flows.hasId(id)) {
      flows.all().get(id).onInjected(message);
    } else {
      strangers++;
    }
  }

  /** A channel has closed: each flow looks at its own at the end of the pass. */
  void checkChannels() {
    schedule.flushAllLater();
  }

  private void ownPacket(FrameBatch packet, PacketHeaderDecoder header) {
    int id = header.flow();
    boolean counted = header.sequence() != 0;
    long incarnation = header.incarnation();
    Flow flow = flows.byId(id, incarnation);
    if (flow == null) {
      strangers += flows.hasId(id) ? 1 : 0;
    } else if (flow.state() == Flow.State.LOST) {
      late(flow, counted || (header.flags() & PacketLayout.ACKNOWLEDGE) != 0);
    } else {
      flow.onPacket(packet, cursor);
      schedule.watch(flow);
    }
    if (!counted) {
      strangers += handshake.onUncounted(cursor, incarnation);
    }
  }

  /** A packet of a flow that has ended here: the peer has not heard of it if it wants an answer. */
  private void late(Flow flow, boolean wantsAnswer) {
    if (wantsAnswer) {
      flow.repeatGoodbye(closed ? FabricError.SHUTDOWN : FabricError.CONNECTION_RESET);
    }
  }

  // ---- long messages ----

  /** A receive has matched an announced message: get its bytes. */
  void clear(InboundTransfer transfer) {
    transfers.begin(transfer);
  }

  @Override
  public void onData(
      Flow flow, long receive, long position, DirectBuffer payload, int offset, int length) {
    transfers.onData(flow, receive, position, payload, offset, length);
  }

  @Override
  public void onPlaced(Flow flow, long receive, long position, int length) {
    transfers.onPlaced(flow, receive, position, length);
  }

  /** The sender gives up a message of which not all bytes have come. */
  void abortTransfer(FrameOrigin origin, long message, FabricError error) {
    transfers.abort(origin, message, error);
  }

  // ---- what flows tell ----

  @Override
  public void onSendCompleted(PendingSend send) {
    output.sent((SendOperation) send);
  }

  @Override
  public void onSendFailed(PendingSend send, FabricError error, String detail) {
    output.sendFailed((SendOperation) send, error, detail);
  }

  @Override
  public void onTaggedFrames(Flow flow, FrameBatch batch) {
    output.arrived(batch);
  }

  @Override
  public void onInjected(FrameOrigin origin, MessageView message) {
    output.arrived(origin, message);
  }

  @Override
  public void onChannelClosed(Flow flow, String detail) {
    output.channelClosed(flow, detail);
  }

  @Override
  public void onFlushNeeded(Flow flow) {
    schedule.flushLater(flow);
  }

  @Override
  public void onLost(Flow flow, FabricError error, String detail) {
    FabricException reason = new FabricException(error, detail);
    flows.lose(flow, reason);
    waiters.tell(flow, reason);
    transfers.lose(flow, error, detail);
    output.peerLost(flow.peer(), error, detail);
    output.report(error != FabricError.SHUTDOWN && !closed, detail);
  }

  /** The membership says that a peer's node is gone. */
  void peerGone(int peer, FabricError error, String detail) {
    Flow flow = flows.toPeer(peer);
    if (flow != null) {
      flow.lose(error, detail);
    } else if (flows.lost(peer) == null) {
      EndpointAddress address = addresses.snapshot().lookup(peer);
      String text = "peer [" + address + "] lost: " + detail;
      flows.lose(peer, new FabricException(error, text));
      output.peerLost(peer, error, text);
    }
  }

  /** Whether a flush has something to do. */
  boolean hasUnflushed() {
    return schedule.hasUnflushed();
  }

  /** End of a pass: sends what flows have gathered. Returns the work done. */
  int flush() {
    return transfers.pull() + schedule.flush() + wires.flush();
  }

  // ---- end ----

  /** Says why operations are refused or cancelled from now on. */
  void closedBecause(String detail) {
    closedBecause = detail;
    ownClose = detail;
  }

  /** Accepts nothing more; what was accepted still travels. */
  void beginClose() {
    closed = true;
    handshake.close();
  }

  boolean hasUnfinishedSends() {
    for (Flow flow : flows.all()) {
      if (flow.hasUnfinishedSends()) {
        return true;
      }
    }
    return false;
  }

  /** Fails the sends that have not left and tells the peers. */
  void sayGoodbye() {
    forEachFlow(
        flow -> {
          flow.sayGoodbye(FabricError.SHUTDOWN, FabricError.CANCELED, ownClose);
          flow.flush();
          schedule.watch(flow);
        });
  }

  /** Also of an endpoint that has failed: one flow that is broken keeps no other from its end. */
  private void forEachFlow(Consumer<Flow> step) {
    for (Flow flow : flows.all()) {
      try {
        step.accept(flow);
      } catch (RuntimeException e) {
        output.report(true, "the flow to [" + flow.address() + "] cannot end in order: " + e);
      }
    }
  }

  /** Whether a peer may not have heard the goodbye. */
  boolean hasPacketsOnTheWay() {
    for (Flow flow : flows.all()) {
      if (flow.hasPacketsOnTheWay()) {
        return true;
      }
    }
    return false;
  }

  /** Ends all flows and closes the wires. */
  void finishClose() {
    closed = true;
    handshake.close();
    forEachFlow(flow -> flow.lose(FabricError.CANCELED, ownClose));
    wires.close();
  }

  /** The flows there are and were, by number. */
  List<Flow> flows() {
    return List.copyOf(flows.all());
  }

  /** Packets dropped because they belong to another job, incarnation or protocol. */
  long strangers() {
    return strangers;
  }
}
