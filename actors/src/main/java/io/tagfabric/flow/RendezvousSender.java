package io.tagfabric.flow;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.wire.PacketLayout;
import java.util.ArrayDeque;
import org.agrona.collections.Long2ObjectHashMap;

/** The sender's side of messages that ask first: request, clearance, data. */
final class RendezvousSender {
  private static final int MIN_DATA_BYTES = 512;

  private final FlowEvents events;
  private final PacketOutbox outbox;
  private final MessageSender messages;
  private final Long2ObjectHashMap<PendingSend> requested = new Long2ObjectHashMap<>();
  private final ArrayDeque<PendingSend> cleared = new ArrayDeque<>();
  private long nextMessage = 1;

  RendezvousSender(FlowEvents events, PacketOutbox outbox, MessageSender messages) {
    this.events = events;
    this.outbox = outbox;
    this.messages = messages;
  }

  /** Announces a message in the open packet, which has room for it. */
  void request(PendingSend send) {
    send.message = nextMessage++;
    requested.put(send.message, send);
    outbox
        .writer()
        .requestToSend(
            outbox.open(), send.tag(), send.hasData(), send.data(), send.length(), send.message);
  }

  /**
   * The peer wants bytes of a message.
   *
   * @return whether there is something to send now
   */
  boolean clear(long message, long receive, long length) {
    PendingSend send = requested.remove(message);
    if (send == null) {
      return false;
    }
    send.receive = receive;
    send.wanted = (int) Math.min(length, send.length());
    cleared.addLast(send);
    return true;
  }

  /** Puts cleared bytes into packets, as far as the window allows. */
  void pump() {
    while (!cleared.isEmpty() && pumpData(cleared.peekFirst())) {
      cleared.pollFirst();
    }
  }

  /** Puts what fits of a cleared message into packets; true when all of it is. */
  private boolean pumpData(PendingSend send) {
    while (send.sent < send.wanted) {
      int chunk =
          outbox.roomForPart(send.wanted - send.sent, MIN_DATA_BYTES, PacketLayout.DATA_OVERHEAD);
      if (chunk == 0) {
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
              chunk);
      send.sent += chunk;
    }
    if (send.wanted == 0) {
      events.onSendCompleted(send);
    } else {
      messages.completeAt(send, CompletionLevel.MATCH);
    }
    return true;
  }

  boolean hasRequested() {
    return !requested.isEmpty();
  }

  boolean hasCleared() {
    return !cleared.isEmpty();
  }

  boolean hasUnfinished() {
    return !requested.isEmpty() || !cleared.isEmpty();
  }

  void failAll(FabricError error, String detail) {
    requested.values().forEach(send -> events.onSendFailed(send, error, detail));
    requested.clear();
    PendingSend send;
    while ((send = cleared.pollFirst()) != null) {
      events.onSendFailed(send, error, detail);
    }
  }
}
