package io.tagfabric.match;

import io.tagfabric.error.FabricError;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MessageView;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A message that came before a receive for it: its bytes, or the request that announces them. */
final class UnexpectedMessage extends WaitingMessage {
  final FrameOrigin origin;
  final boolean untagged;
  final boolean hasData;
  final long data;

  /** The payload, or room for it; null if it waits at the sender. */
  final byte[] bytes;

  /** What came before the bytes; null if they came with it. */
  final Envelope envelope;

  private FabricError lostBy;
  private String lostDetail;

  /** A whole message. */
  UnexpectedMessage(FrameOrigin origin, MessageView message, byte[] bytes) {
    describe(message.tag(), origin.peer());
    this.origin = origin;
    this.untagged = message.isUntagged();
    this.hasData = message.hasData();
    this.data = message.data();
    this.bytes = bytes;
    this.envelope = null;
  }

  /** A message whose bytes still come, into {@code bytes}; null if they wait at the sender. */
  UnexpectedMessage(Envelope envelope, byte[] bytes) {
    describe(envelope.tag, envelope.origin.peer());
    this.origin = envelope.origin;
    this.untagged = envelope.untagged;
    this.hasData = envelope.hasData;
    this.data = envelope.data;
    this.bytes = bytes;
    this.envelope = envelope;
  }

  /** The bytes to read from. */
  DirectBuffer view() {
    return new UnsafeBuffer(bytes);
  }

  /** Payload bytes in all, whether they have come or not. */
  long lengthBytes() {
    return envelope == null ? bytes.length : envelope.length;
  }

  /** What it is, for people and programs. */
  TagMatcher.MessageInfo info() {
    return new TagMatcher.MessageInfo(source(), !untagged, tag(), lengthBytes(), hasData, data);
  }

  /** Its bytes will not come any more, and its credit has been given back. */
  void lose(FabricError error, String detail) {
    lostBy = error;
    lostDetail = detail;
  }

  /** Why its bytes will not come; null if they have come or may come. */
  FabricError lostBy() {
    return lostBy;
  }

  /** The same for people. */
  String lostDetail() {
    return lostDetail;
  }

  /** Whether the bytes wait at the sender. */
  boolean isAnnounced() {
    return bytes == null;
  }
}
