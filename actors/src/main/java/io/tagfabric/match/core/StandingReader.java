package io.tagfabric.match.core;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.ListenerFailures;
import io.tagfabric.error.FabricError;
import io.tagfabric.match.MessageReader;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.ReceiveListener;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.wire.MessageView;
import java.util.ArrayDeque;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Hands all messages of an endpoint to a {@link MessageReader}. A short one is read where it lies.
 * While bytes of a long one are still coming, what its sender has sent after it waits behind it;
 * other senders are not held up. Single threaded.
 */
final class StandingReader {
  private final MessageReader reader;
  private final Int2ObjectHashMap<ArrayDeque<Turn>> turns = new Int2ObjectHashMap<>();
  private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
  private final ListenerFailures failures = new ListenerFailures();

  StandingReader(MessageReader reader) {
    this.reader = reader;
  }

  /** Whether a message of a sender may be read at once. */
  boolean readsNow(int source) {
    return !turns.containsKey(source);
  }

  /** Reads a message where it lies. */
  void read(int source, MessageView message) {
    read(source, message.tag(), message.buffer(), message.offset(), message.length());
  }

  private void read(int source, long tag, DirectBuffer buffer, int offset, int length) {
    try {
      reader.onMessage(source, tag, buffer, offset, length);
    } catch (Throwable e) {
      failures.caught(reader, e);
    }
  }

  /** The receive for a message that is not to be read now. */
  PostedReceive next(int source) {
    Turn turn = new Turn(source);
    turns.computeIfAbsent(source, notUsed -> new ArrayDeque<>()).addLast(turn);
    PostedReceive receive = new PostedReceive(TagSelector.any(), Integer.MAX_VALUE, this, turn);
    receive.internal();
    return receive;
  }

  /** A peer is lost; what came of it half way has ended. */
  void lost(int source, FabricError error, String detail, boolean forGood) {
    try {
      reader.onLost(source, error, detail, forGood);
    } catch (Throwable e) {
      failures.caught(reader, e);
    }
  }

  private void readDone(int source) {
    ArrayDeque<Turn> queue = turns.get(source);
    while (!queue.isEmpty() && queue.peekFirst().done) {
      TaggedMessage message = queue.pollFirst().message;
      if (message != null) {
        byte[] bytes = message.payload().array();
        view.wrap(bytes);
        read(source, message.tag(), view, 0, bytes.length);
      }
    }
    if (queue.isEmpty()) {
      turns.remove(source);
    }
  }

  private final class Turn implements ReceiveListener {
    private final int source;
    private boolean done;
    private TaggedMessage message;

    Turn(int source) {
      this.source = source;
    }

    @Override
    public void onReceived(TaggedMessage received) {
      done = true;
      message = received;
      readDone(source);
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      done = true;
      readDone(source);
    }
  }
}
