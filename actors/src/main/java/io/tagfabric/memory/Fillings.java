package io.tagfabric.memory;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sets bytes to one value by copies: where the file below memory was cut, a copy gives an error,
 * and on Java 17 the call that sets memory ends the JVM. Thread: any.
 */
final class Fillings {
  /** Few enough that a block stays in the nearest cache. */
  private static final int BLOCK_BYTES = 4096;

  private static final AtomicReferenceArray<byte[]> BLOCKS = new AtomicReferenceArray<>(1 << 8);

  private Fillings() {}

  static void fill(UnsafeBuffer memory, int at, int length, byte value) {
    byte[] block = block(value);
    for (int done = 0; done < length; ) {
      int part = Math.min(block.length, length - done);
      memory.putBytes(at + done, block, 0, part);
      done += part;
    }
  }

  private static byte[] block(byte value) {
    int index = Byte.toUnsignedInt(value);
    byte[] block = BLOCKS.get(index);
    if (block == null) {
      block = new byte[BLOCK_BYTES];
      Arrays.fill(block, value);
      BLOCKS.set(index, block);
    }
    return block;
  }
}
