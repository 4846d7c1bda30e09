package io.tagfabric.match.core;

import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.MessageView;

/** What a sender tells of a message before its bytes, or not all of them, have come. */
final class Envelope {
  final FrameOrigin origin;
  final long tag;
  final boolean untagged;
  final boolean hasData;
  final long data;

  /** The sender's number of the message. */
  final long message;

  /** Payload bytes in all. */
  final long length;

  /** Whether the sender waits to hear that the receive has ended. */
  final boolean wantsFinish;

  /** Where the bytes can be read in the sender's memory; null if nowhere. */
  final MemoryKey memory;

  /** The envelope of a message whose bytes wait at the sender. */
  Envelope(
      FrameOrigin origin,
      MessageView told,
      long message,
      long length,
      boolean wantsFinish,
      MemoryKey memory) {
    this.origin = origin;
    this.tag = told.tag();
    this.untagged = told.isUntagged();
    this.hasData = told.hasData();
    this.data = told.data();
    this.message = message;
    this.length = length;
    this.wantsFinish = wantsFinish;
    this.memory = memory;
  }

  /** The envelope of a message that comes in several packets, unasked. */
  Envelope(FrameOrigin origin, MessageView told, long message, long total) {
    this(origin, told, message, total, false, null);
  }
}
