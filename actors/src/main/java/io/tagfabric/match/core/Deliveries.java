package io.tagfabric.match.core;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MessageView;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Brings messages into the receives that take them, and keeps those that wait with their bytes.
 * Single threaded.
 */
final class Deliveries {
  private static final ReceiveListener NOBODY =
      new ReceiveListener() {
        @Override
        public void onReceived(TaggedMessage message) {}

        @Override
        public void onFailed(Completion.Failed failure) {}
      };

  private final MatchTables tables;
  private final ReceiveCompletions outcomes;
  private final ReceiveTrace trace;
  private final DroppedMessages dropped;

  /** Long messages on their way into receives. */
  final InboundTransfers transfers = new InboundTransfers(this::ended);

  private final Assembly assembly = new Assembly();
  private final SpareMessages spares = new SpareMessages();
  private final SpareReceives spareReceives = new SpareReceives();
  private long unexpectedBytes;
  private long peakUnexpectedBytes;

  Deliveries(
      MatchTables tables,
      ReceiveCompletions outcomes,
      ReceiveTrace trace,
      DroppedMessages dropped) {
    this.tables = tables;
    this.outcomes = outcomes;
    this.trace = trace;
    this.dropped = dropped;
  }

  // ---- messages that wait ----

  /** A receive gets a message that has waited. */
  void takeWaiting(PostedReceive receive, UnexpectedMessage message) {
    FrameOrigin origin = message.origin;
    if (trace.isOn()) {
      trace.matched(receive, origin, message.traced, message.tag(), true);
    }
    if (message.isAnnounced()) {
      origin.consumed();
      transfers.begin(new InboundTransfer(receive, message.envelope));
      return;
    }
    unexpectedBytes -= message.length;
    origin.consumed(message.length);
    Assembly.Partial partial = assembly.find(message);
    if (partial != null) {
      assembly.take(partial, new InboundTransfer(receive, message.envelope));
    } else {
      outcomes.complete(receive, message);
      spareReceives.giveBack(receive);
    }
  }

  /** The same, and nobody else has the message. */
  void meet(PostedReceive receive, UnexpectedMessage message) {
    takeWaiting(receive, message);
    if (receive.listener() == null) { // else it may keep the bytes
      spares.giveBack(message);
    }
  }

  /** A message that has waited goes to a receive of which there is only its buffer. */
  void take(UnexpectedMessage message, MutableDirectBuffer buffer, int offset, Object context) {
    unexpectedBytes -= message.length;
    message.origin.consumed(message.length);
    outcomes.complete(message, buffer, offset, context);
    spares.giveBack(message);
  }

  /** Nobody wants a message: the sender of a long one hears that no byte of it is taken. */
  void discard(UnexpectedMessage message) {
    PostedReceive nobody = new PostedReceive(TagSelector.any(), 0, null, NOBODY);
    nobody.internal();
    takeWaiting(nobody, message);
  }

  /** A receive of one message into a buffer that is used again; its arguments are checked. */
  PostedReceive lend(
      CompletionRing ring,
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      Object context) {
    return spareReceives.lend(ring, buffer, offset, capacity, tag, ignore, source, context);
  }

  private void addUnexpected(UnexpectedMessage message, long number) {
    tables.of(message.untagged).addUnexpected(message);
    if (trace.isOn()) {
      trace.kept(message, number, tables.unexpectedCount());
    }
  }

  private void keep(UnexpectedMessage message, long number) {
    addUnexpected(message, number);
    unexpectedBytes += message.length;
    peakUnexpectedBytes = Math.max(peakUnexpectedBytes, unexpectedBytes);
  }

  /** Whether all bytes of a message that waits here have come. */
  boolean isWhole(UnexpectedMessage message) {
    return !message.isAnnounced() && message.lostBy() == null && assembly.find(message) == null;
  }

  long unexpectedBytes() {
    return unexpectedBytes;
  }

  long peakUnexpectedBytes() {
    return peakUnexpectedBytes;
  }

  // ---- messages that come ----

  /** A message comes whole for a receive. */
  void whole(PostedReceive receive, FrameOrigin origin, MessageView message, long number) {
    matched(receive, origin, number, message);
    origin.consumed(message.length());
    datagram(receive, origin, message);
  }

  /** A datagram comes for a receive; it has no credit. */
  void datagram(PostedReceive receive, FrameOrigin origin, MessageView message) {
    outcomes.complete(receive, origin.peer(), message);
    spareReceives.giveBack(receive);
  }

  /** A message comes whole and waits. */
  void keep(FrameOrigin origin, MessageView message, long number) {
    keep(spares.keep(origin, message, tables.of(message.isUntagged()).unexpectedCount()), number);
  }

  /** A message is announced for a receive. */
  void announced(PostedReceive receive, Envelope envelope, MessageView message, long number) {
    matched(receive, envelope.origin, number, message);
    envelope.origin.consumed();
    transfers.begin(new InboundTransfer(receive, envelope));
  }

  /** A message is announced and waits. */
  void keep(Envelope envelope, long number) {
    addUnexpected(new UnexpectedMessage(envelope, null), number);
  }

  private void matched(
      PostedReceive receive, FrameOrigin origin, long number, MessageView message) {
    if (trace.isOn()) {
      trace.matched(receive, origin, number, message.tag(), false);
    }
  }

  /** Whether a message of a sender has begun of which bytes have not come. */
  boolean hasBegun(FrameOrigin origin) {
    return assembly.find(origin) != null;
  }

  /**
   * A message of several packets begins.
   *
   * @param receive takes it; null if none does
   * @param closed whether none ever will
   */
  void first(
      PostedReceive receive, boolean closed, Envelope envelope, MessageView part, long number) {
    FrameOrigin origin = envelope.origin;
    int bytes = (int) envelope.length;
    Assembly.Partial partial;
    if (receive != null) {
      matched(receive, origin, number, part);
      origin.consumed(bytes);
      partial = assembly.begin(new InboundTransfer(receive, envelope));
    } else if (closed) {
      partial = assembly.begin(envelope);
    } else {
      UnexpectedMessage waiting = new UnexpectedMessage(envelope, new byte[bytes]);
      keep(waiting, number);
      partial = assembly.begin(waiting);
    }
    arrived(partial, 0, part.buffer(), part.offset(), part.length());
  }

  /** The next bytes of a message of several packets. */
  void next(
      FrameOrigin origin, long message, long position, DirectBuffer bytes, int offset, int length) {
    Assembly.Partial partial = assembly.find(origin, message);
    if (partial == null) {
      origin.breach("bytes come of message=" + message + " that has not begun, or has ended");
    } else {
      arrived(partial, position, bytes, offset, length);
    }
  }

  private void arrived(
      Assembly.Partial partial, long position, DirectBuffer payload, int offset, int length) {
    if (!partial.add(position, payload, offset, length)) {
      partial.origin.breach(partial.misfit(position, length));
    } else if (partial.isWhole()) {
      assembly.remove(partial);
      if (partial.transfer() != null) {
        outcomes.completeTransfer(partial.transfer());
      } else if (partial.waiting() == null) {
        dropped.late(partial.envelope);
      }
    }
  }

  // ---- messages of which no more bytes come ----

  /**
   * The sender has cancelled a message.
   *
   * @return false if it is none that has begun to come
   */
  boolean abort(FrameOrigin origin, long message, FabricError error) {
    Assembly.Partial partial = assembly.find(origin, message);
    if (partial == null) {
      return false;
    }
    assembly.remove(partial);
    drop(partial, error, "the sender has cancelled the message");
    return true;
  }

  /** The flow with a peer has ended: what has begun to come by it ends. */
  void lose(int peer, FabricError error, String detail) {
    for (Assembly.Partial partial : assembly.removeLost(peer)) {
      drop(partial, error, detail);
    }
  }

  private void drop(Assembly.Partial partial, FabricError error, String detail) {
    InboundTransfer transfer = partial.transfer();
    UnexpectedMessage waiting = partial.waiting();
    if (transfer != null) {
      ended(transfer, error, detail);
    } else if (waiting != null) {
      if (!tables.remove(waiting)) {
        waiting.lose(error, detail);
      }
      unexpectedBytes -= waiting.length;
      partial.origin.consumed(waiting.length);
    }
  }

  /** A transfer has all its bytes, or none will follow: error is then not null. */
  private void ended(InboundTransfer transfer, FabricError error, String detail) {
    if (error == null) {
      outcomes.completeTransfer(transfer);
    } else {
      outcomes.fail(
          transfer.receive(), error, transfer.origin().peer(), transfer.envelope().tag, detail);
    }
  }
}
