package io.tagfabric.memory;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Updates of elements that several threads and processes update at the same time, each by compare
 * and set. Elements of 8 and 16 bits are updated as a part of the word of 32 bits that they lie in.
 *
 * <p>The memory begins at a multiple of 8 bytes and has whole words of 8; elements begin at a
 * multiple of their bytes. Thread: any.
 */
final class SharedAtomics {
  private static final boolean SWAPS = ByteOrder.nativeOrder() != Little.ENDIAN;

  private SharedAtomics() {}

  /**
   * Updates elements, one after the other.
   *
   * @param old gets what was there before; null if nobody wants to know
   */
  static void update(
      AtomicOp op,
      AtomicKind kind,
      int count,
      UnsafeBuffer memory,
      int memoryAt,
      DirectBuffer operands,
      int operandsAt,
      int comparesAt,
      MutableDirectBuffer old,
      int oldAt) {
    int step = kind.bytes();
    for (int i = 0; i < count; i++) {
      long operand = op.onlyFetches() ? 0 : kind.load(operands, operandsAt + i * step);
      long compare = op.compares() ? kind.load(operands, comparesAt + i * step) : 0;
      long before = update(op, kind, memory, memoryAt + i * step, operand, compare);
      if (old != null) {
        kind.store(old, oldAt + i * step, before);
      }
    }
  }

  private static long update(
      AtomicOp op, AtomicKind kind, UnsafeBuffer memory, int at, long operand, long compare) {
    return switch (kind.bytes()) {
      case Long.BYTES -> updateLong(op, kind, memory, at, operand, compare);
      case Integer.BYTES -> updatePart(op, kind, memory, at, 0, operand, compare);
      default -> {
        int word = at & -Integer.BYTES;
        int bytes = at - word;
        int shift = Byte.SIZE * (SWAPS ? Integer.BYTES - kind.bytes() - bytes : bytes);
        yield updatePart(op, kind, memory, word, shift, operand, compare);
      }
    };
  }

  private static long updateLong(
      AtomicOp op, AtomicKind kind, UnsafeBuffer memory, int at, long operand, long compare) {
    while (true) {
      long word = memory.getLongVolatile(at);
      long old = SWAPS ? Long.reverseBytes(word) : word;
      long now = Atomics.value(op, kind, old, operand, compare);
      if (op.onlyFetches()
          || memory.compareAndSetLong(at, word, SWAPS ? Long.reverseBytes(now) : now)) {
        return old;
      }
    }
  }

  /** Updates an element of at most 32 bits. */
  private static long updatePart(
      AtomicOp op,
      AtomicKind kind,
      UnsafeBuffer memory,
      int at,
      int shift,
      long operand,
      long compare) {
    int bits = Byte.SIZE * kind.bytes();
    int mask = (int) ((1L << bits) - 1) << shift;
    while (true) {
      int word = memory.getIntVolatile(at);
      long old = kind.extend(swap(kind, (word & mask) >>> shift));
      int now = swap(kind, (int) Atomics.value(op, kind, old, operand, compare)) << shift;
      if (op.onlyFetches() || memory.compareAndSetInt(at, word, (word & ~mask) | (now & mask))) {
        return old;
      }
    }
  }

  /** The bytes of an element in the other order, on machines that have another than its. */
  private static int swap(AtomicKind kind, int bits) {
    if (!SWAPS || kind.bytes() == 1) {
      return bits;
    }
    return kind.bytes() == Short.BYTES
        ? Short.reverseBytes((short) bits) & 0xFFFF
        : Integer.reverseBytes(bits);
  }
}
