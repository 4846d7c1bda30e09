package io.tagfabric.collective;

import io.tagfabric.error.FabricError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Tells the members of a team that it is broken.
 *
 * <pre>
 *   0                   4                   8
 *   +-------------------+-------------------+
 *   | member, int32     | error code, int32 |   little-endian
 *   +-------------------+-------------------+
 * </pre>
 *
 * @param member rank of the member that failed
 * @param error how
 */
record BreakNotice(int member, FabricError error) {
  static final int LENGTH = 8;

  byte[] encode() {
    return ByteBuffer.allocate(LENGTH)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(member)
        .putInt(error.code())
        .array();
  }

  /**
   * The notice that {@link #encode} wrote.
   *
   * @throws IllegalArgumentException if it is none, or names no member of a team of this size
   */
  static BreakNotice decode(byte[] bytes, int size) {
    if (bytes.length != LENGTH) {
      throw new IllegalArgumentException("lengthBytes=" + bytes.length + " is not " + LENGTH);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int member = buffer.getInt();
    if (member < 0 || member >= size) {
      throw new IllegalArgumentException("member=" + member + " is outside 0.." + (size - 1));
    }
    return new BreakNotice(member, FabricError.of(buffer.getInt()));
  }
}
