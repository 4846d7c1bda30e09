package io.tagfabric.memory;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Kinds of elements that can be updated in a region, little-endian.
 *
 * @source libfabric fi_atomic(3), data types
 */
public enum AtomicKind {
  INT8(0, 1, true),
  UINT8(1, 1, false),
  INT16(2, 2, true),
  UINT16(3, 2, false),
  INT32(4, 4, true),
  UINT32(5, 4, false),
  INT64(6, 8, true),
  UINT64(7, 8, false),
  FLOAT(8, 4, true),
  DOUBLE(9, 8, true);

  private static final AtomicKind[] ALL = values();

  private final int number;
  private final int bytes;
  private final boolean signed;

  AtomicKind(int number, int bytes, boolean signed) {
    this.number = number;
    this.bytes = bytes;
    this.signed = signed;
  }

  /** What it is on the wire. */
  public int number() {
    return number;
  }

  /** Bytes of an element; it begins at a multiple of this in its region. */
  public int bytes() {
    return bytes;
  }

  boolean isSigned() {
    return signed;
  }

  /** Whether these are whole numbers. */
  boolean isWhole() {
    return this != FLOAT && this != DOUBLE;
  }

  /** The kind with this number on the wire; null if none has it. */
  static AtomicKind of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }

  /** An element in 64 bits: a whole number with its sign, a floating point number as its bits. */
  long load(DirectBuffer buffer, int at) {
    return switch (this) {
      case INT8 -> buffer.getByte(at);
      case UINT8 -> buffer.getByte(at) & 0xFFL;
      case INT16 -> buffer.getShort(at, Little.ENDIAN);
      case UINT16 -> buffer.getShort(at, Little.ENDIAN) & 0xFFFFL;
      case INT32 -> buffer.getInt(at, Little.ENDIAN);
      case UINT32, FLOAT -> buffer.getInt(at, Little.ENDIAN) & 0xFFFF_FFFFL;
      case INT64, UINT64, DOUBLE -> buffer.getLong(at, Little.ENDIAN);
    };
  }

  /** What {@link #load} gives for an element of these bits, the lowest of which count. */
  long extend(int bits) {
    return switch (this) {
      case INT8 -> (byte) bits;
      case UINT8 -> bits & 0xFFL;
      case INT16 -> (short) bits;
      case UINT16 -> bits & 0xFFFFL;
      case INT32 -> bits;
      default -> bits & 0xFFFF_FFFFL;
    };
  }

  /** The lower bits of what {@link #load} gives. */
  void store(MutableDirectBuffer buffer, int at, long bits) {
    switch (bytes) {
      case 1 -> buffer.putByte(at, (byte) bits);
      case 2 -> buffer.putShort(at, (short) bits, Little.ENDIAN);
      case 4 -> buffer.putInt(at, (int) bits, Little.ENDIAN);
      default -> buffer.putLong(at, bits, Little.ENDIAN);
    }
  }
}
