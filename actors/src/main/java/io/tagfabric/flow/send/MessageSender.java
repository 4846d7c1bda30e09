package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.flow.window.PeerLink;
import io.tagfabric.flow.window.SizeClasses;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.trace.TraceKind.Wait;
import io.tagfabric.trace.TraceKind.Way;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.Greeting.Limits;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.PacketLayout;
import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * Sends messages in the order submitted, as far as the peer's credit and the window allow: short
 * ones in one frame, longer ones in several, long ones and those beyond the byte credit as
 * requests. Completes them.
 */
@InternalApi
public final class MessageSender {
  private static final int MIN_PART_BYTES = 512;

  private final SendEvents events;
  private final PacketOutbox outbox;
  private final ControlQueue control;
  private final RendezvousSender rendezvous;
  private final AccessSender accesses;
  private final FlowCounters counters;
  private final FlowTrace trace;
  private final ArrayDeque<PendingSend> waiting = new ArrayDeque<>();
  private final ArrayDeque<PendingSend> unacknowledged = new ArrayDeque<>();

  private PendingSend begun;
  private final SendCredit credit;
  private long maxMessageBytes = Long.MAX_VALUE;
  private int eagerLimitBytes;
  private int unaskedLimitBytes;
  private long nextMessage = 1;

  public MessageSender(
      SendEvents events,
      PeerLink peer,
      SizeClasses sizes,
      SharedMemory memory,
      PacketOutbox outbox,
      ControlQueue control,
      SendCredit credit,
      FlowCounters counters,
      boolean own,
      FlowTrace trace) {
    this.events = events;
    sizes(sizes);
    this.outbox = outbox;
    this.credit = credit;
    this.control = control;
    this.counters = counters;
    this.trace = trace;
    this.rendezvous = new RendezvousSender(events, memory, outbox, control, this, counters, trace);
    this.accesses = new AccessSender(events, outbox, peer, own);
  }

  /** Goes another way from now on; nothing has left. */
  public void link(SizeClasses sizes, SharedMemory memory) {
    sizes(sizes);
    rendezvous.memory(memory);
  }

  private void sizes(SizeClasses sizes) {
    eagerLimitBytes = sizes.eagerLimitBytes();
    unaskedLimitBytes = sizes.unaskedLimitBytes();
  }

  public AccessSender accesses() {
    return accesses;
  }

  public RendezvousSender rendezvous() {
    return rendezvous;
  }

  /** Keeps to what the peer takes from now on. */
  public void keepTo(Limits peers) {
    maxMessageBytes = peers.maxMessageBytes();
    unaskedLimitBytes = (int) Math.min(unaskedLimitBytes, peers.maxUnaskedBytes());
    eagerLimitBytes = Math.min(eagerLimitBytes, unaskedLimitBytes);
  }

  /** Longest message that the peer takes, as far as that is known; negative if it takes none. */
  public long maxMessageBytes() {
    return maxMessageBytes;
  }

  public SendCredit credit() {
    return credit;
  }

  /** Sends now if nothing is before it and it may, otherwise in its turn. */
  public void submit(PendingSend send, boolean isOpen) {
    if (send instanceof PendingAccess) {
      accesses.submitted();
    }
    if (trace.isOn()) {
      trace.posted(send);
    }
    if (!isOpen || !waiting.isEmpty() || !transmit(send)) {
      counters.creditStalls++;
      if (trace.isOn()) {
        trace.waits(send, reasonToWait(isOpen));
      }
      waiting.addLast(send);
      if (send instanceof PendingAccess access) {
        accesses.mustWait(access);
      }
    }
  }

  /** Whether a send that is submitted now leaves at once, or the first of it. */
  public boolean mayLeaveNow(PendingSend send) {
    return waiting.isEmpty()
        && !control.hasWaiting()
        && !isHeldByFence(send)
        && credit.hasMessage()
        && outbox.hasRoom();
  }

  private Wait reasonToWait(boolean isOpen) {
    return !isOpen ? Wait.SET_UP : waiting.isEmpty() ? Wait.CREDIT : Wait.TURN;
  }

  /** Sends a short message that nobody waits for, if it may leave now; otherwise does nothing. */
  public boolean inject(MessageView message) {
    int length = message.length();
    if (!waiting.isEmpty()
        || !credit.hasMessage()
        || length > eagerLimitBytes
        || !credit.hasBytes(length)) {
      return false;
    }
    if (trace.isOn()) {
      trace.leaves();
    }
    return outbox.inject(message) ? counted(message, Way.ALONE) : write(message);
  }

  private boolean write(MessageView message) {
    if (!outbox.room(FrameWriter.eagerLength(message.length()))) {
      return false;
    }
    outbox.writer().eager(outbox.open(), message);
    return counted(message, Way.EAGER);
  }

  private boolean counted(MessageView message, Way way) {
    credit.useMessage(message.length());
    counters.eagerMessagesSent++;
    if (trace.isOn()) {
      trace.sent(message, way);
    }
    return true;
  }

  /** Sends what waits, as far as it may. */
  void pump() {
    while (!waiting.isEmpty() && transmit(waiting.peekFirst())) {
      waiting.pollFirst();
    }
  }

  private boolean transmit(PendingSend send) {
    if (send instanceof PendingAccess access) {
      return access(access);
    }
    if (!send.hasItsBytes()) {
      return dropSpoiled(send);
    }
    if (begun != null) {
      return goOn(send);
    }
    if (isHeldByFence(send)) {
      return false;
    }
    int length = send.length();
    if (length > maxMessageBytes) {
      return dropTooLong(send);
    }
    if (!credit.hasMessage()) {
      return false;
    }
    if (length > unaskedLimitBytes
        || send.level() == CompletionLevel.MATCH
        || !credit.hasBytes(length)
        || rendezvous.isReadInPlace(send)) {
      return request(send);
    }
    return length <= eagerLimitBytes ? eager(send) : begin(send);
  }

  /** An access has its place among messages, and a long write is not cut by one. */
  private boolean access(PendingAccess access) {
    if (begun == null) {
      if (isHeldByFence(access)) {
        return false;
      }
      if (!access.hasItsBytes()) {
        return dropSpoiled(access);
      }
      if (accesses.reach(access)) {
        return true;
      }
      if (!credit.hasMessage() || !accesses.begin(access)) {
        return false;
      }
      credit.useMessage(0);
      begun = access;
    }
    if (!accesses.goOn(access)) {
      return false;
    }
    begun = null;
    if (access.bounced && !access.aborted) {
      access.unbounce();
    } else if (!accesses.isSettled(access)) {
      inPackets(access);
    }
    return true;
  }

  /** Whether the signal of a write that is placed could leave now, if nothing waits. */
  public boolean maySignal() {
    return credit.hasMessage() && outbox.open() == null && outbox.hasRoom();
  }

  /** Sends the signal of a write that is placed, if it {@link #maySignal}. */
  public void signal(long key, long generation, long offset, int bytes, long data, int flags) {
    accesses.signal(key, generation, offset, bytes, data, flags);
    credit.useMessage(0);
  }

  private boolean isHeldByFence(PendingSend send) {
    return send.isFenced()
        && (!unacknowledged.isEmpty() || rendezvous.hasAnnounced() || accesses.hasOpen());
  }

  /** Whether the first that waits could go on now, were there room in a packet. */
  public boolean isReady() {
    PendingSend first = waiting.peekFirst();
    return first != null
        && (first == begun || (!isHeldByFence(first) && (isTooLong(first) || credit.hasMessage())));
  }

  private boolean isTooLong(PendingSend send) {
    return send.length() > maxMessageBytes && !(send instanceof PendingAccess);
  }

  /** Fails a send whose bytes are gone, and tells the peer if it knows of it. */
  private boolean dropSpoiled(PendingSend send) {
    if (send == begun) {
      begun = null;
      control.abort(send.message, FabricError.INVALID);
    }
    events.onSendFailed(send, FabricError.INVALID, send.lostItsBytes());
    return true;
  }

  /** Fails a send that the peer has said it would not take. */
  private boolean dropTooLong(PendingSend send) {
    if (maxMessageBytes == Limits.NO_MESSAGE) {
      events.onSendFailed(
          send,
          FabricError.OPERATION_NOT_SUPPORTED,
          "the peer was opened to send only, it receives nothing");
      return true;
    }
    events.onSendFailed(
        send,
        FabricError.MESSAGE_SIZE,
        "lengthBytes="
            + send.length()
            + " > endpoint.max-message-size="
            + maxMessageBytes
            + " of the peer, raise it there or send less");
    return true;
  }

  private boolean eager(PendingSend send) {
    if (trace.isOn()) {
      trace.leaves();
    }
    if (send.level() == CompletionLevel.INJECT && outbox.inject(send)) {
      counted(send, Way.ALONE);
      events.onSendCompleted(send);
      return true;
    }
    if (!write(send)) {
      return false;
    }
    inPackets(send);
    return true;
  }

  private boolean request(PendingSend send) {
    if (!outbox.room(FrameWriter.requestLength())) {
      return false;
    }
    send.message = nextMessage++;
    credit.useMessage(0);
    counters.requestsSent++;
    if (trace.isOn()) {
      trace.sent(send, Way.ASKS);
    }
    rendezvous.request(send);
    return true;
  }

  /** The first bytes of a message of several packets. */
  private boolean begin(PendingSend send) {
    if (control.hasWaiting()) {
      // The peer must hear first that the message begun before was given up.
      return false;
    }
    int part = outbox.roomForPart(send.length(), MIN_PART_BYTES, PacketLayout.EAGER_FIRST_OVERHEAD);
    if (part == 0) {
      return false;
    }
    send.message = nextMessage++;
    outbox.writer().eagerFirst(outbox.open(), send, send.message, part);
    send.sent = part;
    begun = send;
    credit.useMessage(send.length());
    counters.multiPacketMessagesSent++;
    if (trace.isOn()) {
      trace.sent(send, Way.PARTS);
    }
    return goOn(send);
  }

  private boolean goOn(PendingSend send) {
    while (send.sent < send.length()) {
      int left = send.length() - send.sent;
      int part = outbox.roomForPart(left, MIN_PART_BYTES, PacketLayout.EAGER_NEXT_OVERHEAD);
      if (part == 0) {
        return false;
      }
      outbox
          .writer()
          .eagerNext(
              outbox.open(),
              send.message,
              send.sent,
              send.buffer(),
              send.offset() + send.sent,
              part);
      send.sent += part;
    }
    begun = null;
    inPackets(send);
    return true;
  }

  /** All bytes of a send are in packets: it completes now or when the peer has the last one. */
  void inPackets(PendingSend send) {
    if (send.level() == CompletionLevel.INJECT) {
      events.onSendCompleted(send);
      return;
    }
    send.inPeersReach = true;
    // The peer acknowledges a packet when its messages are placed or buffered, which is DELIVERY
    // too.
    send.lastSequence = outbox.openSequence();
    outbox.acknowledgeOpen();
    unacknowledged.addLast(send);
  }

  /** Packets up to this one are acknowledged. */
  void acknowledged(long sequence) {
    PendingSend first;
    while ((first = unacknowledged.peekFirst()) != null && first.lastSequence <= sequence) {
      unacknowledged.pollFirst();
      events.onSendCompleted(first);
    }
  }

  /**
   * Takes back a send of which bytes are left to send; null if none is chosen. If the peer knows of
   * it, an Abort tells the peer that no more will come.
   */
  public PendingSend withdraw(Predicate<PendingSend> chosen) {
    // Those that are announced were posted before all that wait.
    PendingSend announced = rendezvous.withdraw(chosen);
    if (announced != null) {
      control.abort(announced.message, FabricError.CANCELED);
      return announced;
    }
    for (PendingSend send : waiting) {
      if (chosen.test(send)) {
        waiting.remove(send);
        if (send == begun) {
          begun = null;
          control.abort(send.message, FabricError.CANCELED);
        }
        return send;
      }
    }
    return null;
  }

  /** Whether a send that is wanted has not ended. */
  public boolean has(Predicate<PendingSend> wanted) {
    return waiting.stream().anyMatch(wanted)
        || unacknowledged.stream().anyMatch(wanted)
        || rendezvous.has(wanted);
  }

  public boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  public SendBacklog backlog() {
    return new SendBacklog(waiting.size(), credit.messagesLeft(), credit.bytesLeft());
  }

  /** Whether the first that waits has a fence: the end of any other send may let it go. */
  boolean isFenced() {
    PendingSend first = waiting.peekFirst();
    return first != null && first.isFenced();
  }

  boolean hasUnfinished() {
    return !waiting.isEmpty()
        || !unacknowledged.isEmpty()
        || rendezvous.hasAnnounced()
        || accesses.hasOpen();
  }

  /** Fails what is not wholly in packets. */
  void failUnsent(FabricError error, String detail) {
    begun = null;
    failAll(waiting, error, detail);
    rendezvous.failAll(error, detail);
    accesses.failAll(error, detail);
  }

  /** Fails what only waits for the peer's word. */
  public void failUnacknowledged(FabricError error, String detail) {
    failAll(unacknowledged, error, detail);
  }

  private void failAll(ArrayDeque<PendingSend> sends, FabricError error, String detail) {
    PendingSend send;
    while ((send = sends.pollFirst()) != null) {
      if (send instanceof PendingAccess access && access.bounced) {
        access.unbounce();
      } else {
        events.onSendFailed(send, error, detail);
      }
    }
  }
}
