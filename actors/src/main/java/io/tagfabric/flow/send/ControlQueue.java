package io.tagfabric.flow.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.flow.window.PacketOutbox;
import io.tagfabric.wire.FrameWriter;
import io.tagfabric.wire.MemoryKey;
import java.util.ArrayDeque;

/** Frames that steer long messages and wait for room in a packet; they go before all others. */
@InternalApi
public final class ControlQueue {
  private enum Kind {
    CLEAR,
    FINISH,
    ABORT
  }

  private record Control(
      Kind kind, long message, long receive, long wanted, long clearedTo, MemoryKey memory) {}

  private final PacketOutbox outbox;
  private final ArrayDeque<Control> waiting = new ArrayDeque<>();
  private long expectedBytes;

  public ControlQueue(PacketOutbox outbox) {
    this.outbox = outbox;
  }

  /**
   * Asks for bytes of a message.
   *
   * @param moreBytes that this asks for beyond what was asked before
   * @param memory where the peer may write them itself, null if nowhere
   */
  public void clear(
      long message, long receive, long wanted, long clearedTo, long moreBytes, MemoryKey memory) {
    waiting.addLast(new Control(Kind.CLEAR, message, receive, wanted, clearedTo, memory));
    expectedBytes += moreBytes;
  }

  /** Says how a receive has ended; 0 is success. */
  public void finish(long message, int errorCode) {
    waiting.addLast(new Control(Kind.FINISH, message, 0, errorCode, 0, null));
  }

  /** Says that no more bytes of a message will come. */
  void abort(long message, FabricError error) {
    waiting.addLast(new Control(Kind.ABORT, message, 0, error.code(), 0, null));
  }

  /** Bytes asked for have come, or never will. */
  public void settled(long bytes) {
    expectedBytes -= bytes;
  }

  /** Puts them into packets, as far as the window allows. */
  void pump() {
    while (!waiting.isEmpty() && outbox.room(FrameWriter.clearLength())) {
      Control next = waiting.pollFirst();
      FrameWriter writer = outbox.writer();
      switch (next.kind) {
        case CLEAR ->
            writer.clearToSend(
                outbox.open(),
                next.message,
                next.receive,
                next.wanted,
                next.clearedTo,
                next.memory);
        case FINISH -> writer.finish(outbox.open(), next.message, (int) next.wanted);
        case ABORT -> writer.abort(outbox.open(), next.message, (int) next.wanted);
      }
    }
  }

  public boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Whether the peer owes bytes. */
  boolean expectsBytes() {
    return expectedBytes > 0;
  }

  /** Gives all of it up. */
  void forget() {
    waiting.clear();
    expectedBytes = 0;
  }
}
