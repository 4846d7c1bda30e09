package io.tagfabric.match;

import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MemoryKey;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.EagerFirstDecoder;
import io.tagfabric.wire.sbe.RequestToSendDecoder;

/** What a sender tells of a message before its bytes, or not all of them, have come. */
final class Envelope {
  final FrameOrigin origin;
  final long tag;
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
  Envelope(FrameOrigin origin, RequestToSendDecoder frame, MemoryKey memory) {
    this.origin = origin;
    this.memory = memory;
    tag = frame.tag();
    hasData = (frame.flags() & PacketLayout.HAS_DATA) != 0;
    data = frame.data();
    message = frame.message();
    length = frame.length();
    wantsFinish = (frame.flags() & PacketLayout.WANTS_FINISH) != 0;
  }

  /** The envelope of a message that comes in several packets, unasked. */
  Envelope(FrameOrigin origin, EagerFirstDecoder frame) {
    this.origin = origin;
    memory = null;
    tag = frame.tag();
    hasData = (frame.flags() & PacketLayout.HAS_DATA) != 0;
    data = frame.data();
    message = frame.message();
    length = frame.total();
    wantsFinish = false;
  }
}
