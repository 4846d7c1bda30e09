package io.tagfabric.collective.reduce;

import static io.tagfabric.collective.reduce.Reduction.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Reads and writes integers of all widths as longs; unsigned ones are not extended by their sign.
 */
final class Integers {
  private Integers() {}

  static long get(StandardKind kind, DirectBuffer buffer, int at) {
    return switch (kind) {
      case INT8 -> buffer.getByte(at);
      case INT16 -> buffer.getShort(at, ORDER);
      case INT32 -> buffer.getInt(at, ORDER);
      case UINT16 -> buffer.getShort(at, ORDER) & 0xFFFFL;
      case UINT32 -> buffer.getInt(at, ORDER) & 0xFFFFFFFFL;
      case INT64, UINT64 -> buffer.getLong(at, ORDER);
      default -> buffer.getByte(at) & 0xFFL;
    };
  }

  static void put(StandardKind kind, MutableDirectBuffer buffer, int at, long value) {
    switch (kind) {
      case INT16, UINT16 -> buffer.putShort(at, (short) value, ORDER);
      case INT32, UINT32 -> buffer.putInt(at, (int) value, ORDER);
      case INT64, UINT64 -> buffer.putLong(at, value, ORDER);
      default -> buffer.putByte(at, (byte) value);
    }
  }
}
