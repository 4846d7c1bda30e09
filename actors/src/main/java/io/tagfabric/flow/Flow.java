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
import io.tagfabric.flow.send.OutgoingActive;
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
import io.tagfabric.progress.PassCount;
import io.tagfabric.provider.DirectRegion;
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
  private static final String BY_PEER = "the peer has given this flow up";

  private final FlowEvents events;
  private final int id;
  private int peer;
  private int source;
  private PeerLink link;
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
  private final FlowOrigin origin;
  private final RendezvousReceiver rendezvous;
  private final PacketInbox inbox;
  private final FlowTimer timer;
  private final FlowCounters counters = new FlowCounters();
  private final FlowSetUp setUp = new FlowSetUp();
  private final TaggedArrivals tagged;
  private final Datagrams datagrams;
  private final FlowTrace trace;
  private final PassCount passes;
  private final InboundTrace inbound;
  private long key;
  private final boolean own;

  private FlowState state = FlowState.CONNECTING;
  private boolean closureTold;
  private boolean givenUp;
  private boolean goodbyeSaid;
  private boolean goodbyeHeard;

  /** A Goodbye that waits until what the channel has refused has left; else null. */
  private Integer goodbyeHeld;

  /** What to tell a peer that is not known yet as soon as it is, null if nothing. */
  private FabricError goodbyeToSay;

  private boolean flushQueued;

  /** Whether what is taken now has come without a packet's header. */
  private boolean bare;

  /** The pass in which frames have left at once; what follows them in it is gathered. */
  private long leftInPass = -1;

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
    this.link = link;
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
    inbound = new InboundTrace(key, link.address().incarnation(), context.endpoint());
    rendezvous = new RendezvousReceiver(this, settings.sizes(), memory, control, counters);
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
    passes = context.passes();
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
    if (state != FlowState.CONNECTING) {
      throw new IllegalStateException("state=" + state + " of the flow to " + address());
    }
    link = other;
    closureTold = false;
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
    return state == FlowState.OPEN
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
    return link.address();
  }

  /** The way to the peer. */
  public PeerLink link() {
    return link;
  }

  public FlowState state() {
    return state;
  }

  public FlowCounters counters() {
    return counters;
  }

  /** Whether the peer has said that its side has ended. */
  public boolean hasHeardGoodbye() {
    return goodbyeHeard;
  }

  /** Whether nothing more can be sent or received. */
  public boolean isLost() {
    return state == FlowState.LOST;
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
    return state != FlowState.LOST && sends.hasUnfinished();
  }

  /** Whether an access to the peer's memory was ever submitted. */
  public boolean hasAccessed() {
    return messages.accesses().isUsed();
  }

  /**
   * The region of the peer that an access to which would be done by this side, now; null if the
   * access is to be submitted.
   */
  public DirectRegion reach(long key, long generation) {
    if (state != FlowState.OPEN || goodbyeSaid || messages.hasWaiting()) {
      return null;
    }
    DirectRegion region = messages.accesses().region(key, generation);
    if (region != null) {
      messages.accesses().submitted();
    }
    return region;
  }

  /**
   * Whether the signal of a write that this side does in such a region could leave now; only
   * between {@link #reach} and {@link #signal}.
   */
  public boolean maySignal() {
    return !ends() && messages.maySignal();
  }

  /**
   * Sends the signal of a write that is placed, if it {@link #maySignal}.
   *
   * @param flags of {@link io.tagfabric.wire.AccessWriter}: the signal, immediate data
   */
  public void signal(
      long regionKey, long generation, long offset, int bytes, long data, int flags) {
    messages.signal(regionKey, generation, offset, bytes, data, flags);
    leaveOrGather();
  }

  /** Whether packets are not with the transport yet, or may have to be sent again. */
  public boolean hasPacketsOnTheWay() {
    return state != FlowState.LOST && (goodbyeToSay != null || outbox.hasPacketsOnTheWay());
  }

  /** Whether the peer has not acknowledged all packets; also where none is ever sent again. */
  public boolean awaitsAcknowledgement() {
    return state != FlowState.LOST && (goodbyeToSay != null || outbox.hasUnacknowledged());
  }

  // ---- sending ----

  /** Accepts a send; it is transmitted now or in its turn, in the order submitted. */
  public void submit(PendingSend send) {
    if (state == FlowState.LOST || goodbyeSaid) {
      throw new IllegalStateException("submit to a lost flow of " + address());
    }
    messages.submit(send, state == FlowState.OPEN && goodbyeHeld == null);
    if (outbox.open() != null || messages.hasWaiting()) {
      leaveOrGather();
    }
  }

  /**
   * The first frames of a pass leave at once where packets are not lost, and then nothing is left
   * to flush; what follows in the same pass is gathered.
   */
  private void leaveOrGather() {
    if (!mayBeFirst() || !leavesAtOnce()) {
      queueFlush();
    }
  }

  /** Whether nothing has left in this pass, and nothing is gathered. */
  private boolean mayBeFirst() {
    return !flushQueued && state == FlowState.OPEN && !ends() && leftInPass != passes.begun();
  }

  /** Sends what is gathered, where no timer has to know; whether nothing is left then. */
  private boolean leavesAtOnce() {
    if (outbox.open() == null || !outbox.sealFirst()) {
      return false;
    }
    leftInPass = passes.begun();
    return !couldSend() && !owed.owesAcknowledgement();
  }

  private boolean couldSend() {
    return outbox.open() != null || outbox.hasRefused() || (!goodbyeSaid && sends.isReady());
  }

  /** Whether a send that is submitted now leaves at once, or the first of it. */
  public boolean mayLeaveNow(PendingSend send) {
    return mayLeaveNow() && messages.mayLeaveNow(send);
  }

  /**
   * Hands a short message to the channel or puts it into the open packet, if nothing waits before
   * it and credit and window last.
   *
   * @return false if nothing has happened
   */
  public boolean inject(MessageView message) {
    if (state != FlowState.OPEN
        || goodbyeSaid
        || goodbyeHeld != null
        || !messages.inject(message)) {
      return false;
    }
    if (outbox.open() != null) {
      queueFlush();
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
      queueFlush();
    }
    return send;
  }

  /** Whether a send that is wanted has not ended. */
  public boolean has(Predicate<PendingSend> wanted) {
    return messages.has(wanted);
  }

  /** Accepts a frame of a service; it leaves when credit and window allow. */
  public void submit(OutgoingFrame frame) {
    if (state == FlowState.LOST || goodbyeSaid) {
      frame.onFailed(FabricError.CONNECTION_RESET, "peer [" + address() + "] is gone");
      return;
    }
    frames.submit(frame);
    if (!flushQueued && mayLeaveNow()) {
      frames.pump();
    }
    leaveOrGather();
  }

  /** Accepts an active request; it leaves when credit and window allow. */
  public void submit(OutgoingActive request) {
    if (state == FlowState.LOST || goodbyeSaid) {
      request.onFailed(FabricError.CONNECTION_RESET, "peer [" + address() + "] is gone");
      return;
    }
    actives.submit(request);
    if (!flushQueued && mayLeaveNow()) {
      actives.pump();
    }
    leaveOrGather();
  }

  /**
   * Accepts an active request only if all of it is in a packet when this returns.
   *
   * @return false if nothing has happened
   */
  public boolean submitNow(OutgoingActive request) {
    if (!mayLeaveNow()) {
      return false;
    }
    boolean submitted = actives.submitNow(request);
    if (submitted) {
      leaveOrGather();
    } else if (outbox.hasRefused()) {
      queueFlush();
    }
    return submitted;
  }

  /** An empty packet with room for a frame, which goes by this flow later or is released. */
  public Packet prepare(int frameBytes) {
    return outbox.prepare(frameBytes);
  }

  /**
   * Takes a credit for an active request that is yet to be written.
   *
   * @return false if there is none now
   */
  public boolean reserveActive() {
    return mayLeaveNow() && actives.reserve();
  }

  /** The same, only if a packet has room for its frame too. */
  public boolean reserveActiveNow(int frameBytes) {
    return mayLeaveNow() && actives.hasRoomFor(frameBytes) && actives.reserve();
  }

  private boolean mayLeaveNow() {
    return state == FlowState.OPEN && !goodbyeSaid && !ends();
  }

  /** Gives back what {@link #reserveActive} has taken. */
  public void giveUpActive() {
    actives.giveUp();
  }

  /** Accepts an active request that brings the credit which {@link #reserveActive} has taken. */
  public void submitReserved(OutgoingActive request) {
    if (state == FlowState.LOST || goodbyeSaid) {
      actives.giveUp();
      request.onFailed(FabricError.CONNECTION_RESET, "peer [" + address() + "] is gone");
      return;
    }
    actives.submitReserved(request);
    if (!flushQueued && mayLeaveNow()) {
      actives.pump();
    }
    leaveOrGather();
  }

  /** Bytes of the longest frame that a packet to this peer has room for. */
  public int maxFrameBytes() {
    return outbox.maxFrameBytes();
  }

  /** Accepts the answer to a request of the peer's; it leaves when the window allows. */
  void submit(Answer answer) {
    if (state == FlowState.LOST || goodbyeSaid) {
      answer.onEnd();
      return;
    }
    answers.submit(answer);
    if (bare && mayBeFirst() && !goodbyeSaid) {
      // Who asked without a packet waits for this answer alone.
      answers.pumpShort();
      leaveOrGather();
    } else {
      queueFlush();
    }
  }

  void queueFlush() {
    if (!flushQueued) {
      flushQueued = true;
      events.onFlushNeeded(this);
    }
  }

  /** Sends what this pass has gathered. Returns the packets sent. */
  public int flush() {
    flushQueued = false;
    String closed = state == FlowState.LOST ? null : link.channel().closedBecause();
    if (goodbyeHeld != null) {
      return flushTheRest(closed != null);
    }
    if (closed != null && !closureTold) {
      closureTold = true;
      events.onChannelClosed(this, closed);
    }
    if (state != FlowState.OPEN || closureTold) {
      return 0;
    }
    long before = sentInAll();
    outbox.offerRefused();
    if (!goodbyeSaid) {
      sends.pump();
    }
    outbox.sealOpen();
    // A packet that is kept must not carry the report: sent again, it would tell what was.
    boolean report = owed.owesReport();
    if (report || owed.owesAcknowledgement()) {
      outbox.acknowledge(report);
    }
    if (outbox.hasRefused() || sends.isPaused() || owed.mustAcknowledgeNow()) {
      queueFlush();
    }
    watch.watch(awaitsPeer());
    if (trace.isOn()) {
      trace.credit(messages.credit());
    }
    return (int) (sentInAll() - before);
  }

  /** The peer has said goodbye, and reads what is sent until it has an answer. */
  private int flushTheRest(boolean isClosed) {
    if (state == FlowState.LOST) {
      return 0;
    }
    long before = sentInAll();
    outbox.offerRefused();
    if (isClosed || !outbox.hasRefused()) {
      endByGoodbye(goodbyeHeld);
    } else {
      queueFlush();
    }
    return (int) (sentInAll() - before);
  }

  /** Whether nothing that is submitted now leaves. */
  private boolean ends() {
    return closureTold || goodbyeHeld != null;
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
    return state == FlowState.OPEN && !flushQueued && !ends() && couldSend();
  }

  boolean awaitsPeer() {
    return sends.awaitsPeer() || origin.awaitsRest() || arrivals.hasGap();
  }

  // ---- set-up ----

  /** What its set-up has to remember. */
  public FlowSetUp setUp() {
    return setUp;
  }

  /**
   * Makes a Hello or Welcome ready for {@link #offerGreeting}. A peer reads no acknowledgement in
   * it, so what has overtaken its own greeting stays unacknowledged.
   */
  public void sealGreeting(Packet packet) {
    boolean owes = owesWord();
    outbox.sealUncounted(packet, 0);
    if (owes) {
      owed.acknowledgeNow();
    }
  }

  private boolean owesWord() {
    return owed.mustAcknowledgeNow() || owed.owesPackets();
  }

  /**
   * Sends a sealed Hello or Welcome to the peer; the caller keeps its reference.
   *
   * @return false if the channel has no room for it
   */
  public boolean offerGreeting(Packet packet) {
    if (owesWord()) {
      owed.acknowledgeNow();
    }
    return link.channel().offer(packet);
  }

  /** What packets to the peer carry from its set-up on; before {@link #established}. */
  public void isolation(int chosen) {
    if (state == FlowState.CONNECTING) {
      outbox.isolation(chosen);
    }
  }

  /**
   * The peer's number of this flow is known, and what it takes: data may travel. Idempotent.
   *
   * @param peers what the peer has said that it takes
   */
  public void established(int peersFlowId, Limits peers) {
    if (state == FlowState.CONNECTING) {
      outbox.remoteId(peersFlowId);
      messages.keepTo(peers);
      state = FlowState.OPEN;
      if (trace.isOn()) {
        trace.opened(outbox.remoteKey());
      }
      watch.heard();
      if (goodbyeToSay != null) {
        outbox.sayGoodbye(goodbyeToSay.code());
        goodbyeToSay = null;
      }
      queueFlush();
    }
  }

  /** Takes the credits that a header carries. */
  public void credits(PacketHeaderDecoder header) {
    if (sends.credits(header)) {
      queueFlush();
    }
  }

  // ---- receiving ----

  /**
   * Takes a packet of this flow whose header the cursor has read; the caller keeps its reference.
   */
  public void onPacket(Packet packet, FrameCursor cursor) {
    if (state == FlowState.LOST) {
      return;
    }
    watch.heard();
    PacketHeaderDecoder header = cursor.packet();
    counters.bytesReceived += packet.length();
    credits(header);
    String unsent = sends.unsentIn(header);
    if (unsent != null) {
      breach(unsent);
      return;
    }
    if (sends.acknowledged(header)) {
      queueFlush();
    }
    arrivals.senderHasSent(cursor.highestSent());
    replay(header);
    int flags = header.flags();
    if (cursor.isCounted()) {
      inbox.onCounted(packet, header.sequence(), cursor);
      if (sends.isFenced()) {
        queueFlush();
      }
    }
    if ((flags & PacketLayout.ACKNOWLEDGE) != 0) {
      owed.answer();
    }
    if (owed.owesAcknowledgement()) {
      queueFlush();
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
    if (state != FlowState.LOST && !datagrams.onFrame(cursor)) {
      counters.packetsMalformed++;
      breach("a datagram does not follow the schema of the wire");
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
    boolean takes = itsKey == FlowKey.of(id, isolation, link.address().incarnation());
    if (takes) {
      key = itsKey;
      inbound.flow(itsKey);
    }
    return takes;
  }

  /** Takes a short message that has come by itself. */
  public void onInjected(MessageView message) {
    if (state == FlowState.LOST) {
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
    if (state == FlowState.LOST) {
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
      queueFlush();
    }
  }

  void onCountedGoodbye(int error) {
    outbox.sealOpen();
    if (link.reliable() && outbox.hasRefused()) {
      goodbyeHeld = error;
      queueFlush();
    } else {
      endByGoodbye(error);
    }
  }

  private void endByGoodbye(int error) {
    // The peer may wait for it, and this flow says nothing more.
    outbox.offerUncounted(outbox.uncounted(0), 0);
    onGoodbye(error);
  }

  /** The peer says that its side of the flow has ended. */
  public void onGoodbye(int error) {
    goodbyeHeard = true;
    FabricError reason = FabricError.find(error).orElse(FabricError.CONNECTION_RESET);
    if (reason == FabricError.CONNECTION_RESET) {
      givenUpByPeer();
    } else {
      lose(reason, reason == FabricError.SHUTDOWN ? "the peer's endpoint closed" : BY_PEER);
    }
  }

  /** The peer has given this flow up, and may begin another. */
  public void givenUpByPeer() {
    giveUp(FabricError.CONNECTION_RESET, BY_PEER);
  }

  /** As {@link #flushIfOwed} where nothing has happened but that a message was taken. */
  void flushIfOwedForMessages() {
    if (owed.owesForMessages() && !flushQueued && state == FlowState.OPEN) {
      queueFlush();
    }
  }

  void flushIfOwed() {
    if (!flushQueued && state == FlowState.OPEN && owed.owesAcknowledgement()) {
      queueFlush();
    }
  }

  // ---- timers ----

  /** What this flow does by the clock. */
  public FlowTimer timer() {
    return timer;
  }

  /** Whether the clock matters: a reliable channel says itself when it is closed. */
  boolean isTimed() {
    return state == FlowState.OPEN && !link.reliable();
  }

  // ---- end ----

  /**
   * Tells the peer that this endpoint closes. What was submitted before and is in a packet travels
   * first; the rest fails with {@code ownError}, and nothing can be submitted any more. A peer that
   * has not answered the greeting yet is told when it does.
   */
  public void sayGoodbye(FabricError peersError, FabricError ownError, String detail) {
    if (state == FlowState.LOST || goodbyeSaid) {
      return;
    }
    goodbyeSaid = true;
    sends.failUnsent(ownError, detail);
    if (state == FlowState.OPEN) {
      outbox.sayGoodbye(peersError.code());
      queueFlush();
    } else {
      goodbyeToSay = peersError;
    }
  }

  /**
   * Answers a packet that came after the end of this flow, so that its sender knows.
   *
   * @return false if the channel has no room for the answer
   */
  public boolean repeatGoodbye(FabricError peersError) {
    return state != FlowState.LOST
        || remoteId() == PacketLayout.NO_FLOW
        || outbox.repeatGoodbye(peersError.code());
  }

  /**
   * The peer has answered after the end of this flow, and has opened its side. Its number is what
   * {@link #repeatGoodbye} needs; it is kept if it was not known.
   */
  public void answeredLate(int peersFlowId) {
    if (state == FlowState.LOST && remoteId() == PacketLayout.NO_FLOW) {
      outbox.remoteId(peersFlowId);
    }
  }

  /** The peer has broken a rule: takes nothing more from it, and says so in a Goodbye. */
  void breach(String rule) {
    if (state != FlowState.LOST) {
      lose(FabricError.PROTOCOL, rule);
      if (remoteId() == PacketLayout.NO_FLOW || !repeatGoodbye(FabricError.PROTOCOL)) {
        events.onGoodbyeUnsaid(this, FabricError.PROTOCOL);
      }
    }
  }

  /**
   * Gives this flow up, but not the peer: nothing is known against it except its silence, and
   * another flow may begin where the cluster says that its node lives. Ends as {@link #lose} does.
   */
  public void giveUp(FabricError error, String detail) {
    givenUp |= state != FlowState.LOST;
    lose(error, detail);
  }

  /** Whether it was {@linkplain #giveUp given up} by either side. */
  public boolean isGivenUp() {
    return givenUp;
  }

  /**
   * Ends this flow and its peer: every unfinished send fails with {@code error} and a text that
   * names the peer. CANCELED means that this side ends the flow by its own will. Idempotent.
   */
  public void lose(FabricError error, String detail) {
    if (state == FlowState.LOST) {
      return;
    }
    state = FlowState.LOST;
    boolean ownWill = error == FabricError.CANCELED;
    String text = ownWill ? detail : "peer [" + address() + "] lost: " + detail;
    sends.failUnsent(error, text);
    messages.failUnacknowledged(error, text);
    actives.end();
    outbox.clear();
    arrivals.clear();
    owed.end();
    if (trace.isOn()) {
      trace.lost(error);
    }
    events.onLost(this, error, text);
  }
}
