package io.tagfabric.trials.fuzz;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Bytes that follow from a key and their place, so that any other byte is seen. */
final class KeyedBytes {
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private KeyedBytes() {}

  static byte at(long key, int place) {
    long bits = (key + place) * STEP;
    return (byte) (bits >>> 56);
  }

  static void fill(long key, MutableDirectBuffer buffer, int offset, int length) {
    for (int i = 0; i < length; i++) {
      buffer.putByte(offset + i, at(key, i));
    }
  }

  /** The first place from {@code from} on with another byte, -1 if there is none. */
  static int firstWrong(long key, DirectBuffer buffer, int offset, int from, int length) {
    for (int i = from; i < length; i++) {
      if (buffer.getByte(offset + i) != at(key, i)) {
        return i;
      }
    }
    return -1;
  }
}
