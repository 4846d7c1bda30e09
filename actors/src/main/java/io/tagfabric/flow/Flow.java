package io.tagfabric.flow;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.send.ActiveQueue;
import io.tagfabric.flow.send.AnswerQueue;
import io.tagfabric.flow.send.ControlQueue;
import io.tagfabric.flow.send.FlowTrace;
import io.tagfabric.flow.send.FrameQueue;
import io.tagfabric.flow.send.MessageSender;
import io.tagfabric.flow.send.OutgoingFrame;
import io.tagfabric.flow.send.PendingSend;
import io.tagfabric.flow.send.SendBacklog;
import io.tagfabric.flow.send.SendCredit;
import io.tagfabric.flow.send.SendScheduler;
import io.tagfabric.flow.window.FlowContext;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.FlowSettings;
import io.tagfabric.flow.window.OwedToPeer;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.flow.window.PeerLink;
import io.tagfabric.flow.window.PeerWatch;
import io.tagfabric.flow.window.ReceiveWindow;
import io.tagfabric.flow.window.SendWindow;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.trace.InboundTrace;
import io.tagfabric.wire.Answer;
import io.tagfabric.wire.FlowKey;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Greeting.Limits;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.TaggedArrivals;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import java.util.function.Predicate;

/**
 * Both directions between one endpoint and one peer: sends in the order posted, packets in
 * sequence, acknowledgements, credits, replay and the rendezvous of long messages.
 *
 * <p>Claim: every message handed to {@link #submit} arrives once and in order, or {@link
 * FlowEvents#onLost} is called. Memory is bounded on both sides: the sender holds at most the
 * window, the receiver at most the credit it gave. How:
 *
 * <ul>
 *   <li>Frames of one pass share one packet. The packet's header carries the acknowledgement and
 *       the credits of the other direction, so traffic that goes both ways needs no packets of its
 *       own for them.
 *   <li>Short frames may leave without the header where the channel takes them so: then they are
 *       not counted, and what the header would have said waits for the next packet.
 *   <li>A message up to the eager limits travels at once, in one packet or several, while byte
 *       credit lasts. A longer one, or one beyond the credit, sends a request that keeps its place
 *       in the order; its bytes follow window by window when a receive has matched it. A receiver
 *       that matches nothing thus holds at most the credit.
 *   <li>Only over a channel that may lose packets: copies are kept until acknowledged; a receiver
 *       that sees a gap says so at once; a sender that hears nothing asks, with doubling distance.
 *       Packets are sent again only when the receiver says that they are missing.
 * </ul>
 *
 * <p>Single threaded: the domain's loop. Time is passed in.
 *
 * @source fi_opx(7), FI_OPX_RELIABILITY settings; PSM3 eager, RTS/CTS rendezvous
 */
@InternalApi
public final class Flow {
  private final FlowEvents events;
  private final int id;
  private int peer;
  private int source;
  private final SendWindow window;
  private final ReceiveWindow arrivals;
  private final OwedToPeer owed;
  private final PeerWatch watch;
  private final PacketOutbox outbox;
  private final MessageSender messages;
  private final ControlQueue control;
  private final SendScheduler sends;
  private final FrameQueue frames;
  private final AnswerQueue answers;
  private final ActiveQueue actives;
  private final FlowGate gate;
  private final FlowActives requests;
  private final FlowAccesses accesses;
  private final FlowEnd end;
  private final FlowOrigin origin;
  private final RendezvousReceiver rendezvous;
  private final PacketInbox inbox;
  private final FlowTimer timer;
  private final FlowCounters counters = new FlowCounters();
  private final FlowSetUp setUp;
  private final TaggedArrivals tagged;
  private final Datagrams datagrams;
  private final FlowTrace trace;
  private final InboundTrace inbound;
  private long key;
  private final boolean own;

  /** Whether what is taken now has come without a packet's header. */
  private boolean bare;

  /**
   * A flow that is not set up.
   *
   * @param events hears of it
   * @param id its number at this side
   * @param peer index of the peer in the domain's address vector
   */
  public Flow(
      FlowContext context,
      FlowEvents events,
      FlowSettings settings,
      int id,
      int peer,
      PeerLink link) {
    this.events = events;
    this.id = id;
    this.peer = peer;
    this.source = peer;
    own =
        link.address().incarnation() == context.incarnation()
            && link.address().endpoint() == context.endpoint();
    boolean reliable = link.reliable();
    trace =
        new FlowTrace(
            context.recorder(), context.endpoint(), peer, link.address().incarnation(), counters);
    key = FlowKey.of(id, context.isolation(), link.address().incarnation());
    window =
        new SendWindow(
            settings.windowPackets(),
            settings.windowBytes(),
            !reliable,
            context.packets(),
            this::queueFlush);
    arrivals = new ReceiveWindow(link.parkedPackets(settings));
    owed =
        new OwedToPeer(
            settings, context.actives().settings(), context.budget(), arrivals, context.nanoTime());
    watch = new PeerWatch(context.time(), settings, reliable);
    outbox = new PacketOutbox(context, link, window, owed, watch, counters);
    setUp = new FlowSetUp(outbox, owed);
    control = new ControlQueue(outbox);
    SharedMemory memory = link.channel().sharedMemory();
    SendCredit credit = new SendCredit();
    messages =
        new MessageSender(
            events, link, settings.sizes(), memory, outbox, control, credit, counters, own, trace);
    frames = new FrameQueue(outbox, credit);
    answers = new AnswerQueue(outbox);
    actives = new ActiveQueue(outbox, context.actives(), this::queueFlush);
    sends =
        new SendScheduler(
            window,
            outbox,
            watch,
            messages,
            control,
            frames,
            answers,
            actives,
            settings.replayPackets());
    gate = new FlowGate(outbox, owed, sends, context.passes(), () -> events.onFlushNeeded(this));
    requests = new FlowActives(gate, actives, outbox);
    accesses = new FlowAccesses(gate, messages);
    end = new FlowEnd(this, events, gate, sends, outbox);
    inbound = new InboundTrace(key, link.address().incarnation(), context.endpoint());
    rendezvous = new RendezvousReceiver(gate, settings.sizes(), memory, control, counters);
    origin =
        new FlowOrigin(
            this,
            owed,
            rendezvous,
            new Limits(context.maxMessageBytes(), settings.sizes().unaskedLimitBytes()),
            inbound);
    inbox =
        new PacketInbox(
            this,
            context.services(),
            arrivals,
            owed,
            watch,
            messages.rendezvous(),
            messages.accesses(),
            counters);
    timer = new FlowTimer(this, settings, owed, watch, outbox, counters);
    tagged = context.arrivals();
    datagrams =
        new Datagrams(outbox, origin, tagged, counters, trace, origin.limits().maxMessageBytes());
  }

  /**
   * Goes another way to the same peer, while it is being set up: nothing that is counted has left.
   *
   * @param settings for the provider of the other way
   * @throws IllegalStateException if it is not being set up
   */
  public void link(FlowSettings settings, PeerLink other) {
    if (gate.state() != FlowState.CONNECTING) {
      throw new IllegalStateException("state=" + gate.state() + " of the flow to " + address());
    }
    gate.channelClosed(false);
    outbox.link(other);
    window.keepsPackets(!other.reliable());
    watch.reliable(other.reliable());
    arrivals.maxParked(other.parkedPackets(settings));
    SharedMemory memory = other.channel().sharedMemory();
    messages.link(settings.sizes(), memory);
    rendezvous.link(settings.sizes(), memory);
  }

  /** A datagram that has come is dropped. */
  void datagramDropped() {
    counters.datagramsDropped++;
    if (trace.isOn()) {
      trace.datagramDropped();
    }
  }

  /** This side's number of the flow; the peer's packets carry it. */
  public int id() {
    return id;
  }

  /** Index of the peer in the domain's address vector. */
  public int peer() {
    return peer;
  }

  /** What this side takes, for the peer to know. */
  public Limits limits() {
    return origin.limits();
  }

  /**
   * Longest message that both sides take, which both compute alike from what they have told each
   * other; 0 unless the flow is open. A side that takes none does not count.
   */
  public int maxMessageBytes() {
    return gate.isOpen()
        ? Math.min(mostOf(limits().maxMessageBytes()), mostOf(messages.maxMessageBytes()))
        : 0;
  }

  private static int mostOf(long limitBytes) {
    return limitBytes < 0
        ? Integer.MAX_VALUE
        : (int) Math.max(1, Math.min(limitBytes, Integer.MAX_VALUE));
  }

  /** The flow as services see it that take its frames. */
  public FrameOrigin origin() {
    return origin;
  }

  /** Whether it leads from the endpoint to itself. */
  public boolean isOwn() {
    return own;
  }

  /** Where the peer is. */
  public EndpointAddress address() {
    return outbox.link().address();
  }

  /** The way to the peer. */
  public PeerLink link() {
    return outbox.link();
  }

  public FlowState state() {
    return gate.state();
  }

  public FlowCounters counters() {
    return counters;
  }

  /** Whether nothing more can be sent or received. */
  public boolean isLost() {
    return gate.isLost();
  }

  /** The peer's number of this flow, {@link PacketLayout#NO_FLOW} before it is known. */
  public int remoteId() {
    return outbox.remoteId();
  }

  /** What receives call the peer: itself, or the scalable endpoint that it is a context of. */
  public int source() {
    return source;
  }

  /**
   * Follows the peer to another index of the address vector.
   *
   * @param newSource what receives call it
   */
  public void peer(int newPeer, int newSource) {
    peer = newPeer;
    trace.peer(newPeer);
    source = newSource;
  }

  /** Whether anything is queued or unacknowledged. */
  public boolean hasUnfinishedSends() {
    return !gate.isLost() && sends.hasUnfinished();
  }

  /** The accesses that this side does itself. */
  public FlowAccesses accesses() {
    return accesses;
  }

  /** The active requests that go by it. */
  public FlowActives actives() {
    return requests;
  }

  /** How it ends. */
  public FlowEnd end() {
    return end;
  }

  /** Whether packets are not with the transport yet, or may have to be sent again. */
  public boolean hasPacketsOnTheWay() {
    return !gate.isLost() && (end.isGoodbyeToSay() || outbox.hasPacketsOnTheWay());
  }

  /** Whether the peer has not acknowledged all packets; also where none is ever sent again. */
  public boolean awaitsAcknowledgement() {
    return !gate.isLost() && (end.isGoodbyeToSay() || outbox.hasUnacknowledged());
  }

  // ---- sending ----

  /** Accepts a send; it is transmitted now or in its turn, in the order submitted. */
  public void submit(PendingSend send) {
    if (!gate.takes()) {
      throw new IllegalStateException("submit to a lost flow of " + address());
    }
    messages.submit(send, gate.isOpen() && !gate.holdsGoodbye());
    if (outbox.open() != null || messages.hasWaiting()) {
      gate.leaveOrGather();
    }
  }

  /** Whether a send that is submitted now leaves at once, or the first of it. */
  public boolean mayLeaveNow(PendingSend send) {
    return gate.mayLeaveNow() && messages.mayLeaveNow(send);
  }

  /**
   * Hands a short message to the channel or puts it into the open packet, if nothing waits before
   * it and credit and window last.
   *
   * @return false if nothing has happened
   */
  public boolean inject(MessageView message) {
    if (!gate.isOpen()
        || gate.hasSaidGoodbye()
        || gate.holdsGoodbye()
        || !messages.inject(message)) {
      return false;
    }
    if (outbox.open() != null) {
      gate.queueFlush();
    }
    return true;
  }

  /**
   * Hands a message to the channel that nobody keeps, repeats or waits for. The flow must be open,
   * and the message no longer than {@link PeerLink#mostDatagramBytes} says.
   */
  public void sendDatagram(MessageView message) {
    datagrams.send(message);
  }

  /**
   * Takes back a send of which bytes are left to send; null if none is chosen. A receive that has
   * taken it ends with CANCELED.
   */
  public PendingSend withdraw(Predicate<PendingSend> chosen) {
    PendingSend send = messages.withdraw(chosen);
    // What waits next may need less: it was a fence, what a fence waits for, or waited for credit.
    if (control.hasWaiting() || messages.isReady()) {
      gate.queueFlush();
    }
    return send;
  }

  /** Whether a send that is wanted has not ended. */
  public boolean has(Predicate<PendingSend> wanted) {
    return messages.has(wanted);
  }

  /** Accepts a frame of a service; it leaves when credit and window allow. */
  public void submit(OutgoingFrame frame) {
    if (!gate.takes()) {
      frame.onFailed(FabricError.CONNECTION_RESET, "peer [" + address() + "] is gone");
      return;
    }
    frames.submit(frame);
    if (gate.leavesUnflushed()) {
      frames.pump();
    }
    gate.leaveOrGather();
  }

  /** An empty packet with room for a frame, which goes by this flow later or is released. */
  public Packet prepare(int frameBytes) {
    return outbox.prepare(frameBytes);
  }

  /** Bytes of the longest frame that a packet to this peer has room for. */
  public int maxFrameBytes() {
    return outbox.maxFrameBytes();
  }

  /** Accepts the answer to a request of the peer's; it leaves when the window allows. */
  void submit(Answer answer) {
    if (!gate.takes()) {
      answer.onEnd();
      return;
    }
    answers.submit(answer);
    if (bare && gate.mayBeFirst() && !gate.hasSaidGoodbye()) {
      // Who asked without a packet waits for this answer alone.
      answers.pumpShort();
      gate.leaveOrGather();
    } else {
      gate.queueFlush();
    }
  }

  FlowGate gate() {
    return gate;
  }

  void queueFlush() {
    gate.queueFlush();
  }

  /** Sends what this pass has gathered. Returns the packets sent. */
  public int flush() {
    gate.flushed();
    String closed = gate.isLost() ? null : outbox.link().channel().closedBecause();
    long before = sentInAll();
    if (gate.holdsGoodbye()) {
      end.flushTheRest(closed != null);
      return (int) (sentInAll() - before);
    }
    if (closed != null && !gate.isChannelClosed()) {
      gate.channelClosed(true);
      events.onChannelClosed(this, closed);
    }
    if (!gate.isOpen() || gate.isChannelClosed()) {
      return 0;
    }
    outbox.offerRefused();
    if (!gate.hasSaidGoodbye()) {
      sends.pump();
    }
    outbox.sealOpen();
    // A packet that is kept must not carry the report: sent again, it would tell what was.
    boolean report = owed.owesReport();
    if (report || owed.owesAcknowledgement()) {
      outbox.acknowledge(report);
    }
    if (outbox.hasRefused() || sends.isPaused() || owed.mustAcknowledgeNow()) {
      gate.queueFlush();
    }
    watch.watch(awaitsPeer());
    if (trace.isOn()) {
      trace.credit(messages.credit());
    }
    return (int) (sentInAll() - before);
  }

  private long sentInAll() {
    return counters.packetsSent + counters.bareSent + counters.acknowledgementsSent;
  }

  /** What waits here to leave, and what still may. */
  public SendBacklog backlog() {
    return messages.backlog();
  }

  /**
   * Whether it has something that could leave, and no flush is to come that would send it. Never so
   * at the end of a pass; simulations look after each.
   */
  public boolean isForgotten() {
    return gate.isForgotten();
  }

  boolean awaitsPeer() {
    return sends.awaitsPeer() || origin.awaitsRest() || arrivals.hasGap();
  }

  // ---- set-up ----

  /** What its set-up has to remember. */
  public FlowSetUp setUp() {
    return setUp;
  }

  /** What packets to the peer carry from its set-up on; before {@link #established}. */
  public void isolation(int chosen) {
    if (gate.state() == FlowState.CONNECTING) {
      outbox.isolation(chosen);
    }
  }

  /**
   * The peer's number of this flow is known, and what it takes: data may travel. Idempotent.
   *
   * @param peers what the peer has said that it takes
   */
  public void established(int peersFlowId, Limits peers) {
    if (gate.state() == FlowState.CONNECTING) {
      outbox.remoteId(peersFlowId);
      messages.keepTo(peers);
      gate.state(FlowState.OPEN);
      if (trace.isOn()) {
        trace.opened(outbox.remoteKey());
      }
      watch.heard();
      end.sayWhatIsToSay();
      gate.queueFlush();
    }
  }

  /** Takes the credits that a header carries. */
  public void credits(PacketHeaderDecoder header) {
    if (sends.credits(header)) {
      gate.queueFlush();
    }
  }

  // ---- receiving ----

  /**
   * Takes a packet of this flow whose header the cursor has read; the caller keeps its reference.
   */
  public void onPacket(Packet packet, FrameCursor cursor) {
    if (gate.isLost()) {
      return;
    }
    watch.heard();
    PacketHeaderDecoder header = cursor.packet();
    counters.bytesReceived += packet.length();
    credits(header);
    String unsent = sends.unsentIn(header);
    if (unsent != null) {
      end.breach(unsent);
      return;
    }
    if (sends.acknowledged(header)) {
      gate.queueFlush();
    }
    arrivals.senderHasSent(cursor.highestSent());
    replay(header);
    int flags = header.flags();
    if (cursor.isCounted()) {
      inbox.onCounted(packet, header.sequence(), cursor);
      if (sends.isFenced()) {
        gate.queueFlush();
      }
    }
    if ((flags & PacketLayout.ACKNOWLEDGE) != 0) {
      owed.answer();
    }
    if (owed.owesAcknowledgement()) {
      gate.queueFlush();
    }
    watch.watch(awaitsPeer());
  }

  private void replay(PacketHeaderDecoder header) {
    long before = counters.packetsReplayed;
    sends.replay(header);
    if (trace.isOn() && counters.packetsReplayed > before) {
      trace.replayed(counters.packetsReplayed - before);
    }
  }

  /** Takes the datagram that the cursor stands on, behind a header that {@link #onPacket} took. */
  public void onDatagram(FrameCursor cursor) {
    if (!gate.isLost() && !datagrams.onFrame(cursor)) {
      counters.packetsMalformed++;
      end.breach("a datagram does not follow the schema of the wire");
    }
  }

  /** Whether a short message by itself with this key is of this flow, and of its peer. */
  public boolean hasKey(long itsKey) {
    return itsKey == key;
  }

  /**
   * Takes a key for that of this flow from now on, if it is by an isolation that the peer may write
   * by.
   */
  public boolean takesKey(long itsKey, int isolation) {
    boolean takes = itsKey == FlowKey.of(id, isolation, address().incarnation());
    if (takes) {
      key = itsKey;
      inbound.flow(itsKey);
    }
    return takes;
  }

  /** Takes a short message that has come by itself. */
  public void onInjected(MessageView message) {
    if (gate.isLost()) {
      return;
    }
    counters.bytesReceived += message.length();
    if (origin.admit(message.length(), message.length())) {
      counters.messagesTaken++;
      tagged.whole(origin, message);
    }
  }

  /** Takes frames that came without a packet's header, and that the cursor stands before. */
  public void onFrames(FrameCursor cursor, int length) {
    if (gate.isLost()) {
      return;
    }
    counters.bareReceived++;
    counters.bytesReceived += length;
    bare = true;
    try {
      inbox.onBare(cursor);
    } finally {
      bare = false;
    }
    if (owed.owesAcknowledgement() || sends.isFenced()) {
      gate.queueFlush();
    }
  }

  // ---- timers ----

  /** What this flow does by the clock. */
  public FlowTimer timer() {
    return timer;
  }

  /** Whether the clock matters: a reliable channel says itself when it is closed. */
  boolean isTimed() {
    return gate.isOpen() && !outbox.link().reliable();
  }

  /** It is lost: fails all that was to be sent, and lets go of what it holds. */
  void failAll(FabricError error, String text) {
    sends.failUnsent(error, text);
    messages.failUnacknowledged(error, text);
    actives.end();
    outbox.clear();
    arrivals.clear();
    owed.end();
    if (trace.isOn()) {
      trace.lost(error);
    }
  }
}
