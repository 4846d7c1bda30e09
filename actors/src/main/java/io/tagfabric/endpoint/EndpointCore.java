package io.tagfabric.endpoint;

import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowContext;
import io.tagfabric.flow.FlowEvents;
import io.tagfabric.flow.FlowSettings;
import io.tagfabric.flow.PendingSend;
import io.tagfabric.flow.UnexpectedBudget;
import io.tagfabric.match.InboundTransfer;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameBatchPool;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;

/**
 * The plain inside of an endpoint: it brings sends and packets to the flows, flushes and times
 * these, and keeps the long messages under way. Single threaded: the domain's loop.
 */
final class EndpointCore implements FlowEvents {
  private static final String OWN_CLOSE = "this endpoint was closed";

  private final EndpointIdentity identity;
  private final AddressTable addresses;
  private final WireTable wires;
  private final FlowTable flows;
  private final Handshake handshake;
  private final LoopTimers timers;
  private final TimeSource time;
  private final Predicate<EndpointAddress> knownAlive;
  private final EndpointOutput output;

  private final FrameCursor cursor = new FrameCursor();
  private final InboundTransfers transfers;
  private List<Flow> dirty = new ArrayList<>();
  private List<Flow> flushing = new ArrayList<>();
  private LoopTimers.Timer tickTimer;
  private long tickAtNs;
  private boolean closed;
  private long strangers;

  EndpointCore(
      EndpointIdentity identity,
      AddressTable addresses,
      WireTable wires,
      FlowSettings settings,
      FrameBatchPool pool,
      LoopTimers timers,
      TimeSource time,
      Predicate<EndpointAddress> knownAlive,
      EndpointOutput output) {
    this.identity = identity;
    this.addresses = addresses;
    this.wires = wires;
    this.timers = timers;
    this.time = time;
    this.knownAlive = knownAlive;
    this.output = output;
    transfers = new InboundTransfers(output);
    FlowContext flowContext =
        new FlowContext(
            identity.address().incarnation(),
            identity.isolation(),
            time,
            pool,
            new FrameWriter(),
            new UnexpectedBudget(settings.unexpectedBudgetBytes()),
            this);
    flows = new FlowTable(addresses, wires, flowContext, settings, output);
    handshake =
        new Handshake(
            identity,
            addresses,
            wires,
            flows,
            flowContext,
            settings.connectTimeoutNs(),
            timers,
            output);
  }

  EndpointAddress address() {
    return identity.address();
  }

  // ---- sends ----

  void send(SendOperation send) {
    if (closed) {
      output.sendFailed(send, FabricError.CANCELED, "the endpoint is closed");
      return;
    }
    flows.followAddresses();
    Flow flow = flows.toPeer(send.peer());
    if (flow == null) {
      FabricException failure = flows.lost(send.peer());
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

  // ---- arrivals ----

  /** Takes a received packet; releases the transport's reference. */
  void packet(FrameBatch packet) {
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
    packet.release();
  }

  /** Takes a short message that has come by itself for a flow. */
  void injected(
      int id, long tag, boolean hasData, long data, DirectBuffer payload, int offset, int length) {
    flows.followAddresses();
    if (flows.hasId(id)) {
      flows.all().get(id).onInjected(tag, hasData, data, payload, offset, length);
    } else {
      strangers++;
    }
  }

  /** A channel has closed: each flow looks at its own at the end of the pass. */
  void checkChannels() {
    dirty.addAll(flows.all());
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
      ensureTick(flow);
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
  public void onInjected(
      FrameOrigin origin,
      long tag,
      boolean hasData,
      long data,
      DirectBuffer payload,
      int offset,
      int length) {
    output.arrived(origin, tag, hasData, data, payload, offset, length);
  }

  @Override
  public void onChannelClosed(Flow flow, String detail) {
    output.channelClosed(flow, detail);
  }

  @Override
  public void onFlushNeeded(Flow flow) {
    dirty.add(flow);
  }

  @Override
  public void onLost(Flow flow, FabricError error, String detail) {
    flows.lose(flow, new FabricException(error, detail));
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
    return !dirty.isEmpty();
  }

  /** End of a pass: sends what flows have gathered. Returns the work done. */
  int flush() {
    return transfers.pull() + flushFlows() + wires.flush();
  }

  private int flushFlows() {
    if (dirty.isEmpty()) {
      return 0;
    }
    List<Flow> now = dirty;
    dirty = flushing;
    flushing = now;
    int sent = 0;
    for (Flow flow : now) {
      sent += flow.flush();
      ensureTick(flow);
    }
    now.clear();
    return sent;
  }

  private void ensureTick(Flow flow) {
    if (!flow.needsTick()) {
      return;
    }
    long nowNs = time.nanoTime();
    long atNs = nowNs + flow.tickDelayNs(nowNs);
    if (tickTimer == null || atNs - tickAtNs < 0) {
      if (tickTimer != null) {
        tickTimer.cancel();
      }
      tickAtNs = atNs;
      tickTimer = timers.schedule(atNs, this::tick);
    }
  }

  private void tick() {
    tickTimer = null;
    long nowNs = time.nanoTime();
    for (int i = 0; i < flows.all().size(); i++) {
      Flow flow = flows.all().get(i);
      if (flow.needsTick()) {
        flow.tick(nowNs, knownAlive.test(flow.address()));
        ensureTick(flow);
      }
    }
    flush();
  }

  // ---- end ----

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
    for (Flow flow : flows.all()) {
      flow.sayGoodbye(FabricError.SHUTDOWN, FabricError.CANCELED, OWN_CLOSE);
      flow.flush();
      ensureTick(flow);
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
    for (Flow flow : flows.all()) {
      flow.lose(FabricError.CANCELED, OWN_CLOSE);
    }
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
