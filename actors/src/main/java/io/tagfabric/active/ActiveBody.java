package io.tagfabric.active;

import io.tagfabric.wire.FrameCursor;
import io.tagfabric.wire.Packet;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** What follows the fixed block of a request or reply: arguments, then payload. */
final class ActiveBody {
  static final int MOST_ARGUMENTS = 16;

  /** A reason in one packet of each provider. */
  private static final int MOST_TEXT = 432 / 3; // a char is at most 3 bytes

  private static final int[] NO_ARGUMENTS = {};
  private static final byte[] NO_BYTES = {};
  static final ActiveBody EMPTY = new ActiveBody(NO_ARGUMENTS, NO_BYTES);

  private final int[] arguments;
  private final byte[] payload;

  /** Where its payload lies, if the program has written it there; null if it is an array's. */
  private final DirectBuffer place;

  private final int placeAt;
  private final int total;

  /** Of a reply that comes in parts: bytes that are there. */
  private int filled;

  private ActiveBody(int[] arguments, byte[] payload) {
    this.arguments = arguments;
    this.payload = payload;
    place = null;
    placeAt = 0;
    total = payload.length;
  }

  private ActiveBody(int[] arguments, DirectBuffer place, int placeAt, int total) {
    this.arguments = arguments;
    payload = NO_BYTES;
    this.place = place;
    this.placeAt = placeAt;
    this.total = total;
  }

  /** Copies arguments, and shows payload where it lies until it has left. */
  static ActiveBody inPlace(int[] arguments, DirectBuffer place, int at, int bytes) {
    return new ActiveBody(copy(arguments), place, at, bytes);
  }

  /** Copies what a program gives. */
  static ActiveBody of(int[] arguments, byte[] payload, int mostBytes) {
    require(arguments, payload.length, mostBytes);
    return new ActiveBody(copy(arguments), payload.length == 0 ? NO_BYTES : payload.clone());
  }

  /** Copies bytes of a buffer. */
  static ActiveBody of(int[] arguments, DirectBuffer buffer, int at, int bytes, int mostBytes) {
    require(arguments, bytes, mostBytes);
    byte[] payload = new byte[bytes];
    buffer.getBytes(at, payload);
    return new ActiveBody(copy(arguments), payload);
  }

  /** Shows what a program gives, for what leaves before the call returns or not at all. */
  static ActiveBody lent(int[] arguments, byte[] payload, int mostBytes) {
    require(arguments, payload.length, mostBytes);
    return new ActiveBody(arguments, payload);
  }

  /** The same of bytes of a buffer. */
  static ActiveBody lent(int[] arguments, DirectBuffer buffer, int at, int bytes, int mostBytes) {
    require(arguments, bytes, mostBytes);
    return new ActiveBody(arguments, buffer, at, bytes);
  }

  private static int[] copy(int[] arguments) {
    return arguments.length == 0 ? NO_ARGUMENTS : arguments.clone();
  }

  static void require(int[] arguments, int bytes, int mostBytes) {
    if (arguments.length > MOST_ARGUMENTS) {
      throw new IllegalArgumentException(
          "arguments=" + arguments.length + " > " + MOST_ARGUMENTS + ", put the rest in payload");
    }
    if (bytes > mostBytes) {
      throw new IllegalArgumentException(
          "payloadBytes="
              + bytes
              + " > tagfabric.am.max-medium="
              + mostBytes
              + ", send a long request or raise the setting");
    }
  }

  /** A reason for people, cut to what fits. */
  static ActiveBody text(String reason) {
    String cut = reason.length() > MOST_TEXT ? reason.substring(0, MOST_TEXT) : reason;
    return new ActiveBody(NO_ARGUMENTS, cut.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether a frame can hold this many arguments, and so much of a payload of so many bytes. */
  static boolean fits(int count, int bodyBytes, int total, int mostBytes) {
    return count >= 0
        && count <= MOST_ARGUMENTS
        && total >= 0
        && total <= mostBytes
        && bodyBytes >= count * Integer.BYTES
        && bodyBytes - count * Integer.BYTES <= total
        && (total == 0 || bodyBytes > count * Integer.BYTES);
  }

  /**
   * Copies the body of a frame that {@link #fits}, or the first of it.
   *
   * @param total payload bytes of the whole
   */
  static ActiveBody read(FrameCursor frame, int count, int total) {
    int[] arguments = count == 0 ? NO_ARGUMENTS : new int[count];
    for (int i = 0; i < count; i++) {
      arguments[i] =
          frame.buffer().getInt(frame.payloadAt() + i * Integer.BYTES, ByteOrder.LITTLE_ENDIAN);
    }
    ActiveBody body = new ActiveBody(arguments, total == 0 ? NO_BYTES : new byte[total]);
    int before = count * Integer.BYTES;
    body.take(frame.buffer(), frame.payloadAt() + before, frame.payloadLength() - before);
    return body;
  }

  private void take(DirectBuffer from, int at, int bytes) {
    from.getBytes(at, payload, filled, bytes);
    filled += bytes;
  }

  /** Copies more of it; false if that is not what comes next. */
  boolean takeNext(FrameCursor frame, int position) {
    int bytes = frame.payloadLength();
    if (position != filled || bytes == 0 || bytes > payload.length - filled) {
      return false;
    }
    take(frame.buffer(), frame.payloadAt(), bytes);
    return true;
  }

  /** Whether all that was to come is there. */
  boolean isWhole() {
    return filled == payload.length;
  }

  int filled() {
    return filled;
  }

  /** The arguments as a frame has them. */
  byte[] encodedArguments() {
    UnsafeBuffer encoded = new UnsafeBuffer(new byte[argumentBytes()]);
    for (int i = 0; i < arguments.length; i++) {
      encoded.putInt(i * Integer.BYTES, arguments[i], ByteOrder.LITTLE_ENDIAN);
    }
    return encoded.byteArray();
  }

  byte[] payload() {
    return payload;
  }

  int count() {
    return arguments.length;
  }

  int argumentBytes() {
    return arguments.length * Integer.BYTES;
  }

  /** Payload bytes. */
  int total() {
    return total;
  }

  /** Writes the arguments behind a frame's block. */
  void writeArguments(Packet packet, int at) {
    for (int i = 0; i < arguments.length; i++) {
      packet.buffer().putInt(at + i * Integer.BYTES, arguments[i], ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** Writes a part of the payload. */
  void writePayload(Packet packet, int at, int position, int bytes) {
    if (place == null) {
      packet.buffer().putBytes(at, payload, position, bytes);
    } else {
      packet.put(at, place, placeAt + position, bytes);
    }
  }

  ActiveReply reply() {
    return new ActiveReply(arguments, payload);
  }

  String asText() {
    return new String(payload, StandardCharsets.UTF_8);
  }
}
