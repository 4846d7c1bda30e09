package io.tagfabric.provider.tcp.record;

import io.tagfabric.wire.PacketLayout;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What a connection carries once both sides have proved themselves: records, one after the other.
 *
 * <pre>
 *  0  bytes of the body (4)
 *  4  kind (top 4 bits) and number of the receiving endpoint (28 bits)
 *  8  body, padded to a multiple of 8
 * </pre>
 */
public final class Records {
  public static final int HEADER_BYTES = 8;

  /** A packet. */
  public static final int PACKET = 1;

  /** A short message by itself, see {@link io.tagfabric.wire.InjectRecord}. */
  public static final int INJECT = 2;

  /** Key of a flow (8), then frames without a packet's header. */
  public static final int FRAMES = 3;

  /** How many bytes of the stream have come (8). */
  public static final int CONFIRM = 4;

  /** The receiver shall confirm at once. */
  public static final int ASK = 5;

  /** The domain of the sender closes; nothing follows. */
  public static final int BYE = 6;

  /**
   * Bytes of a long message: which place they go to (8), where in it (8), then the bytes. The only
   * record that may be longer than a packet.
   */
  public static final int PLACE = 7;

  /** Of {@link #PLACE}, before the bytes of the message. */
  public static final int PLACE_BYTES = 2 * Long.BYTES;

  /** Bytes of a message in one record. */
  static final int MOST_PLACED_BYTES = 1024 * 1024;

  public static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  /** Bytes of a packet at most. */
  public static final int MAX_PACKET_BYTES = 64 * 1024;

  private static final int KIND_SHIFT = 28;

  /** Endpoints that can be named. */
  public static final int MAX_ENDPOINT = (1 << KIND_SHIFT) - 1;

  private Records() {}

  /** Bytes of a record with such a body. */
  public static int length(int bodyBytes) {
    return HEADER_BYTES + PacketLayout.aligned(bodyBytes);
  }

  /** Writes the first 8 bytes of a record. */
  public static void header(
      MutableDirectBuffer buffer, int at, int kind, int endpoint, int bodyBytes) {
    buffer.putInt(at, bodyBytes, ORDER);
    buffer.putInt(at + 4, kind << KIND_SHIFT | endpoint, ORDER);
  }

  /** Writes what a {@link #PLACE} record begins with. */
  public static void place(
      MutableDirectBuffer buffer, int at, long place, long position, int bytes) {
    header(buffer, at, PLACE, 0, PLACE_BYTES + bytes);
    buffer.putLong(at + HEADER_BYTES, place, ORDER);
    buffer.putLong(at + HEADER_BYTES + Long.BYTES, position, ORDER);
  }

  /** Which place the bytes go to. */
  public static long place(DirectBuffer buffer, int at) {
    return buffer.getLong(at + HEADER_BYTES, ORDER);
  }

  /** Where in it. */
  public static long position(DirectBuffer buffer, int at) {
    return buffer.getLong(at + HEADER_BYTES + Long.BYTES, ORDER);
  }

  /** Bytes behind a body. */
  public static int padding(int bodyBytes) {
    return PacketLayout.aligned(bodyBytes) - bodyBytes;
  }

  public static int bodyBytes(DirectBuffer buffer, int at) {
    return buffer.getInt(at, ORDER);
  }

  public static int kind(DirectBuffer buffer, int at) {
    return buffer.getInt(at + 4, ORDER) >>> KIND_SHIFT;
  }

  public static int endpoint(DirectBuffer buffer, int at) {
    return buffer.getInt(at + 4, ORDER) & MAX_ENDPOINT;
  }
}
