package io.tagfabric.endpoint;

import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.Packet;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** What follows the fixed block of a request or reply: arguments, then payload. */
final class ActiveBody {
  static final int MOST_ARGUMENTS = 16;

  /** With all arguments it fits into each packet of each provider, like a part of a note. */
  static final int MOST_PAYLOAD_BYTES = 432;

  private static final int MOST_TEXT = MOST_PAYLOAD_BYTES / 3; // a char is at most 3 bytes
  private static final int[] NO_ARGUMENTS = {};
  static final ActiveBody EMPTY = new ActiveBody(NO_ARGUMENTS, new byte[0]);

  private final int[] arguments;
  private final byte[] payload;

  private ActiveBody(int[] arguments, byte[] payload) {
    this.arguments = arguments;
    this.payload = payload;
  }

  /** Copies what a program gives. */
  static ActiveBody of(int[] arguments, byte[] payload) {
    if (arguments.length > MOST_ARGUMENTS) {
      throw new IllegalArgumentException(
          "arguments=" + arguments.length + " > " + MOST_ARGUMENTS + ", put the rest in payload");
    }
    if (payload.length > MOST_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "payloadBytes="
              + payload.length
              + " > maxMedium="
              + MOST_PAYLOAD_BYTES
              + ", write more to a region of the peer first");
    }
    return new ActiveBody(arguments.clone(), payload.clone());
  }

  /** A reason for people, cut to what fits. */
  static ActiveBody text(String reason) {
    String cut = reason.length() > MOST_TEXT ? reason.substring(0, MOST_TEXT) : reason;
    return new ActiveBody(NO_ARGUMENTS, cut.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether a frame can hold this many arguments, and no more payload than there may be. */
  static boolean fits(int count, int bodyBytes) {
    return count >= 0
        && count <= MOST_ARGUMENTS
        && bodyBytes >= count * Integer.BYTES
        && bodyBytes - count * Integer.BYTES <= MOST_PAYLOAD_BYTES;
  }

  /** Copies the body of a frame that {@link #fits}. */
  static ActiveBody read(FrameCursor frame, int count) {
    int[] arguments = new int[count];
    for (int i = 0; i < count; i++) {
      arguments[i] =
          frame.buffer().getInt(frame.payloadAt() + i * Integer.BYTES, ByteOrder.LITTLE_ENDIAN);
    }
    int before = count * Integer.BYTES;
    byte[] payload = new byte[frame.payloadLength() - before];
    frame.buffer().getBytes(frame.payloadAt() + before, payload);
    return new ActiveBody(arguments, payload);
  }

  int count() {
    return arguments.length;
  }

  int bytes() {
    return arguments.length * Integer.BYTES + payload.length;
  }

  /** Writes it behind the frame's block. */
  void write(Packet packet, int at) {
    for (int i = 0; i < arguments.length; i++) {
      packet.buffer().putInt(at + i * Integer.BYTES, arguments[i], ByteOrder.LITTLE_ENDIAN);
    }
    packet.buffer().putBytes(at + arguments.length * Integer.BYTES, payload);
  }

  ActiveReply reply() {
    return new ActiveReply(arguments, payload);
  }

  String asText() {
    return new String(payload, StandardCharsets.UTF_8);
  }
}
