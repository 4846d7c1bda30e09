package io.tagfabric.demos;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.nio.ByteBuffer;

/** Bytes that differ from message to message and from place to place. */
final class Pattern {
  private Pattern() {}

  /** Fills a buffer for the message with a number. */
  static void fill(ByteBuffer buffer, int number) {
    for (int i = 0; i < buffer.capacity(); i++) {
      buffer.put(i, at(number, i));
    }
  }

  /**
   * Compares what has arrived.
   *
   * @throws FabricException naming the first byte that is wrong, or the length
   */
  static void verify(ByteBuffer buffer, int length, int number) {
    if (length != buffer.capacity()) {
      throw new FabricException(
          FabricError.IO,
          "message " + number + " has " + length + " bytes, expected " + buffer.capacity());
    }
    for (int i = 0; i < length; i++) {
      if (buffer.get(i) != at(number, i)) {
        throw new FabricException(
            FabricError.IO,
            String.format(
                "byte %d of message %d is 0x%02x, expected 0x%02x",
                i, number, buffer.get(i), at(number, i)));
      }
    }
  }

  private static byte at(int number, int index) {
    return (byte) (number * 31 + index + (index >> 8));
  }
}
