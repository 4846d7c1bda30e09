package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.FlowCounters;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.PacketLayout;
import java.util.ArrayDeque;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The sender's side of messages that ask first. The receiver clears one window after the other;
 * messages with cleared bytes take turns, a window each.
 */
@InternalApi
public final class RendezvousSender {
  private static final int MIN_DATA_BYTES = 512;

  /** Bytes written to the peer's memory in one go, so that other work of the loop gets its turn. */
  private static final int DIRECT_BYTES = 256 * 1024;

  /** Bytes lent in one go: nothing copies them here. */
  private static final int LENT_BYTES = 1024 * 1024;

  private final SendEvents events;
  private SharedMemory memory;
  private int inPlaceBytes;
  private final PacketOutbox outbox;
  private final ControlQueue control;
  private final MessageSender messages;
  private final FlowCounters counters;
  private final FlowTrace trace;
  private final Long2ObjectHashMap<PendingSend> announced = new Long2ObjectHashMap<>();
  private final ArrayDeque<PendingSend> cleared = new ArrayDeque<>();
  private boolean paused;

  RendezvousSender(
      SendEvents events,
      SharedMemory memory,
      PacketOutbox outbox,
      ControlQueue control,
      MessageSender messages,
      FlowCounters counters,
      FlowTrace trace) {
    this.events = events;
    memory(memory);
    this.outbox = outbox;
    this.control = control;
    this.messages = messages;
    this.counters = counters;
    this.trace = trace;
  }

  /**
   * The memory of the way that is taken from now on; null if it has none. Nothing was announced.
   */
  void memory(SharedMemory other) {
    memory = other;
    inPlaceBytes = other == null ? Integer.MAX_VALUE : Math.max(1, other.leastBytes());
  }

  /** Whether the peer may read a message where it lies, which is quicker than to send its bytes. */
  boolean isReadInPlace(PendingSend send) {
    return send.length() >= inPlaceBytes
        && memory.keyOf(send.buffer(), send.offset(), send.length()) != null;
  }

  /** Announces a message in the open packet, which has room for it. */
  void request(PendingSend send) {
    announced.put(send.message, send);
    if (memory != null && send.length() > 0) {
      send.source = memory.keyOf(send.buffer(), send.offset(), send.length());
      send.lent = memory.lends(send.buffer(), send.length());
    }
    // The peer may read the bytes as soon as it has the request, and of no bytes that is all.
    send.inPeersReach = send.source != null || send.length() == 0;
    outbox
        .writer()
        .requestToSend(outbox.open(), send, send.message, wantsFinish(send), send.source);
  }

  private static boolean wantsFinish(PendingSend send) {
    return send.source != null
        || send.lent
        || send.level() == CompletionLevel.DELIVERY
        || send.level() == CompletionLevel.MATCH;
  }

  /**
   * What is wrong with the peer's word that it wants bytes of a message; null if nothing is. A
   * message that is not known any more was taken back meanwhile.
   */
  public String misfit(long message, long receive, long wanted, long clearedTo) {
    PendingSend send = announced.get(message);
    if (send == null) {
      return null;
    }
    boolean again = send.wanted > 0;
    if (wanted > send.length()
        || clearedTo > wanted
        || (again
            && (receive != send.receive || wanted != send.wanted || clearedTo < send.cleared))) {
      return "it asks for bytes of message="
          + message
          + " that do not follow what it asked for before: receive="
          + receive
          + " after "
          + send.receive
          + ", wanted="
          + wanted
          + " after "
          + send.wanted
          + " of lengthBytes="
          + send.length()
          + ", clearedTo="
          + clearedTo
          + " after "
          + send.cleared;
    }
    return null;
  }

  /**
   * The peer wants bytes of a message, and nothing is wrong with that.
   *
   * @param target where it wants them written, null for nowhere
   * @return whether there is something to send now
   */
  public boolean clear(long message, long receive, long wanted, long clearedTo, MemoryKey target) {
    PendingSend send = announced.get(message);
    if (send == null) {
      return false;
    }
    send.receive = receive;
    send.target = memory == null ? null : target;
    send.wanted = (int) wanted;
    send.cleared = (int) clearedTo;
    if (trace.isOn()) {
      trace.asked(send);
    }
    if (send.wanted == 0) {
      announced.remove(message);
      events.onSendCompleted(send);
      return false;
    }
    if (send.queued || send.sent >= send.cleared) {
      return false;
    }
    send.queued = true;
    cleared.addLast(send);
    return true;
  }

  /** Puts cleared bytes into packets, as far as the window allows. */
  void pump() {
    paused = false;
    while (!cleared.isEmpty()) {
      PendingSend send = cleared.peekFirst();
      if (!send.hasItsBytes()) {
        cleared.pollFirst();
        announced.remove(send.message);
        revoke(send);
        control.abort(send.message, FabricError.INVALID);
        events.onSendFailed(send, FabricError.INVALID, send.lostItsBytes());
        continue;
      }
      if (!pumpData(send)) {
        return;
      }
      cleared.pollFirst();
      send.queued = false;
      boolean allSent = send.sent == send.wanted;
      send.inPeersReach |= allSent;
      if (allSent && !wantsFinish(send)) {
        announced.remove(send.message);
        messages.inPackets(send);
      }
    }
  }

  /** Puts what is cleared of a message into packets; false if the window closes before. */
  private boolean pumpData(PendingSend send) {
    if (send.target != null && send.sent < send.cleared && !pumpDirect(send)) {
      return false;
    }
    while (send.sent < send.cleared) {
      int part =
          outbox.roomForPart(send.cleared - send.sent, MIN_DATA_BYTES, PacketLayout.DATA_OVERHEAD);
      if (part == 0) {
        return false;
      }
      outbox
          .writer()
          .data(
              outbox.open(),
              send.receive,
              send.sent,
              send.buffer(),
              send.offset() + send.sent,
              part);
      send.sent += part;
      counters.dataBytesSent += part;
    }
    return true;
  }

  /**
   * Writes cleared bytes where the peer wants them; if it cannot be done, they go into packets.
   *
   * @return false if some are left for later
   */
  private boolean pumpDirect(PendingSend send) {
    if (!memory.hasRoom()) {
      paused = true;
      return false;
    }
    if (!outbox.room(FrameWriter.placedLength())) {
      return false;
    }
    int part = Math.min(send.cleared - send.sent, send.lent ? LENT_BYTES : DIRECT_BYTES);
    int from = send.offset() + send.sent;
    if (!memory.write(send.target, send.sent, send.buffer(), from, part)) {
      send.target = null;
      return true;
    }
    outbox.writer().placed(outbox.open(), send.receive, send.sent, part);
    send.sent += part;
    counters.directBytes += part;
    paused = send.sent < send.cleared;
    return !paused;
  }

  /** Whether there is more to write although the window is open. */
  boolean isPaused() {
    return paused;
  }

  /**
   * What is wrong with the peer's word that the receive which took a message has ended; null if
   * nothing is.
   */
  public String misfit(long message, int errorCode) {
    PendingSend send = announced.get(message);
    if (send == null || errorCode != 0 || send.source != null) {
      return null;
    }
    return send.wanted > 0 && send.sent == send.wanted
        ? null
        : "it has all bytes of message="
            + message
            + " that were not sent: sent="
            + send.sent
            + " of wanted="
            + send.wanted;
  }

  /** The receive that took a message has ended. */
  public void finish(long message, int errorCode) {
    PendingSend send = announced.remove(message);
    if (send == null) {
      return;
    }
    if (send.queued) {
      cleared.remove(send);
    }
    if (errorCode == 0) {
      events.onSendCompleted(send);
    } else {
      FabricError error = FabricError.find(errorCode).orElse(FabricError.OTHER);
      send.inPeersReach = false;
      revoke(send);
      events.onSendFailed(send, error, "the receive that took the message has failed");
    }
  }

  /** Takes back a message of which bytes are left to send; null if none is chosen. */
  PendingSend withdraw(Predicate<PendingSend> chosen) {
    PendingSend oldest = null;
    for (PendingSend send : announced.values()) {
      boolean unsent = send.wanted == 0 || send.sent < send.wanted;
      if (unsent && (oldest == null || send.message < oldest.message) && chosen.test(send)) {
        oldest = send;
      }
    }
    if (oldest != null) {
      announced.remove(oldest.message);
      if (oldest.queued) {
        cleared.remove(oldest);
      }
      revoke(oldest);
    }
    return oldest;
  }

  /** Whether there is one that is wanted. */
  boolean has(Predicate<PendingSend> wanted) {
    return announced.values().stream().anyMatch(wanted);
  }

  /** Whether messages wait for clearance, for a window, or for the end of their receives. */
  boolean hasAnnounced() {
    return !announced.isEmpty();
  }

  boolean hasCleared() {
    return !cleared.isEmpty();
  }

  /** The peer must not get bytes for this message that the program may change now. */
  private void revoke(PendingSend send) {
    if (send.source != null) {
      memory.revoke(send.source);
    }
    if (send.lent) {
      memory.copyLent();
    }
  }

  void failAll(FabricError error, String detail) {
    announced.values().forEach(this::revoke);
    announced.values().forEach(send -> events.onSendFailed(send, error, detail));
    announced.clear();
    cleared.clear();
  }
}
