package io.tagfabric.flow;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.PathInfo;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import java.util.List;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Both directions between one endpoint and one peer: sends in the order posted, packets in
 * sequence, acknowledgements, credits, replay and the rendezvous of long messages.
 *
 * <p>Claim: every message handed to {@link #submit} arrives once and in order, or {@link
 * FlowEvents#onLost} is told. Memory is bounded on both sides: the sender holds at most the window,
 * the receiver at most the credit it gave. How:
 *
 * <ul>
 *   <li>Frames of one pass share one packet. The packet's header carries the acknowledgement and
 *       the credits of the other direction, so traffic that goes both ways needs no packets of its
 *       own for them.
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
public final class Flow implements FrameOrigin {
  /** Where a flow is in its life. */
  public enum State {
    CONNECTING,
    OPEN,
    LOST
  }

  private final FlowContext context;
  private final FlowEvents events;
  private final FlowSettings settings;
  private final int id;
  private int peer;
  private final EndpointAddress address;
  private final String provider;
  private final Channel channel;
  private final boolean reliable;
  private final SendWindow window;
  private final ReceiveWindow arrivals;
  private final Dues dues;
  private final PeerWatch watch;
  private final PacketOutbox outbox;
  private final MessageSender messages;
  private final RendezvousSender rendezvous;
  private final ControlQueue control;
  private final SharedMemory memory;
  private final PacketInbox inbox;
  private final FlowCounters counters = new FlowCounters();

  private State state = State.CONNECTING;
  private boolean dataFirst;
  private boolean closureTold;
  private boolean goodbyeSaid;
  private boolean flushQueued;

  public Flow(
      FlowContext context,
      FlowSettings settings,
      int id,
      int peer,
      EndpointAddress address,
      String provider,
      Channel channel,
      boolean reliable) {
    this.context = context;
    this.events = context.events();
    this.settings = settings;
    this.id = id;
    this.peer = peer;
    this.address = address;
    this.provider = provider;
    this.channel = channel;
    this.reliable = reliable;
    window = new SendWindow(settings.windowPackets(), settings.windowBytes(), !reliable);
    arrivals = new ReceiveWindow(parkedPackets(settings, channel));
    dues = new Dues(settings, context.budget(), arrivals, context.nanoTime());
    watch = new PeerWatch(context.time(), settings, reliable);
    outbox = new PacketOutbox(context, channel, reliable, window, dues, watch, counters);
    control = new ControlQueue(outbox);
    memory = channel.sharedMemory();
    messages = new MessageSender(events, settings.sizes(), memory, outbox, control, counters);
    rendezvous = messages.rendezvous();
    inbox = new PacketInbox(this, events, arrivals, dues, watch, rendezvous, control, counters);
  }

  /** This side's number of the flow; the peer's packets carry it. */
  public int id() {
    return id;
  }

  @Override
  public int peer() {
    return peer;
  }

  public EndpointAddress address() {
    return address;
  }

  /** All that may be in flight on other paths, or what one report of missing packets is for. */
  private static int parkedPackets(FlowSettings settings, Channel channel) {
    return channel.reorders()
        ? Math.max(settings.windowPackets(), settings.replayPackets())
        : settings.replayPackets();
  }

  boolean reorders() {
    return channel.reorders();
  }

  /** What each path of the channel has carried; empty if there is only one. */
  public List<PathInfo> paths() {
    return channel.paths();
  }

  /** Name of the provider that carries this flow. */
  public String provider() {
    return provider;
  }

  public State state() {
    return state;
  }

  public FlowCounters counters() {
    return counters;
  }

  @Override
  public boolean isOpen() {
    return state == State.OPEN;
  }

  /** The peer's number of this flow, {@link PacketLayout#NO_FLOW} before it is known. */
  public int remoteId() {
    return outbox.remoteId();
  }

  /** Follows the peer to another index of the address vector. */
  public void peer(int newPeer) {
    peer = newPeer;
  }

  /** Whether anything is queued or unacknowledged. */
  public boolean hasUnfinishedSends() {
    return state != State.LOST
        && (messages.hasUnfinished() || control.hasWaiting() || outbox.hasPacketsOnTheWay());
  }

  /** Whether packets are not with the transport yet, or may have to be sent again. */
  public boolean hasPacketsOnTheWay() {
    return state != State.LOST && outbox.hasPacketsOnTheWay();
  }

  // ---- sending ----

  /** Accepts a send; it is transmitted now or in its turn, in the order submitted. */
  public void submit(PendingSend send) {
    if (state == State.LOST || goodbyeSaid) {
      throw new IllegalStateException("submit to a lost flow of " + address);
    }
    messages.submit(send, state == State.OPEN);
    if (outbox.open() != null || messages.hasWaiting()) {
      queueFlush();
    }
  }

  /**
   * Hands a short message to the channel or puts it into the open packet, if nothing waits before
   * it and credit and window last.
   *
   * @return false if nothing has happened
   */
  public boolean inject(DirectBuffer buffer, int offset, int length, long tag) {
    if (state != State.OPEN || goodbyeSaid || !messages.inject(buffer, offset, length, tag)) {
      return false;
    }
    if (outbox.open() != null) {
      queueFlush();
    }
    return true;
  }

  /**
   * Takes back a send of which bytes are left to send; null if none is chosen. A receive that has
   * taken it ends with CANCELED.
   */
  public PendingSend withdraw(Predicate<PendingSend> chosen) {
    PendingSend send = messages.withdraw(chosen);
    if (control.hasWaiting()) {
      queueFlush();
    }
    return send;
  }

  /** How messages of this flow travel by their length. */
  public SizeClasses sizes() {
    return settings.sizes();
  }

  /**
   * Asks the sender of a request for bytes of its message.
   *
   * @param wanted bytes wanted in all
   * @param clearedTo bytes before this position may be sent now
   * @param moreBytes that this asks for beyond what was asked before
   * @param target where the sender may write them itself, null if nowhere
   */
  public void clearToSend(
      long message, long receive, long wanted, long clearedTo, long moreBytes, MemoryKey target) {
    if (isOpen()) {
      control.clear(message, receive, wanted, clearedTo, moreBytes, target);
      queueFlush();
    }
  }

  /**
   * Tells the sender of a request how the receive that took its message has ended.
   *
   * @param errorCode 0 if the bytes wanted are in its buffer
   */
  public void finish(long message, int errorCode) {
    if (isOpen()) {
      control.finish(message, errorCode);
      queueFlush();
    }
  }

  /** Names bytes of this side that the peer can write itself; null if it cannot reach them. */
  public MemoryKey keyOf(DirectBuffer buffer, int offset, int length) {
    return memory == null ? null : memory.keyOf(buffer, offset, length);
  }

  /**
   * Reads bytes of the peer's memory; as {@link SharedMemory#read}.
   *
   * @return false if they must be asked for instead
   */
  public boolean read(
      MemoryKey source, long position, MutableDirectBuffer target, int offset, int length) {
    if (memory == null || !memory.read(source, position, target, offset, length)) {
      return false;
    }
    counters.directBytes += length;
    return true;
  }

  /** Bytes that were asked for will not come. */
  public void forgo(long bytes) {
    control.settled(bytes);
  }

  private void pump() {
    control.pump();
    // By turns, so that neither a stream of messages nor a long one keeps the other from the
    // window.
    dataFirst = !dataFirst;
    if (dataFirst) {
      rendezvous.pump();
      messages.pump();
    } else {
      messages.pump();
      rendezvous.pump();
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
    String closed = state == State.LOST ? null : channel.closedBecause();
    if (closed != null && !closureTold) {
      closureTold = true;
      events.onChannelClosed(this, closed);
    }
    if (state != State.OPEN || closureTold) {
      return 0;
    }
    long before = counters.packetsSent + counters.acknowledgementsSent;
    outbox.offerRefused();
    if (!goodbyeSaid) {
      pump();
    }
    outbox.sealOpen();
    // A packet that is kept must not carry the report: sent again, it would tell what was.
    boolean report = dues.owesReport();
    if (report || dues.owesAcknowledgement()) {
      acknowledge(report);
    }
    if (outbox.hasRefused() || rendezvous.isPaused() || dues.mustAcknowledgeNow()) {
      queueFlush();
    }
    watch.watch(awaitsPeer());
    return (int) (counters.packetsSent + counters.acknowledgementsSent - before);
  }

  private void acknowledge(boolean report) {
    if (outbox.offerUncounted(outbox.uncounted(0), report ? PacketLayout.MISSING : 0)) {
      counters.acknowledgementsSent++;
      dues.acknowledged(report, context.nanoTime());
    } else {
      dues.acknowledgeNow();
    }
  }

  /** Whether this side can only go on after a packet from the peer. */
  private boolean awaitsPeer() {
    return window.hasUnacknowledged()
        || messages.hasWaiting()
        || rendezvous.hasAnnounced()
        || messages.awaitsDelivery()
        || control.expectsBytes();
  }

  // ---- set-up ----

  /** Sends a prepared Hello, Welcome or Refuse to the peer; takes the caller's reference. */
  public void offerGreeting(FrameBatch packet) {
    outbox.offerUncounted(packet, 0);
  }

  /** The peer's number of this flow is known: data may travel. Idempotent. */
  public void established(int peersFlowId) {
    if (state == State.CONNECTING) {
      outbox.remoteId(peersFlowId);
      state = State.OPEN;
      watch.heard();
      queueFlush();
    }
  }

  /** Takes the credits that a header carries. */
  public void credits(PacketHeaderDecoder header) {
    if (messages.credits(header.grantedBytes(), header.grantedMessages())
        && messages.hasWaiting()) {
      queueFlush();
    }
  }

  // ---- receiving ----

  /**
   * Takes a packet of this flow whose header the cursor has read; the caller keeps its reference.
   */
  public void onPacket(FrameBatch packet, FrameCursor cursor) {
    if (state == State.LOST) {
      return;
    }
    watch.heard();
    PacketHeaderDecoder header = cursor.packet();
    counters.bytesReceived += packet.length();
    credits(header);
    if (window.acknowledge(header.acknowledged())) {
      messages.acknowledged(window.acknowledged());
      watch.acknowledged(window.acknowledged());
      channel.acknowledged(window.acknowledged());
      if (messages.hasWaiting() || rendezvous.hasCleared() || control.hasWaiting()) {
        queueFlush();
      }
    }
    messages.delivered(header.delivered());
    arrivals.senderHasSent(header.highestSent());
    int flags = header.flags();
    if ((flags & PacketLayout.MISSING) != 0 && watch.startReplay()) {
      outbox.replay(settings.replayPackets());
    }
    long sequence = header.sequence();
    if (sequence != 0) {
      inbox.onCounted(packet, sequence, cursor);
    }
    if ((flags & PacketLayout.ACKNOWLEDGE) != 0) {
      dues.answer();
    }
    if (dues.owesAcknowledgement()) {
      queueFlush();
    }
    watch.watch(awaitsPeer());
  }

  /** Takes a short message that has come by itself. */
  public void onInjected(
      long tag, boolean hasData, long data, DirectBuffer payload, int offset, int length) {
    if (state != State.LOST) {
      counters.bytesReceived += length;
      dues.eagerArrived(length);
      events.onInjected(this, tag, hasData, data, payload, offset, length);
    }
  }

  void onCountedGoodbye(int error) {
    if (!reliable) {
      // The peer waits for it, and this flow says nothing more.
      outbox.offerUncounted(outbox.uncounted(0), 0);
    }
    onGoodbye(error);
  }

  /** The peer says that its side of the flow has ended. */
  public void onGoodbye(int error) {
    FabricError reason = FabricError.find(error).orElse(FabricError.CONNECTION_RESET);
    lose(
        reason,
        reason == FabricError.SHUTDOWN
            ? "the peer's endpoint closed"
            : "the peer has given this flow up");
  }

  @Override
  public void consumedEager(int payloadBytes) {
    dues.consumedBytes(payloadBytes);
    consumedRequest();
  }

  @Override
  public void consumedRequest() {
    dues.consumedMessage();
    if (!flushQueued && state == State.OPEN && dues.owesAcknowledgement()) {
      queueFlush();
    }
  }

  @Override
  public void processed(long sequence) {
    dues.packetProcessed(sequence);
    if (!flushQueued && state == State.OPEN && dues.owesAcknowledgement()) {
      queueFlush();
    }
  }

  // ---- timers ----

  /** Whether something of this flow may be lost, so that {@link #tick} must be called. */
  public boolean needsTick() {
    return state == State.OPEN && !reliable && (awaitsPeer() || dues.owesPackets());
  }

  /** Nanoseconds until {@link #tick} has something to do. */
  public long tickDelayNs(long nowNs) {
    long delayNs = Long.MAX_VALUE;
    if (dues.owesPackets()) {
      delayNs = dues.acknowledgeAtNs() - nowNs;
    }
    if (awaitsPeer()) {
      delayNs = Math.min(delayNs, watch.pingAtNs() - nowNs);
    }
    return Math.max(settings.pingNs(), delayNs);
  }

  /**
   * Runs the timers of an unreliable flow: sends owed acknowledgements, asks a silent peer, gives a
   * lost one up.
   *
   * @param peerKnownAlive whether the cluster's membership says that the peer's node is reachable
   */
  public void tick(long nowNs, boolean peerKnownAlive) {
    if (state != State.OPEN || reliable) {
      return;
    }
    if (dues.tick(nowNs, watch.firstPingNs())) {
      queueFlush();
    }
    if (!awaitsPeer()) {
      return;
    }
    if (nowNs - watch.pingAtNs() >= 0) {
      watch.asked(nowNs);
      counters.pingsSent++;
      outbox.offerUncounted(outbox.uncounted(0), PacketLayout.ACKNOWLEDGE);
    }
    long silenceNs = watch.silenceNs(nowNs);
    if (silenceNs >= settings.peerTimeoutNs() && !peerKnownAlive) {
      lose(
          FabricError.TIMED_OUT,
          "no sign of life for "
              + silenceNs / 1_000_000
              + " ms, flow.peer-timeout="
              + settings.peerTimeoutNs() / 1_000_000
              + " ms");
    }
  }

  // ---- end ----

  /**
   * Tells the peer that this endpoint closes. What was submitted before and is in a packet travels
   * first; the rest fails with {@code ownError}, and nothing can be submitted any more.
   */
  public void sayGoodbye(FabricError peersError, FabricError ownError, String detail) {
    if (state != State.OPEN || goodbyeSaid) {
      return;
    }
    goodbyeSaid = true;
    failUnsent(ownError, detail);
    outbox.writer().goodbye(outbox.roomForGoodbye(), peersError.code());
    outbox.acknowledgeOpen();
    outbox.sealOpen();
    queueFlush();
  }

  /** Answers a packet that came after the end of this flow, so that its sender knows. */
  public void repeatGoodbye(FabricError peersError) {
    if (state == State.LOST && remoteId() != PacketLayout.NO_FLOW) {
      FrameBatch packet = outbox.uncounted(FrameWriter.goodbyeLength());
      outbox.writer().goodbye(packet, peersError.code());
      outbox.offerUncounted(packet, 0);
    }
  }

  /**
   * Gives the peer up: every unfinished send fails with {@code error} and a text that names the
   * peer. CANCELED means that this side ends the flow by its own will. Idempotent.
   */
  public void lose(FabricError error, String detail) {
    if (state == State.LOST) {
      return;
    }
    state = State.LOST;
    boolean ownWill = error == FabricError.CANCELED;
    String text = ownWill ? detail : "peer [" + address + "] lost: " + detail;
    failUnsent(error, text);
    messages.failUnacknowledged(error, text);
    outbox.clear();
    arrivals.clear();
    dues.end();
    events.onLost(this, error, text);
  }

  private void failUnsent(FabricError error, String detail) {
    messages.failUnsent(error, detail);
    control.forget();
  }
}
