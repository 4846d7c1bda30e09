package io.tagfabric.flow;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.wire.FrameWriter;
import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * Sends messages in the order submitted, as far as the peer's credit and the window allow: short
 * ones at once, long ones and those beyond the byte credit as requests. Completes them.
 */
final class MessageSender {
  private final FlowEvents events;
  private final FlowSettings settings;
  private final PacketOutbox outbox;
  private final RendezvousSender rendezvous;
  private final FlowCounters counters;
  private final ArrayDeque<PendingSend> waiting = new ArrayDeque<>();
  private final ArrayDeque<PendingSend> unacknowledged = new ArrayDeque<>();

  private long sentBytes;
  private long sentMessages;
  private long grantedBytes;
  private long grantedMessages;

  MessageSender(
      FlowEvents events, FlowSettings settings, PacketOutbox outbox, FlowCounters counters) {
    this.events = events;
    this.settings = settings;
    this.outbox = outbox;
    this.counters = counters;
    this.rendezvous = new RendezvousSender(events, outbox, this);
  }

  RendezvousSender rendezvous() {
    return rendezvous;
  }

  /** Sends now if nothing is before it and it may, otherwise in its turn. */
  void submit(PendingSend send, boolean isOpen) {
    if (!isOpen || !waiting.isEmpty() || !transmit(send)) {
      counters.creditStalls++;
      waiting.addLast(send);
    }
  }

  /** Sends what waits, as far as it may. */
  void pump() {
    while (!waiting.isEmpty() && transmit(waiting.peekFirst())) {
      waiting.pollFirst();
    }
  }

  private boolean transmit(PendingSend send) {
    if (sentMessages >= grantedMessages) {
      return false;
    }
    boolean eager =
        send.length() <= settings.eagerLimitBytes()
            && send.level() != CompletionLevel.MATCH
            && sentBytes + send.length() <= grantedBytes;
    if (!outbox.room(
        eager ? FrameWriter.eagerLength(send.length()) : FrameWriter.requestLength())) {
      return false;
    }
    if (eager) {
      outbox
          .writer()
          .eager(
              outbox.open(),
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
      rendezvous.request(send);
      counters.requestsSent++;
    }
    sentMessages++;
    return true;
  }

  /** All bytes of a send are in packets: it completes now or when the last one is acknowledged. */
  void completeAt(PendingSend send, CompletionLevel reached) {
    if (send.level() == CompletionLevel.INJECT || send.level() == reached) {
      events.onSendCompleted(send);
      return;
    }
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
   * Takes the credit that a header carries.
   *
   * @return whether it is more than before
   */
  boolean credits(long bytes, long messages) {
    boolean more = bytes > grantedBytes || messages > grantedMessages;
    grantedBytes = Math.max(grantedBytes, bytes);
    grantedMessages = Math.max(grantedMessages, messages);
    return more;
  }

  /** Takes back a send that has not been transmitted; null if none is chosen. */
  PendingSend withdraw(Predicate<PendingSend> chosen) {
    for (PendingSend send : waiting) {
      if (chosen.test(send)) {
        waiting.remove(send);
        return send;
      }
    }
    return null;
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  boolean hasUnfinished() {
    return !waiting.isEmpty() || !unacknowledged.isEmpty() || rendezvous.hasUnfinished();
  }

  /** Fails what is not wholly in packets. */
  void failUnsent(FabricError error, String detail) {
    failAll(waiting, error, detail);
    rendezvous.failAll(error, detail);
  }

  /** Fails what only waits for its acknowledgement. */
  void failUnacknowledged(FabricError error, String detail) {
    failAll(unacknowledged, error, detail);
  }

  private void failAll(ArrayDeque<PendingSend> sends, FabricError error, String detail) {
    PendingSend send;
    while ((send = sends.pollFirst()) != null) {
      events.onSendFailed(send, error, detail);
    }
  }
}
