package io.tagfabric.match.core;

import io.tagfabric.error.FabricError;
import io.tagfabric.match.MessageInfo;
import io.tagfabric.match.table.WaitingMessage;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.ShortCopy;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** A message that came before a receive for it: its bytes, or the request that announces them. */
final class UnexpectedMessage extends WaitingMessage {
  FrameOrigin origin;
  boolean untagged;
  boolean hasData;
  long data;

  /** The payload, or room for it, from the first byte on; null if it waits at the sender. */
  final byte[] bytes;

  /** The same bytes as a buffer; null if there are none. */
  final UnsafeBuffer view;

  /** Bytes of the payload that are here, or come here. */
  int length;

  /** What came before the bytes; null if they came with it. */
  final Envelope envelope;

  /** Its number in its flow; only while there is a recorder. */
  long traced;

  private FabricError lostBy;
  private String lostDetail;

  /** Room for whole messages, one after the other. */
  UnexpectedMessage(int capacity) {
    bytes = new byte[capacity];
    view = new UnsafeBuffer(bytes);
    envelope = null;
  }

  /** A whole message. */
  UnexpectedMessage(FrameOrigin origin, MessageView message) {
    this(message.length());
    take(origin, message);
  }

  /** Takes a whole message, for which there is room. */
  void take(FrameOrigin from, MessageView message) {
    describe(message.tag(), from.peer());
    origin = from;
    untagged = message.isUntagged();
    hasData = message.hasData();
    data = message.data();
    length = message.length();
    ShortCopy.copy(message.buffer(), message.offset(), view, 0, length);
  }

  /** A message whose bytes still come, into {@code bytes}; null if they wait at the sender. */
  UnexpectedMessage(Envelope envelope, byte[] bytes) {
    describe(envelope.tag, envelope.origin.peer());
    this.origin = envelope.origin;
    this.untagged = envelope.untagged;
    this.hasData = envelope.hasData;
    this.data = envelope.data;
    this.bytes = bytes;
    this.view = bytes == null ? null : new UnsafeBuffer(bytes);
    this.length = bytes == null ? 0 : bytes.length;
    this.envelope = envelope;
  }

  /** The payload as an array that its receiver may keep. */
  byte[] ownBytes() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }

  /** Payload bytes in all, whether they have come or not. */
  long lengthBytes() {
    return envelope == null ? length : envelope.length;
  }

  /** What it is, for people and programs. */
  MessageInfo info() {
    return new MessageInfo(source(), !untagged, tag(), lengthBytes(), hasData, data);
  }

  /** The same of a message that does not wait here. */
  static MessageInfo info(Envelope envelope) {
    return new MessageInfo(
        envelope.origin.peer(),
        !envelope.untagged,
        envelope.tag,
        envelope.length,
        envelope.hasData,
        envelope.data);
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

  /** Whether it has come whole and has no more than a tag and bytes. */
  boolean isPlain() {
    return envelope == null && !hasData;
  }

  /** Whether the bytes wait at the sender. */
  boolean isAnnounced() {
    return bytes == null;
  }
}
