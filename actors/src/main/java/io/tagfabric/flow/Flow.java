package io.tagfabric.flow;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.wire.FrameBatch;
import io.tagfabric.wire.FrameBatchPool;
import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import io.tagfabric.wire.sbe.PacketHeaderEncoder;
import java.util.ArrayDeque;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;

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
 *   <li>A message up to the eager limit travels at once while byte credit lasts. A longer one, or
 *       one beyond the credit, sends a request that keeps its place in the order; its bytes follow
 *       when a receive has matched it. A receiver that matches nothing thus holds at most the
 *       credit.
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

  private static final int MIN_DATA_BYTES = 512;
  private static final int PING_ROUND_TRIPS = 4;
  private static final int ACKNOWLEDGE_DELAY_PINGS = 4;

  private final FlowContext context;
  private final FlowSettings settings;
  private final int id;
  private int peer;
  private final EndpointAddress address;
  private final String provider;
  private final Channel channel;
  private final boolean reliable;
  private final SendWindow window;
  private final ReceiveWindow arrivals;
  private final FlowCounters counters = new FlowCounters();

  private final ArrayDeque<PendingSend> waiting = new ArrayDeque<>();
  private final Long2ObjectHashMap<PendingSend> requested = new Long2ObjectHashMap<>();
  private final ArrayDeque<PendingSend> cleared = new ArrayDeque<>();
  private final ArrayDeque<PendingSend> unacknowledged = new ArrayDeque<>();
  private final ArrayDeque<FrameBatch> refused = new ArrayDeque<>();
  private final ArrayDeque<long[]> clearances = new ArrayDeque<>();

  private State state = State.CONNECTING;
  private int remoteId = PacketLayout.NO_FLOW;
  private FrameBatch open;
  private boolean acknowledgeOpen;
  private long nextMessage = 1;
  private boolean dataFirst;
  private boolean closureTold;
  private boolean goodbyeSaid;

  private long sentBytes;
  private long sentMessages;
  private long grantedBytes;
  private long grantedMessages;

  private long consumedBytes;
  private long consumedMessages;
  private long arrivedMessages;
  private long expectedBytes;
  private long announcedBytes;
  private long announcedMessages;
  private long announcedReceived;
  private boolean acknowledgeNow;
  private boolean reportMissing;
  private long missingReportedAt = -1;
  private long missingReportedNs;

  private boolean flushQueued;
  private long lastHeardNs;
  private long lastAskedNs;
  private boolean awaiting;
  private long silenceNs;
  private long silenceCountedNs;
  private long pingIntervalNs;
  private long lastReplayNs;
  private long acknowledgementOwedSinceNs;
  private long timedSequence;
  private long timedSinceNs;
  private long roundTripNs;

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
    this.settings = settings;
    this.id = id;
    this.peer = peer;
    this.address = address;
    this.provider = provider;
    this.channel = channel;
    this.reliable = reliable;
    window = new SendWindow(settings.windowPackets(), settings.windowBytes(), !reliable);
    arrivals = new ReceiveWindow(settings.replayPackets());
    announcedBytes = settings.eagerCreditBytes();
    announcedMessages = settings.messageCredits();
    pingIntervalNs = settings.pingNs();
    lastHeardNs = context.nanoTime();
    lastAskedNs = lastHeardNs;
    silenceCountedNs = lastHeardNs;
    missingReportedNs = lastHeardNs - settings.maxPingNs();
    lastReplayNs = missingReportedNs;
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
    return remoteId;
  }

  /** Follows the peer to another index of the address vector. */
  public void peer(int newPeer) {
    peer = newPeer;
  }

  /** Whether something of this flow may be lost, so that {@link #tick} must be called. */
  public boolean needsTick() {
    return state == State.OPEN && !reliable && (awaitsPeer() || owesPackets());
  }

  /** Nanoseconds until {@link #tick} has something to do. */
  public long tickDelayNs(long nowNs) {
    long delayNs = Long.MAX_VALUE;
    if (owesPackets()) {
      delayNs = acknowledgementOwedSinceNs + acknowledgeDelayNs() - nowNs;
    }
    if (awaitsPeer()) {
      delayNs = Math.min(delayNs, lastSignNs() + pingIntervalNs - nowNs);
    }
    return Math.max(settings.pingNs(), delayNs);
  }

  private boolean owesPackets() {
    return arrivals.received() != announcedReceived;
  }

  private long acknowledgeDelayNs() {
    return ACKNOWLEDGE_DELAY_PINGS * settings.pingNs();
  }

  /** Whether this side can only go on after a packet from the peer. */
  private boolean awaitsPeer() {
    return window.hasUnacknowledged()
        || !waiting.isEmpty()
        || !requested.isEmpty()
        || expectedBytes > 0;
  }

  private long lastSignNs() {
    return lastHeardNs - lastAskedNs > 0 ? lastHeardNs : lastAskedNs;
  }

  /** Whether anything is queued or unacknowledged. */
  public boolean hasUnfinishedSends() {
    return state != State.LOST
        && (!waiting.isEmpty()
            || !requested.isEmpty()
            || !cleared.isEmpty()
            || !unacknowledged.isEmpty()
            || !clearances.isEmpty()
            || hasPacketsOnTheWay());
  }

  /** Whether packets are not with the transport yet, or may have to be sent again. */
  public boolean hasPacketsOnTheWay() {
    return state != State.LOST
        && (open != null || !refused.isEmpty() || (!reliable && window.hasUnacknowledged()));
  }

  // ---- sending ----

  /** Accepts a send; it is transmitted now or in its turn, in the order submitted. */
  public void submit(PendingSend send) {
    if (state == State.LOST || goodbyeSaid) {
      throw new IllegalStateException("submit to a lost flow of " + address);
    }
    if (state != State.OPEN || !waiting.isEmpty() || !transmit(send)) {
      counters.creditStalls++;
      waiting.addLast(send);
    }
    queueFlush();
  }

  /** Takes back a send that has not been transmitted; null if there is none with this context. */
  public PendingSend withdraw(Predicate<PendingSend> chosen) {
    for (PendingSend send : waiting) {
      if (chosen.test(send)) {
        waiting.remove(send);
        return send;
      }
    }
    return null;
  }

  private boolean transmit(PendingSend send) {
    if (sentMessages >= grantedMessages) {
      return false;
    }
    boolean eager =
        send.length() <= settings.eagerLimitBytes()
            && send.level() != CompletionLevel.MATCH
            && sentBytes + send.length() <= grantedBytes;
    if (!room(eager ? FrameWriter.eagerLength(send.length()) : FrameWriter.requestLength())) {
      return false;
    }
    FrameWriter writer = context.writer();
    if (eager) {
      writer.eager(
          open,
          send.tag(),
          send.hasData(),
          send.data(),
          send.buffer(),
          send.offset(),
          send.length());
      sentBytes += send.length();
      counters.eagerMessagesSent++;
      completeAt(send, CompletionLevel.INJECT);
    } else {
      send.message = nextMessage++;
      requested.put(send.message, send);
      writer.requestToSend(
          open, send.tag(), send.hasData(), send.data(), send.length(), send.message);
      counters.requestsSent++;
    }
    sentMessages++;
    return true;
  }

  /** All bytes of a send are in packets: it completes now or when the last one is acknowledged. */
  private void completeAt(PendingSend send, CompletionLevel reached) {
    if (send.level() == CompletionLevel.INJECT || send.level() == reached) {
      context.events().onSendCompleted(send);
      return;
    }
    send.lastSequence = window.nextSequence();
    acknowledgeOpen = true;
    unacknowledged.addLast(send);
  }

  /** Makes room for a frame in the open packet, or in a new one; false if the window is closed. */
  private boolean room(int frameBytes) {
    FrameBatchPool pool = context.pool();
    if (open != null && open.remaining() < frameBytes) {
      if (open.length() + frameBytes <= pool.largeCapacity()) {
        open = pool.grow(open);
        return true;
      }
      sealOpen();
    }
    if (open == null) {
      if (!window.isOpen() || !refused.isEmpty()) {
        return false;
      }
      open = pool.acquire(frameBytes);
    }
    return true;
  }

  /** Asks the sender of a request for the bytes of its message. */
  public void clearToSend(long message, long receive, long length) {
    clearances.addLast(new long[] {message, receive, length});
    expectedBytes += length;
    queueFlush();
  }

  private void pump() {
    FrameWriter writer = context.writer();
    while (!clearances.isEmpty() && room(FrameWriter.clearLength())) {
      long[] clearance = clearances.pollFirst();
      writer.clearToSend(open, clearance[0], clearance[1], clearance[2]);
    }
    // By turns, so that neither a stream of messages nor a long one keeps the other from the
    // window.
    dataFirst = !dataFirst;
    if (dataFirst) {
      pumpCleared();
    }
    while (!waiting.isEmpty() && transmit(waiting.peekFirst())) {
      waiting.pollFirst();
    }
    if (!dataFirst) {
      pumpCleared();
    }
  }

  private void pumpCleared() {
    while (!cleared.isEmpty() && pumpData(cleared.peekFirst())) {
      cleared.pollFirst();
    }
  }

  /** Puts what fits of a cleared message into packets; true when all of it is. */
  private boolean pumpData(PendingSend send) {
    while (send.sent < send.wanted) {
      int left = send.wanted - send.sent;
      if (!room(FrameWriter.dataLength(Math.min(left, MIN_DATA_BYTES)))) {
        return false;
      }
      if (open.remaining() < FrameWriter.dataLength(left)
          && open.length() < context.pool().largeCapacity()) {
        growOpen();
      }
      int fits = (open.remaining() & -PacketLayout.ALIGNMENT) - PacketLayout.DATA_OVERHEAD;
      int chunk = Math.min(left, fits);
      context
          .writer()
          .data(open, send.receive, send.sent, send.buffer(), send.offset() + send.sent, chunk);
      send.sent += chunk;
    }
    if (send.wanted == 0) {
      context.events().onSendCompleted(send);
    } else {
      completeAt(send, CompletionLevel.MATCH);
    }
    return true;
  }

  private void growOpen() {
    int wanted = context.pool().largeCapacity() - FrameBatch.HEADER_LENGTH;
    if (open.length() + open.remaining() < wanted) {
      open = context.pool().grow(open);
    }
  }

  private void sealOpen() {
    FrameBatch packet = open;
    open = null;
    window.add(packet);
    PacketHeaderEncoder header = seal(packet, packet.sequence());
    // The receiver counts packets; a window may be full of bytes before it has counted enough.
    header.flags(acknowledgeOpen || !window.isOpen() ? PacketLayout.ACKNOWLEDGE : 0);
    acknowledgeOpen = false;
    counters.packetsSent++;
    counters.bytesSent += packet.length();
    if (refused.isEmpty() && channel.offer(packet)) {
      sent(packet);
    } else {
      refused.addLast(packet);
    }
  }

  private void sent(FrameBatch packet) {
    if (reliable) {
      packet.release();
      return;
    }
    if (window.acknowledged() + 1 == packet.sequence()) {
      lastAskedNs = context.nanoTime();
    }
    if (timedSequence == 0) {
      timedSequence = packet.sequence();
      timedSinceNs = context.nanoTime();
    }
  }

  /** Smooths the time from a packet to its acknowledgement, the delay at the receiver included. */
  private void measureRoundTrip() {
    if (timedSequence != 0 && window.acknowledged() >= timedSequence) {
      long sampleNs = lastHeardNs - timedSinceNs;
      roundTripNs = roundTripNs == 0 ? sampleNs : roundTripNs + (sampleNs - roundTripNs) / 8;
      timedSequence = 0;
    }
  }

  /** Asking sooner than answers can come would only add load where it hurts. */
  private long firstPingNs() {
    long patientNs = Math.max(settings.pingNs(), PING_ROUND_TRIPS * roundTripNs);
    return Math.min(patientNs, settings.maxPingNs());
  }

  private PacketHeaderEncoder seal(FrameBatch packet, long sequence) {
    announcedBytes = consumedBytes + settings.eagerCreditBytes();
    announcedMessages = consumedMessages + settings.messageCredits();
    announcedReceived = arrivals.received();
    acknowledgeNow = false;
    return context
        .writer()
        .seal(packet)
        .incarnation(context.incarnation())
        .sequence(sequence)
        .acknowledged(announcedReceived)
        .grantedBytes(announcedBytes)
        .grantedMessages(announcedMessages)
        .highestSent(window.highestSent())
        .isolation(context.isolation())
        .flow(remoteId);
  }

  /** Sends a packet that is not counted: set-up, acknowledgement, ping. */
  private boolean offerUncounted(FrameBatch packet, int flags) {
    seal(packet, 0).flags(flags);
    boolean accepted = channel.offer(packet);
    packet.release();
    return accepted;
  }

  private void queueFlush() {
    if (!flushQueued) {
      flushQueued = true;
      context.events().onFlushNeeded(this);
    }
  }

  /** Sends what this pass has gathered. Returns the packets sent. */
  public int flush() {
    flushQueued = false;
    String closed = state == State.LOST ? null : channel.closedBecause();
    if (closed != null && !closureTold) {
      closureTold = true;
      context.events().onChannelClosed(this, closed);
    }
    if (state != State.OPEN || closureTold) {
      return 0;
    }
    long before = counters.packetsSent + counters.acknowledgementsSent;
    while (!refused.isEmpty() && channel.offer(refused.peekFirst())) {
      sent(refused.pollFirst());
    }
    if (!goodbyeSaid) {
      pump();
    }
    if (open != null) {
      sealOpen();
    }
    // A packet that is kept must not carry the report: sent again, it would tell what was.
    boolean report = reportMissing && arrivals.hasGap();
    if (report || owesAcknowledgement()) {
      acknowledge(report);
    }
    if (!refused.isEmpty() || acknowledgeNow) {
      queueFlush();
    }
    watchSilence();
    return (int) (counters.packetsSent + counters.acknowledgementsSent - before);
  }

  private void acknowledge(boolean report) {
    if (offerUncounted(context.pool().acquire(0), report ? PacketLayout.MISSING : 0)) {
      counters.acknowledgementsSent++;
      reportMissing = false;
      missingReportedNs = report ? context.nanoTime() : missingReportedNs;
    } else {
      acknowledgeNow = true;
    }
  }

  private boolean owesAcknowledgement() {
    return acknowledgeNow
        || arrivals.received() - announcedReceived >= settings.acknowledgeEvery()
        || consumedBytes + settings.eagerCreditBytes() - announcedBytes
            > settings.eagerCreditBytes() / 4
        || owesMessageCredit();
  }

  /** Enough to be worth a packet, or the sender is about to stall for it. */
  private boolean owesMessageCredit() {
    int quarter = settings.messageCredits() / 4;
    long owed = consumedMessages + settings.messageCredits() - announcedMessages;
    return owed > quarter || (owed > 0 && announcedMessages - arrivedMessages <= quarter);
  }

  // ---- set-up ----

  /** Sends a prepared Hello, Welcome or Refuse to the peer; takes the caller's reference. */
  public void offerGreeting(FrameBatch packet) {
    offerUncounted(packet, 0);
  }

  /** The peer's number of this flow is known: data may travel. Idempotent. */
  public void established(int peersFlowId) {
    if (state == State.CONNECTING) {
      remoteId = peersFlowId;
      state = State.OPEN;
      heard();
      queueFlush();
    }
  }

  /** Takes the credits that a header carries. */
  public void credits(PacketHeaderDecoder header) {
    boolean more =
        header.grantedBytes() > grantedBytes || header.grantedMessages() > grantedMessages;
    grantedBytes = Math.max(grantedBytes, header.grantedBytes());
    grantedMessages = Math.max(grantedMessages, header.grantedMessages());
    if (more && !waiting.isEmpty()) {
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
    heard();
    PacketHeaderDecoder header = cursor.packet();
    counters.bytesReceived += packet.length();
    credits(header);
    if (window.acknowledge(header.acknowledged())) {
      acknowledgedSends();
      measureRoundTrip();
      pingIntervalNs = firstPingNs();
      lastAskedNs = lastHeardNs;
      if (!waiting.isEmpty() || !cleared.isEmpty() || !clearances.isEmpty()) {
        queueFlush();
      }
    }
    arrivals.senderHasSent(header.highestSent());
    int flags = header.flags();
    if ((flags & PacketLayout.MISSING) != 0) {
      replay();
    }
    long sequence = header.sequence();
    if (sequence != 0) {
      onCounted(packet, sequence, cursor);
    }
    if ((flags & PacketLayout.ACKNOWLEDGE) != 0) {
      acknowledgeNow = true;
      reportMissing = true;
    }
    if (acknowledgeNow || owesAcknowledgement()) {
      queueFlush();
    }
    watchSilence();
  }

  private void onCounted(FrameBatch packet, long sequence, FrameCursor cursor) {
    counters.packetsReceived++;
    if (arrivals.received() == announcedReceived) {
      acknowledgementOwedSinceNs = lastHeardNs;
    }
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
        acknowledgeNow = true;
      }
      case EARLY -> {
        counters.packetsEarly++;
        if (missingReportedAt != arrivals.received()) {
          missingReportedAt = arrivals.received();
          acknowledgeNow = true;
          reportMissing = true;
        }
      }
    }
  }

  private void deliver(FrameBatch packet, FrameCursor cursor) {
    packet.origin(this);
    boolean tagged = false;
    int template;
    while ((template = cursor.nextFrame()) != 0) {
      if (template == FrameCursor.EAGER || template == FrameCursor.REQUEST_TO_SEND) {
        tagged = true;
        arrivedMessages++;
      } else if (template == FrameCursor.DATA) {
        var data = cursor.data();
        expectedBytes -= data.length();
        context
            .events()
            .onData(
                this,
                data.receive(),
                data.position(),
                packet.buffer(),
                cursor.dataPayloadAt(),
                data.length());
      } else if (template == FrameCursor.CLEAR_TO_SEND) {
        var clear = cursor.clearToSend();
        onClearToSend(clear.message(), clear.receive(), clear.length());
      } else if (template == FrameCursor.GOODBYE) {
        if (tagged) {
          context.events().onTaggedFrames(this, packet);
        }
        onCountedGoodbye(cursor.goodbye().errorCode());
        return;
      }
    }
    if (cursor.isMalformed()) {
      counters.packetsMalformed++;
    }
    if (tagged) {
      context.events().onTaggedFrames(this, packet);
    }
  }

  private void onCountedGoodbye(int error) {
    if (!reliable) {
      // The peer waits for it, and this flow says nothing more.
      offerUncounted(context.pool().acquire(0), 0);
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

  private void onClearToSend(long message, long receive, long length) {
    PendingSend send = requested.remove(message);
    if (send == null) {
      return;
    }
    send.receive = receive;
    send.wanted = (int) Math.min(length, send.length());
    cleared.addLast(send);
    queueFlush();
  }

  private void acknowledgedSends() {
    PendingSend first;
    while ((first = unacknowledged.peekFirst()) != null
        && first.lastSequence <= window.acknowledged()) {
      unacknowledged.pollFirst();
      context.events().onSendCompleted(first);
    }
  }

  /** A reliable channel says itself when it is closed: nobody looks at its clock. */
  private void heard() {
    if (!reliable) {
      lastHeardNs = context.nanoTime();
      silenceCountedNs = lastHeardNs;
      silenceNs = 0;
    }
  }

  /** Silence counts from the moment on that the peer is needed. */
  private void watchSilence() {
    if (reliable) {
      return;
    }
    boolean now = awaitsPeer();
    if (now && !awaiting) {
      silenceCountedNs = context.nanoTime();
      silenceNs = 0;
      lastAskedNs = silenceCountedNs;
      pingIntervalNs = firstPingNs();
    }
    awaiting = now;
  }

  @Override
  public void consumedEager(int payloadBytes) {
    consumedBytes += payloadBytes;
    consumedRequest();
  }

  @Override
  public void consumedRequest() {
    consumedMessages++;
    if (!flushQueued && state == State.OPEN && owesAcknowledgement()) {
      queueFlush();
    }
  }

  // ---- reliability ----

  private void replay() {
    long nowNs = lastHeardNs;
    long patientNs = Math.min(Math.max(settings.pingNs(), roundTripNs), settings.maxPingNs());
    if (reliable || nowNs - lastReplayNs < patientNs) {
      return;
    }
    lastReplayNs = nowNs;
    // Karn: the time of a packet sent twice says nothing, and would grow with every loss.
    timedSequence = 0;
    lastAskedNs = nowNs;
    counters.packetsReplayed += window.replay(settings.replayPackets(), channel::offer);
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
    if (owesPackets() && nowNs - acknowledgementOwedSinceNs >= acknowledgeDelayNs()) {
      acknowledgeNow = true;
      queueFlush();
    }
    if (arrivals.hasGap() && nowNs - missingReportedNs >= firstPingNs()) {
      reportMissing = true;
      queueFlush();
    }
    if (!awaitsPeer()) {
      return;
    }
    if (nowNs - lastSignNs() >= pingIntervalNs) {
      lastAskedNs = nowNs;
      pingIntervalNs = Math.min(2 * pingIntervalNs, settings.maxPingNs());
      counters.pingsSent++;
      offerUncounted(context.pool().acquire(0), PacketLayout.ACKNOWLEDGE);
    }
    // Time in which this side did not look either is not the peer's silence.
    silenceNs += Math.min(nowNs - silenceCountedNs, 2 * settings.maxPingNs());
    silenceCountedNs = nowNs;
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
    if (open != null && open.remaining() < FrameWriter.goodbyeLength()) {
      sealOpen();
    }
    if (open == null) {
      // Beyond the window: it is the last packet, and must not wait for a peer that is busy.
      open = context.pool().acquire(FrameWriter.goodbyeLength());
    }
    context.writer().goodbye(open, peersError.code());
    acknowledgeOpen = true;
    sealOpen();
    queueFlush();
  }

  /** Answers a packet that came after the end of this flow, so that its sender knows. */
  public void repeatGoodbye(FabricError peersError) {
    if (state == State.LOST && remoteId != PacketLayout.NO_FLOW) {
      FrameBatch packet = context.pool().acquire(FrameWriter.goodbyeLength());
      context.writer().goodbye(packet, peersError.code());
      offerUncounted(packet, 0);
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
    failAll(unacknowledged, error, text);
    if (open != null) {
      open.release();
      open = null;
    }
    if (reliable) {
      refused.forEach(FrameBatch::release);
    }
    refused.clear();
    window.clear();
    arrivals.clear();
    context.events().onLost(this, error, text);
  }

  private void failUnsent(FabricError error, String detail) {
    failAll(waiting, error, detail);
    requested.values().forEach(send -> context.events().onSendFailed(send, error, detail));
    requested.clear();
    failAll(cleared, error, detail);
    clearances.clear();
    expectedBytes = 0;
  }

  private void failAll(ArrayDeque<PendingSend> sends, FabricError error, String detail) {
    PendingSend send;
    while ((send = sends.pollFirst()) != null) {
      context.events().onSendFailed(send, error, detail);
    }
  }
}
