package io.tagfabric.provider.shm.ring;

import org.agrona.BitUtil;

/**
 * How a lane lies in memory.
 *
 * <pre>
 *       0  head (8): bytes that the reader has given back, written now and then
 *     {@value #DATA_AT}  the ring, a power of two; records begin at multiples of {@value #ALIGNMENT}
 *             0  length (4) with these {@value #HEADER_BYTES} bytes, 0 where no record is yet
 *             4  type (4), {@value #PADDING} for what is passed over at the end of the ring
 *             8  the record
 * </pre>
 */
public final class LaneLayout {
  public static final int HEAD_AT = 0;
  public static final int DATA_AT = 128;
  public static final int HEADER_BYTES = 8;
  public static final int ALIGNMENT = 32;
  public static final int PADDING = -1;

  private static final int SHARE_OF_RECORD = 4;

  private LaneLayout() {}

  /** Bytes of a lane's memory for so many of its ring. */
  public static int memoryBytes(int capacity) {
    return DATA_AT + capacity;
  }

  /** Bytes of the ring in so many of memory. */
  static int capacity(int memoryBytes) {
    return memoryBytes - DATA_AT;
  }

  /** The longest record that always finds room once all before it are read. */
  public static int longestRecord(int capacity) {
    return capacity / SHARE_OF_RECORD - HEADER_BYTES;
  }

  /** What a record takes of the ring. */
  public static int recordBytes(int length) {
    return BitUtil.align(length + HEADER_BYTES, ALIGNMENT);
  }

  static int at(long position, int mask) {
    return DATA_AT + ((int) position & mask);
  }

  /** A header, in one word: it is there as a whole or not at all. */
  public static long header(int type, int length) {
    return (long) type << Integer.SIZE | length;
  }

  static int type(long header) {
    return (int) (header >> Integer.SIZE);
  }

  static int length(long header) {
    return (int) header;
  }
}
