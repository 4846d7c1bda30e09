package io.tagfabric.match;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionSink;
import io.tagfabric.complete.Direction;
import io.tagfabric.error.FabricError;
import io.tagfabric.tag.Payload;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.wire.ShortCopy;
import org.agrona.DirectBuffer;

/**
 * Ends receives: copies bytes into their buffers and tells the queue, or the receive's listener.
 */
final class ReceiveCompletions {
  private final CompletionSink completions;

  ReceiveCompletions(CompletionSink completions) {
    this.completions = completions;
  }

  /** All bytes of a transfer are in place. */
  void completeTransfer(InboundTransfer transfer) {
    PostedReceive receive = transfer.receive();
    int source = transfer.origin().peer();
    long overflow = transfer.length() - transfer.wanted();
    if (receive.listener() != null) {
      tellListener(
          receive,
          source,
          transfer.tag(),
          transfer.hasData(),
          transfer.data(),
          transfer.ownBytes(),
          overflow);
    } else {
      completed(
          receive,
          source,
          transfer.tag(),
          transfer.hasData(),
          transfer.data(),
          transfer.wanted(),
          overflow);
    }
  }

  void complete(
      PostedReceive receive, int source, long tag, boolean hasData, long data, byte[] bytes) {
    if (receive.listener() == null) {
      int placed = Math.min(bytes.length, receive.capacity());
      if (placed > 0) {
        receive.buffer().putBytes(receive.offset(), bytes, 0, placed);
      }
      completed(receive, source, tag, hasData, data, placed, bytes.length - placed);
    } else {
      long overflow = Math.max(0, bytes.length - receive.capacity());
      tellListener(receive, source, tag, hasData, data, bytes, overflow);
    }
  }

  void complete(
      PostedReceive receive,
      int source,
      long tag,
      boolean hasData,
      long data,
      DirectBuffer payload,
      int payloadAt,
      int length) {
    int placed = Math.min(length, receive.capacity());
    if (placed > 0) {
      ShortCopy.copy(payload, payloadAt, receive.buffer(), receive.offset(), placed);
    }
    completed(receive, source, tag, hasData, data, placed, length - placed);
  }

  private void completed(
      PostedReceive receive,
      int source,
      long tag,
      boolean hasData,
      long data,
      long placed,
      long overflow) {
    CompletionEntry entry = completions.next();
    if (overflow > 0) {
      entry.setFailed(
          receive.context(),
          FabricError.TRUNCATED,
          source,
          tag,
          placed,
          overflow,
          Direction.RECEIVE,
          truncated(placed + overflow, receive.capacity()));
    } else {
      entry.setReceived(receive.context(), source, tag, placed);
    }
    if (hasData) {
      entry.setData(data);
    }
  }

  private void tellListener(
      PostedReceive receive,
      int source,
      long tag,
      boolean hasData,
      long data,
      byte[] bytes,
      long overflow) {
    if (overflow > 0) {
      receive
          .listener()
          .onFailed(
              new Completion.Failed(
                  receive.context(),
                  FabricError.TRUNCATED,
                  source,
                  tag,
                  receive.capacity(),
                  overflow,
                  Direction.RECEIVE,
                  truncated(receive.capacity() + overflow, receive.capacity())));
    } else {
      receive
          .listener()
          .onReceived(new TaggedMessage(source, tag, hasData, data, Payload.wrap(bytes)));
    }
  }

  private static String truncated(long length, int capacity) {
    return "messageBytes=" + length + " > bufferBytes=" + capacity + ", post a larger buffer";
  }

  void fail(PostedReceive receive, FabricError error, int peer, long tag, String detail) {
    if (receive.listener() != null) {
      receive
          .listener()
          .onFailed(
              new Completion.Failed(
                  receive.context(), error, peer, tag, 0, 0, Direction.RECEIVE, detail));
    } else {
      completions
          .next()
          .setFailed(receive.context(), error, peer, tag, 0, 0, Direction.RECEIVE, detail);
    }
  }
}
