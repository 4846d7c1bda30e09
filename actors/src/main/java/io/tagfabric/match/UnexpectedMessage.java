package io.tagfabric.match;

import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MemoryKey;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A message that came before a receive for it: its bytes, or the request that announces them. */
final class UnexpectedMessage extends UnexpectedEntry {
  static final byte[] ANNOUNCED = new byte[0];

  final FrameOrigin origin;
  final boolean hasData;
  final long data;
  final byte[] bytes;
  final long length;
  final long message;
  final boolean wantsFinish;
  final MemoryKey memory;

  /** An eager message, or one whose bytes are still coming. */
  UnexpectedMessage(FrameOrigin origin, long tag, boolean hasData, long data, byte[] bytes) {
    describe(tag, origin.peer());
    this.origin = origin;
    this.hasData = hasData;
    this.data = data;
    this.bytes = bytes;
    this.length = bytes.length;
    this.message = 0;
    this.wantsFinish = false;
    this.memory = null;
  }

  /** A request to send. */
  UnexpectedMessage(
      FrameOrigin origin,
      long tag,
      boolean hasData,
      long data,
      long length,
      long message,
      boolean wantsFinish,
      MemoryKey memory) {
    describe(tag, origin.peer());
    this.origin = origin;
    this.hasData = hasData;
    this.data = data;
    this.bytes = ANNOUNCED;
    this.length = length;
    this.message = message;
    this.wantsFinish = wantsFinish;
    this.memory = memory;
  }

  /** The bytes to read from. */
  DirectBuffer view() {
    return new UnsafeBuffer(bytes);
  }

  /** Whether the bytes still wait at the sender; senders number their requests from 1. */
  boolean isAnnounced() {
    return message != 0;
  }
}
