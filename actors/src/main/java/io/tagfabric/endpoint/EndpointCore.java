package io.tagfabric.endpoint;

import io.tagfabric.address.AddressSnapshot;
import io.tagfabric.address.AddressTable;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.flow.FlowContext;
import io.tagfabric.flow.FlowEvents;
import io.tagfabric.flow.FlowSettings;
import io.tagfabric.flow.PendingSend;
import io.tagfabric.match.InboundTransfer;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.provider.Channel;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameBatchPool;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The plain inside of an endpoint: its flows by peer, their set-up, the long messages under way.
 * Single threaded: the domain's loop.
 *
 * <p>A flow is set up when the first send to a peer needs it, or when a peer asks. The asker
 * repeats its Hello until it hears Welcome or Refuse; both sides may ask at once. A Hello carries
 * the whole address of the asker, so the answerer can reach it and gives it an index.
 */
final class EndpointCore implements FlowEvents {
  private static final long FIRST_HELLO_RETRY_NS = 50_000_000L;
  private static final long MAX_HELLO_RETRY_NS = 1_000_000_000L;
  private static final String OWN_CLOSE = "this endpoint was closed";

  private final EndpointIdentity identity;
  private final AddressTable addresses;
  private final WireTable wires;
  private final FlowSettings settings;
  private final FlowContext flowContext;
  private final LoopTimers timers;
  private final TimeSource time;
  private final Predicate<EndpointAddress> knownAlive;
  private final EndpointOutput output;

  private final FrameCursor cursor = new FrameCursor();
  private final List<Flow> flows = new ArrayList<>();
  private final Int2ObjectHashMap<Flow> byPeer = new Int2ObjectHashMap<>();
  private final Int2ObjectHashMap<FabricException> lostPeers = new Int2ObjectHashMap<>();
  private final Long2ObjectHashMap<InboundTransfer> transfers = new Long2ObjectHashMap<>();
  private List<Flow> dirty = new ArrayList<>();
  private List<Flow> flushing = new ArrayList<>();
  private long nextReceive = 1;
  private AddressSnapshot followed;
  private LoopTimers.Timer tickTimer;
  private long tickAtNs;
  private boolean closed;
  private String lastRefusal;
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
    this.settings = settings;
    this.timers = timers;
    this.time = time;
    this.knownAlive = knownAlive;
    this.output = output;
    followed = addresses.snapshot();
    flowContext =
        new FlowContext(
            identity.address().incarnation(),
            identity.isolation(),
            time,
            pool,
            new FrameWriter(),
            this);
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
    followAddresses();
    Flow flow = byPeer.get(send.peer());
    if (flow == null) {
      FabricException failure = lostPeers.get(send.peer());
      if (failure == null) {
        try {
          flow = connect(send.peer());
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

  /**
   * Keeps the flows in step with the address vector: a removed peer's flow goes on for what the
   * peer sends, and serves again under the new index when the peer is inserted again.
   */
  private void followAddresses() {
    AddressSnapshot now = addresses.snapshot();
    if (now == followed) {
      return;
    }
    followed = now;
    for (Flow flow : flows) {
      if (flow.state() == Flow.State.LOST || now.lookup(flow.peer()) != null) {
        continue;
      }
      byPeer.remove(flow.peer(), flow);
      int index = now.indexOf(flow.address());
      if (index != AddressTable.NOT_AVAILABLE) {
        flow.peer(index);
        byPeer.put(index, flow);
      }
    }
  }

  /** Takes back a send that has not left; false if there is none with this context. */
  boolean cancelSend(Object context) {
    for (Flow flow : flows) {
      PendingSend send = flow.withdraw(each -> ((SendOperation) each).context() == context);
      if (send != null) {
        output.sendFailed((SendOperation) send, FabricError.CANCELED, "cancelled");
        return true;
      }
    }
    return false;
  }

  private Flow connect(int peer) {
    EndpointAddress address = addresses.snapshot().lookup(peer);
    if (address == null) {
      throw new FabricException(
          FabricError.ADDRESS_NOT_AVAILABLE,
          "peer=" + peer + " is not in the address vector, insert its address first");
    }
    Flow flow = openFlow(peer, address);
    greet(flow, time.nanoTime() + settings.connectTimeoutNs(), FIRST_HELLO_RETRY_NS);
    onFlushNeeded(flow);
    return flow;
  }

  private Flow openFlow(int peer, EndpointAddress address) {
    WireTable.Choice choice = wires.connect(address);
    Flow flow =
        new Flow(
            flowContext,
            settings,
            flows.size(),
            peer,
            address,
            choice.provider().name(),
            choice.channel(),
            choice.provider().capabilities().reliable());
    flows.add(flow);
    byPeer.put(peer, flow);
    output.report(
        false,
        "flow to [" + address + "] over [" + flow.provider() + "] because " + choice.reason());
    return flow;
  }

  private void greet(Flow flow, long deadlineNs, long retryNs) {
    if (flow.state() != Flow.State.CONNECTING) {
      return;
    }
    long nowNs = time.nanoTime();
    if (nowNs - deadlineNs >= 0) {
      flow.lose(
          FabricError.TIMED_OUT,
          "no answer within flow.connect-timeout="
              + settings.connectTimeoutNs() / 1_000_000
              + " ms over "
              + flow.provider());
      return;
    }
    FrameBatch hello = largePacket();
    flowContext
        .writer()
        .hello(
            hello,
            new Greeting(
                flow.id(),
                Greeting.PROTOCOL,
                identity.jobKey(),
                identity.partitionKey(),
                identity.objectFingerprint(),
                flow.address().endpoint(),
                identity.address().encode(),
                identity.objects()));
    flow.offerGreeting(hello);
    timers.schedule(
        nowNs + retryNs, () -> greet(flow, deadlineNs, Math.min(2 * retryNs, MAX_HELLO_RETRY_NS)));
  }

  private FrameBatch largePacket() {
    return flowContext
        .pool()
        .acquire(flowContext.pool().largeCapacity() - FrameBatch.HEADER_LENGTH);
  }

  // ---- arrivals ----

  /** Takes a received packet; releases the transport's reference. */
  void packet(FrameBatch packet) {
    followAddresses();
    if (!cursor.wrap(packet)) {
      strangers++;
    } else {
      PacketHeaderDecoder header = cursor.packet();
      if (header.isolation() == identity.isolation()) {
        ownPacket(packet, header);
      } else {
        strangerPacket();
      }
    }
    packet.release();
  }

  private void ownPacket(FrameBatch packet, PacketHeaderDecoder header) {
    int id = header.flow();
    boolean counted = header.sequence() != 0;
    if (id >= 0 && id < flows.size()) {
      Flow flow = flows.get(id);
      if (flow.address().incarnation() == header.incarnation()) {
        if (flow.state() == Flow.State.LOST) {
          late(flow, counted || (header.flags() & PacketLayout.ACKNOWLEDGE) != 0);
        } else {
          flow.onPacket(packet, cursor);
          ensureTick(flow);
        }
      } else {
        strangers++;
      }
    }
    if (!counted) {
      setUpFrames(header.incarnation());
    }
  }

  /** A packet of a flow that has ended here: the peer has not heard of it if it wants an answer. */
  private void late(Flow flow, boolean wantsAnswer) {
    if (wantsAnswer) {
      flow.repeatGoodbye(closed ? FabricError.SHUTDOWN : FabricError.CONNECTION_RESET);
    }
  }

  /** A packet of another job or partition: only its Hello is answered, with a refusal. */
  private void strangerPacket() {
    strangers++;
    if (cursor.packet().sequence() == 0) {
      while (!cursor.isMalformed() && cursor.nextFrame() == FrameCursor.HELLO) {
        onHello(cursor.greeting());
      }
    }
  }

  private void setUpFrames(long incarnation) {
    int id = cursor.packet().flow();
    int template;
    while ((template = cursor.nextFrame()) != 0) {
      if (template == FrameCursor.HELLO) {
        onHello(cursor.greeting());
      } else if (template == FrameCursor.WELCOME) {
        Flow flow = flowOrNull(cursor.welcome().yourFlow(), incarnation);
        if (flow != null) {
          flow.established(cursor.welcome().flow());
          flow.credits(cursor.packet());
        }
      } else if (template == FrameCursor.REFUSE) {
        Flow flow = flowOrNull(cursor.refuse().yourFlow(), incarnation);
        if (flow != null && flow.state() == Flow.State.CONNECTING) {
          FabricError error =
              FabricError.find(cursor.refuse().errorCode()).orElse(FabricError.CONNECTION_REFUSED);
          flow.lose(error, "refused by " + flow.address() + ": " + cursor.refuse().reason());
        }
      } else if (template == FrameCursor.GOODBYE) {
        Flow flow = flowOrNull(id, incarnation);
        if (flow != null) {
          flow.onGoodbye(cursor.goodbye().errorCode());
        }
      }
    }
  }

  private Flow flowOrNull(int id, long incarnation) {
    Flow flow = id >= 0 && id < flows.size() ? flows.get(id) : null;
    return flow != null && flow.address().incarnation() == incarnation ? flow : null;
  }

  private void onHello(Greeting greeting) {
    EndpointAddress asker;
    try {
      asker = EndpointAddress.parse(greeting.address());
    } catch (IllegalArgumentException e) {
      strangers++;
      return;
    }
    FabricException refusal = refusal(greeting, asker);
    if (refusal != null) {
      refuse(greeting, asker, refusal);
      return;
    }
    int peer = addresses.insert(asker);
    followAddresses();
    Flow flow = byPeer.get(peer);
    if (flow != null && flow.remoteId() != PacketLayout.NO_FLOW) {
      if (greeting.flow() < flow.remoteId()) {
        return;
      }
      if (greeting.flow() > flow.remoteId()) {
        flow.lose(FabricError.CONNECTION_RESET, "the peer has given this flow up");
      }
    }
    if (lostPeers.containsKey(peer)) {
      refuse(
          greeting,
          asker,
          new FabricException(
              FabricError.CONNECTION_RESET,
              "this peer was given up before, remove and insert its address on both sides"));
      return;
    }
    if (flow == null) {
      try {
        flow = openFlow(peer, asker);
      } catch (FabricException e) {
        output.report(true, "cannot answer [" + asker + "]: " + e.getMessage());
        return;
      }
    }
    flow.established(greeting.flow());
    flow.credits(cursor.packet());
    FrameBatch welcome = flowContext.pool().acquire(64);
    flowContext.writer().welcome(welcome, flow.id(), greeting.flow(), identity.objectFingerprint());
    flow.offerGreeting(welcome);
  }

  private FabricException refusal(Greeting greeting, EndpointAddress asker) {
    if (closed) {
      return new FabricException(FabricError.SHUTDOWN, "the endpoint is closed");
    }
    if (greeting.endpoint() != identity.address().endpoint()) {
      return new FabricException(
          FabricError.ADDRESS_NOT_AVAILABLE,
          "endpoint=" + greeting.endpoint() + " is not endpoint=" + identity.address().endpoint());
    }
    if (greeting.protocol() != Greeting.PROTOCOL) {
      return new FabricException(
          FabricError.INVALID,
          "protocol="
              + greeting.protocol()
              + " is not protocol="
              + Greeting.PROTOCOL
              + ", run the same version of Tagfabric everywhere");
    }
    if (!greeting.jobKey().equals(identity.jobKey())) {
      return new FabricException(
          FabricError.KEY_REJECTED,
          "job.key=" + greeting.jobKey() + " of " + asker + " is not job.key=" + identity.jobKey());
    }
    if (greeting.partitionKey() != identity.partitionKey()) {
      return new FabricException(
          FabricError.KEY_REJECTED,
          "partition key="
              + greeting.partitionKey()
              + " of "
              + asker
              + " is not partition key="
              + identity.partitionKey());
    }
    if (greeting.objectFingerprint() != identity.objectFingerprint()) {
      return new FabricException(
          FabricError.INVALID,
          "Kryo registrations differ, make tagfabric.kryo.registrations equal: "
              + identity.objectDifference().apply(greeting.objects()));
    }
    return null;
  }

  private void refuse(Greeting greeting, EndpointAddress asker, FabricException refusal) {
    String text = "refused [" + asker + "]: " + refusal.getMessage();
    // An asker repeats itself until it hears the refusal.
    output.report(!text.equals(lastRefusal), text);
    lastRefusal = text;
    Channel channel;
    try {
      channel = wires.connect(asker).channel();
    } catch (FabricException e) {
      return;
    }
    FrameBatch packet = largePacket();
    FrameWriter writer = flowContext.writer();
    writer.refuse(packet, greeting.flow(), refusal.error().code(), refusal.getMessage());
    writer
        .seal(packet)
        .incarnation(identity.address().incarnation())
        .sequence(0)
        .acknowledged(0)
        .grantedBytes(0)
        .grantedMessages(0)
        .highestSent(0)
        .isolation(EndpointIdentity.isolation(greeting.jobKey(), greeting.partitionKey()))
        .flow(PacketLayout.NO_FLOW)
        .flags(0);
    channel.offer(packet);
    packet.release();
  }

  // ---- long messages ----

  /** A receive has matched an announced message: ask for its bytes. */
  void clear(InboundTransfer transfer) {
    Flow flow = (Flow) transfer.origin();
    if (!flow.isOpen()) {
      output.transferEnded(transfer, FabricError.CONNECTION_RESET, flow.address() + " is gone");
      return;
    }
    long receive = nextReceive++;
    flow.clearToSend(transfer.message(), receive, transfer.wanted());
    if (transfer.wanted() == 0) {
      output.transferEnded(transfer, null, null);
    } else {
      transfers.put(receive, transfer);
    }
  }

  @Override
  public void onData(
      Flow flow, long receive, long position, DirectBuffer payload, int offset, int length) {
    InboundTransfer transfer = transfers.get(receive);
    if (transfer == null || transfer.origin() != flow) {
      return;
    }
    transfer.place(position, payload, offset, length);
    if (transfer.isComplete()) {
      transfers.remove(receive);
      output.transferEnded(transfer, null, null);
    }
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
  public void onChannelClosed(Flow flow, String detail) {
    output.channelClosed(flow, detail);
  }

  @Override
  public void onFlushNeeded(Flow flow) {
    dirty.add(flow);
  }

  @Override
  public void onLost(Flow flow, FabricError error, String detail) {
    byPeer.remove(flow.peer(), flow);
    lostPeers.put(flow.peer(), new FabricException(error, detail));
    for (Iterator<InboundTransfer> each = transfers.values().iterator(); each.hasNext(); ) {
      InboundTransfer transfer = each.next();
      if (transfer.origin() == flow) {
        each.remove();
        output.transferEnded(transfer, error, detail);
      }
    }
    output.peerLost(flow.peer(), error, detail);
    output.report(error != FabricError.SHUTDOWN && !closed, detail);
  }

  /** The membership says that a peer's node is gone. */
  void peerGone(int peer, FabricError error, String detail) {
    Flow flow = byPeer.get(peer);
    if (flow != null) {
      flow.lose(error, detail);
    } else if (!lostPeers.containsKey(peer)) {
      EndpointAddress address = addresses.snapshot().lookup(peer);
      String text = "peer [" + address + "] lost: " + detail;
      lostPeers.put(peer, new FabricException(error, text));
      output.peerLost(peer, error, text);
    }
  }

  /** End of a pass: sends what flows have gathered. Returns the work done. */
  int flush() {
    return flushFlows() + wires.flush();
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

  /** Lets every flow look at its channel. */
  void flushAll() {
    dirty.addAll(flows);
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
    for (int i = 0; i < flows.size(); i++) {
      Flow flow = flows.get(i);
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
  }

  boolean hasUnfinishedSends() {
    for (Flow flow : flows) {
      if (flow.hasUnfinishedSends()) {
        return true;
      }
    }
    return false;
  }

  /** Fails the sends that have not left and tells the peers. */
  void sayGoodbye() {
    for (Flow flow : flows) {
      flow.sayGoodbye(FabricError.SHUTDOWN, FabricError.CANCELED, OWN_CLOSE);
      flow.flush();
      ensureTick(flow);
    }
  }

  /** Whether a peer may not have heard the goodbye. */
  boolean hasPacketsOnTheWay() {
    for (Flow flow : flows) {
      if (flow.hasPacketsOnTheWay()) {
        return true;
      }
    }
    return false;
  }

  /** Ends all flows and closes the wires. */
  void finishClose() {
    closed = true;
    for (Flow flow : flows) {
      flow.lose(FabricError.CANCELED, OWN_CLOSE);
    }
    wires.close();
  }

  /** The flows there are and were, by number. */
  List<Flow> flows() {
    return List.copyOf(flows);
  }

  /** Packets dropped because they belong to another job, incarnation or protocol. */
  long strangers() {
    return strangers;
  }
}
