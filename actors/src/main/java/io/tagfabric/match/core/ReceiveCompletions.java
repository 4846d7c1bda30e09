package io.tagfabric.match.core;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionSink;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Direction;
import io.tagfabric.complete.ListenerFailures;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.ManyMessages;
import io.tagfabric.match.PlacedListener;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.Probe;
import io.tagfabric.match.ProbeListener;
import io.tagfabric.match.RepeatedReceive;
import io.tagfabric.tag.Payload;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.ShortCopy;
import java.util.function.BiConsumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Ends receives: copies bytes into their buffers and tells the queue, or the receive's listener.
 */
final class ReceiveCompletions {
  private final CompletionSink completions;
  private final Counter counter;
  private final ReceiveTrace trace;
  private final ListenerFailures listenerFailures = new ListenerFailures();

  /** What a listener of many messages hears next; filled like an entry of the queue. */
  private final CompletionEntry told = new CompletionEntry();

  /**
   * Ends of receives.
   *
   * @param counter counts those of programs; null for none
   */
  ReceiveCompletions(CompletionSink completions, Counter counter, ReceiveTrace trace) {
    this.completions = completions;
    this.counter = counter;
    this.trace = trace;
  }

  /** A receive is accepted, or begun with: it will be counted when it ends. Thread: any. */
  void accepted(PostedReceive receive) {
    if (counter != null && receive.count()) {
      counter.begun();
    }
  }

  /** Ends a receive that has what it wants of a message, unless it has ended. */
  private boolean end(PostedReceive receive, int source, long tag, long messageBytes) {
    boolean ends = receive.end();
    if (ends && trace.isOn()) {
      trace.completed(receive, source, tag, messageBytes);
    }
    return ends;
  }

  /** All bytes of a transfer are in place. */
  void completeTransfer(InboundTransfer transfer) {
    PostedReceive receive = transfer.receive();
    Envelope envelope = transfer.envelope();
    int source = envelope.origin.peer();
    long overflow = envelope.length - transfer.wanted();
    if (isSpoiled(receive, source, envelope.tag)
        || !end(receive, source, envelope.tag, envelope.length)) {
      return;
    }
    if (receive.listener() != null) {
      tellListener(
          receive,
          new TaggedMessage(
              source,
              envelope.tag,
              envelope.hasData,
              envelope.data,
              Payload.wrap(transfer.ownBytes())),
          overflow);
      return;
    }
    CompletionEntry entry = completed(receive, source, envelope.tag, transfer.wanted(), overflow);
    if (envelope.hasData && entry != null) {
      entry.setData(envelope.data);
    }
    ended(receive);
  }

  /** A whole message that waited goes into a buffer for which there is no receive. */
  void complete(UnexpectedMessage message, MutableDirectBuffer buffer, int offset, Object context) {
    ShortCopy.copy(message.view, 0, buffer, offset, message.length);
    completions.next().setReceived(context, message.source(), message.tag(), message.length);
  }

  /** A receive has taken a whole message that waited. */
  void complete(PostedReceive receive, UnexpectedMessage message) {
    if (isSpoiled(receive, message.source(), message.tag())
        || !end(receive, message.source(), message.tag(), message.length)) {
      return;
    }
    if (receive.isPlain() && message.length <= receive.capacity() && !message.hasData) {
      place(message, receive, message.length);
      completions
          .next()
          .setReceived(receive.context(), message.source(), message.tag(), message.length);
      return;
    }
    if (receive.listener() != null) {
      completeWhole(
          receive,
          new TaggedMessage(
              message.source(),
              message.tag(),
              message.hasData,
              message.data,
              Payload.wrap(message.ownBytes())));
      return;
    }
    int length = message.length;
    int placed = Math.min(length, receive.capacity());
    if (placed > 0) {
      place(message, receive, placed);
    }
    CompletionEntry entry =
        completed(receive, message.source(), message.tag(), placed, length - placed);
    if (message.hasData && entry != null) {
      entry.setData(message.data);
    }
    ended(receive);
  }

  /** A whole message has come for a receive. */
  void complete(PostedReceive receive, int source, MessageView message) {
    if (isSpoiled(receive, source, message.tag())
        || !end(receive, source, message.tag(), message.length())) {
      return;
    }
    if (receive.isPlain() && message.length() <= receive.capacity() && !message.hasData()) {
      place(message, receive, message.length());
      completions.next().setReceived(receive.context(), source, message.tag(), message.length());
      return;
    }
    if (receive.listener() != null) {
      byte[] bytes = new byte[message.length()];
      message.buffer().getBytes(message.offset(), bytes);
      completeWhole(
          receive,
          new TaggedMessage(
              source, message.tag(), message.hasData(), message.data(), Payload.wrap(bytes)));
      return;
    }
    int placed = Math.min(message.length(), receive.capacity());
    if (placed > 0) {
      place(message, receive, placed);
    }
    CompletionEntry entry =
        completed(receive, source, message.tag(), placed, message.length() - placed);
    if (message.hasData() && entry != null) {
      entry.setData(message.data());
    }
    ended(receive);
  }

  private static void place(UnexpectedMessage message, PostedReceive receive, int length) {
    place(message.view, 0, receive, length);
  }

  private static void place(MessageView message, PostedReceive receive, int length) {
    place(message.buffer(), message.offset(), receive, length);
  }

  private static void place(DirectBuffer bytes, int offset, PostedReceive receive, int length) {
    if (receive.buffer() != null) {
      ShortCopy.copy(bytes, offset, receive.buffer(), receive.offset(), length);
    } else {
      Scattered.put(receive.parts(), 0, bytes, offset, length);
    }
  }

  /** Fails a receive whose buffer has no room for it any more. */
  private boolean isSpoiled(PostedReceive receive, int source, long tag) {
    if (receive.hasItsBuffer()) {
      return false;
    }
    fail(receive, FabricError.INVALID, source, tag, receive.lostItsBuffer());
    return true;
  }

  /** Null if the success leaves no entry. */
  private CompletionEntry completed(
      PostedReceive receive, int source, long tag, long placed, long overflow) {
    count(receive, placed, overflow);
    if (receive.hearer() != null) {
      tell(receive, (int) placed, overflow);
      return null;
    }
    if (overflow == 0 && receive.isSilent()) {
      receive.slotIn().release();
      return null;
    }
    CompletionEntry entry = entryFor(receive);
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
    if (receive.isUntagged()) {
      entry.setUntagged();
    }
    if (receive.partOf() != null) {
      entry.setOffset(receive.position());
    }
    return entry;
  }

  /** Tells of a message that came into a buffer, and goes on with that if it takes more. */
  private void ended(PostedReceive receive) {
    if (receive.told() != null) {
      tell(receive.told(), told.toCompletion(), PlacedListener::onMessage);
    }
    ManyMessages part = receive.partOf();
    if (part != null) {
      part.partEnded();
      release(part);
    }
  }

  /** The entry of the queue, or of the listener that hears in place of it. */
  private CompletionEntry entryFor(PostedReceive receive) {
    return receive.told() == null ? completions.next() : told;
  }

  /** Tells who posts the same receive again and again. */
  private void tell(PostedReceive receive, int placed, long overflow) {
    RepeatedReceive.Listener hearer = receive.hearer();
    try {
      if (overflow > 0) {
        hearer.onFailed(FabricError.TRUNCATED, truncated(placed + overflow, receive.capacity()));
      } else {
        hearer.onReceived(placed);
      }
    } catch (Throwable e) {
      listenerFailures.caught(hearer, e);
    }
  }

  private void tell(RepeatedReceive.Listener hearer, FabricError error, String detail) {
    try {
      hearer.onFailed(error, detail);
    } catch (Throwable e) {
      listenerFailures.caught(hearer, e);
    }
  }

  private <T> void tell(
      PlacedListener listener, T completion, BiConsumer<PlacedListener, T> method) {
    try {
      method.accept(listener, completion);
    } catch (Throwable e) {
      listenerFailures.caught(listener, e);
    }
  }

  /** Tells that a buffer is the program's again, if it is. */
  void release(ManyMessages many) {
    if (many.release()) {
      if (many.whole().end()) {
        many.noFailure();
      }
      Object context = many.whole().context();
      if (many.listener() == null) {
        completions.next().setReleased(context, many.used());
      } else {
        Completion.Released released = new Completion.Released(context, many.used());
        tell(many.listener(), released, PlacedListener::onReleased);
      }
    }
  }

  private void count(PostedReceive receive, long placed, long overflow) {
    if (!receive.isCounted()) {
      return;
    }
    if (overflow > 0) {
      counter.failed();
    } else {
      counter.ended(placed);
    }
  }

  private void completeWhole(PostedReceive receive, TaggedMessage message) {
    tellListener(receive, message, Math.max(0, message.payload().length() - receive.capacity()));
  }

  private void tellListener(PostedReceive receive, TaggedMessage message, long overflow) {
    count(receive, message.payload().length(), overflow);
    if (overflow > 0) {
      tellFailed(
          receive,
          new Completion.Failed(
              receive.context(),
              FabricError.TRUNCATED,
              message.source(),
              !receive.isUntagged(),
              message.tag(),
              0,
              receive.capacity(),
              overflow,
              message.hasData(),
              message.data(),
              Direction.RECEIVE,
              false,
              truncated(receive.capacity() + overflow, receive.capacity())));
      return;
    }
    try {
      receive.listener().onReceived(message);
    } catch (Throwable e) {
      listenerFailures.caught(receive.listener(), e);
    }
  }

  private void tellFailed(PostedReceive receive, Completion.Failed failure) {
    try {
      receive.listener().onFailed(failure);
    } catch (Throwable e) {
      listenerFailures.caught(receive.listener(), e);
    }
  }

  /** A probe has found a message, which may be gone by now. */
  void found(UnexpectedMessage message, Object context, ProbeListener listener) {
    if (listener == null) {
      CompletionEntry entry =
          completions
              .next()
              .setReceived(context, message.source(), message.tag(), message.lengthBytes());
      if (message.hasData) {
        entry.setData(message.data);
      }
      if (message.untagged) {
        entry.setUntagged();
      }
      return;
    }
    try {
      listener.onFound(message.info());
    } catch (Throwable e) {
      listenerFailures.caught(listener, e);
    }
  }

  /** A probe has failed. */
  void failProbe(
      FabricError error, Probe probe, Object context, ProbeListener listener, String detail) {
    int source = probe.selector().source();
    long tag = probe.selector().tag();
    if (listener == null) {
      CompletionEntry entry =
          completions
              .next()
              .setFailed(context, error, source, tag, 0, 0, Direction.RECEIVE, detail);
      if (probe.isUntagged()) {
        entry.setUntagged();
      }
      return;
    }
    try {
      listener.onFailed(failed(context, error, source, !probe.isUntagged(), tag, detail));
    } catch (Throwable e) {
      listenerFailures.caught(listener, e);
    }
  }

  /** A failure of which no byte was placed. */
  private static Completion.Failed failed(
      Object context, FabricError error, int peer, boolean tagged, long tag, String detail) {
    return new Completion.Failed(
        context, error, peer, tagged, tag, 0, 0, 0, false, 0, Direction.RECEIVE, false, detail);
  }

  private static String truncated(long length, int capacity) {
    return "messageBytes=" + length + " > bufferBytes=" + capacity + ", post a larger buffer";
  }

  void fail(PostedReceive receive, FabricError error, int peer, long tag, String detail) {
    if (!receive.end()) {
      return;
    }
    if (trace.isOn()) {
      trace.failed(receive, error, peer, tag);
    }
    if (receive.isCounted()) {
      counter.failed();
    }
    if (receive.listener() != null) {
      tellFailed(
          receive, failed(receive.context(), error, peer, !receive.isUntagged(), tag, detail));
    } else if (receive.hearer() != null) {
      tell(receive.hearer(), error, detail);
    } else {
      CompletionEntry entry =
          entryFor(receive)
              .setFailed(receive.context(), error, peer, tag, 0, 0, Direction.RECEIVE, detail);
      if (receive.isUntagged()) {
        entry.setUntagged();
      }
      if (receive.partOf() != null) {
        entry.setOffset(receive.position());
      }
    }
    if (receive.told() != null && receive.partOf() == null) {
      tell(receive.told(), (Completion.Failed) told.toCompletion(), PlacedListener::onFailed);
    } else {
      ended(receive);
    }
    if (receive.many() != null) {
      receive.many().close();
      release(receive.many());
    }
  }
}
