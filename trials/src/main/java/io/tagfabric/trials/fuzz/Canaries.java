package io.tagfabric.trials.fuzz;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Parts of one buffer for receives, with bytes between and behind them that nobody may touch: a
 * write beside its part is seen, wherever it goes. Thread: one.
 */
final class Canaries {
  private static final int GUARD_BYTES = 256;

  /** Room for one receive. */
  static final class Part {
    private final int begin;
    private int capacity;

    private Part(int begin) {
      this.begin = begin;
    }

    int offset() {
      return begin;
    }

    /** Bytes the receive is given. */
    int capacity() {
      return capacity;
    }
  }

  private final int partBytes;
  private final byte[] bytes;
  private final byte[] untouched;
  private final UnsafeBuffer buffer;
  private final Part[] parts;
  private final ArrayDeque<Part> free = new ArrayDeque<>();

  Canaries(int count, int partBytes, long key) {
    this.partBytes = partBytes;
    int step = GUARD_BYTES + partBytes;
    bytes = new byte[count * step + GUARD_BYTES];
    buffer = new UnsafeBuffer(bytes);
    KeyedBytes.fill(key, buffer, 0, bytes.length);
    untouched = bytes.clone();
    parts = new Part[count];
    for (int i = 0; i < count; i++) {
      parts[i] = new Part(GUARD_BYTES + i * step);
      free.addLast(parts[i]);
    }
  }

  UnsafeBuffer buffer() {
    return buffer;
  }

  /** Longest part. */
  int partBytes() {
    return partBytes;
  }

  /** A part of so many bytes, null if all are in use. */
  Part take(int capacity) {
    Part part = free.pollFirst();
    if (part != null) {
      part.capacity = capacity;
    }
    return part;
  }

  /**
   * A receive has ended.
   *
   * @param told length of its message as far as it fits
   * @throws Violation if a byte outside of these was written
   */
  void check(Part part, int told) {
    int last = part.begin + partBytes + GUARD_BYTES;
    int wrong = wrongBetween(part.begin - GUARD_BYTES, part.begin);
    if (wrong < 0) {
      wrong = wrongBetween(part.begin + told, last);
    }
    if (wrong >= 0) {
      throw new Violation(
          Violation.Promise.BUFFER,
          "byte "
              + (wrong - part.begin)
              + " from the begin of a receive's buffer was written, capacity="
              + part.capacity
              + ", length="
              + told);
    }
  }

  /** Looks at any part; the message of its receive, if it has one, may be on its way. */
  void checkAny(SplittableRandom random) {
    Part part = parts[random.nextInt(parts.length)];
    check(part, part.capacity);
  }

  private int wrongBetween(int from, int to) {
    int wrong = Arrays.mismatch(bytes, from, to, untouched, from, to);
    return wrong < 0 ? wrong : from + wrong;
  }

  /** Gives a part back; its bytes become canaries again. */
  void give(Part part) {
    System.arraycopy(untouched, part.begin, bytes, part.begin, part.capacity);
    part.capacity = 0;
    free.addLast(part);
  }
}
