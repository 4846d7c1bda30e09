package io.tagfabric.flow;

import io.tagfabric.wire.FrameWriter;
import java.util.ArrayDeque;

/** The receiver's side of messages that ask first: which bytes the peer is asked for. */
final class Clearances {
  private final PacketOutbox outbox;
  private final ArrayDeque<long[]> waiting = new ArrayDeque<>();
  private long expectedBytes;

  Clearances(PacketOutbox outbox) {
    this.outbox = outbox;
  }

  void add(long message, long receive, long length) {
    waiting.addLast(new long[] {message, receive, length});
    expectedBytes += length;
  }

  /** Bytes asked for have come. */
  void arrived(int length) {
    expectedBytes -= length;
  }

  /** Puts clearances into packets, as far as the window allows. */
  void pump() {
    while (!waiting.isEmpty() && outbox.room(FrameWriter.clearLength())) {
      long[] clearance = waiting.pollFirst();
      outbox.writer().clearToSend(outbox.open(), clearance[0], clearance[1], clearance[2]);
    }
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Whether the peer owes bytes. */
  boolean expectsBytes() {
    return expectedBytes > 0;
  }

  void clear() {
    waiting.clear();
    expectedBytes = 0;
  }
}
