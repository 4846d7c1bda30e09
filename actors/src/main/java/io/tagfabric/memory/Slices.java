package io.tagfabric.memory;

import java.util.Arrays;
import java.util.Objects;

/**
 * Where the pieces of one access lie: in a region, or in the buffer of who accesses it. What is
 * accessed are the bytes of all pieces in their order, so both sides have equally many bytes but
 * may cut them in different ways. Immutable: make it once, and use it for many accesses.
 *
 * @source GASNet-EX, vector, indexed and strided put and get; libfabric fi_rma(3), fi_writev
 */
public final class Slices {
  /** Most pieces of one access; divide it for more. */
  public static final int MOST = 1 << 20;

  private final long[] offsets;
  private final int[] lengths;
  private final long bytes;

  private Slices(long[] offsets, int[] lengths) {
    long sum = 0;
    for (int i = 0; i < offsets.length; i++) {
      if (offsets[i] < 0 || lengths[i] < 0 || offsets[i] > Long.MAX_VALUE - lengths[i]) {
        throw new IllegalArgumentException(
            "offset="
                + offsets[i]
                + " lengthBytes="
                + lengths[i]
                + " of piece="
                + i
                + " lie nowhere, give what is not negative");
      }
      sum += lengths[i];
    }
    this.offsets = offsets;
    this.lengths = lengths;
    bytes = sum;
  }

  /** One piece. */
  public static Slices one(long offset, int length) {
    return new Slices(new long[] {offset}, new int[] {length});
  }

  /**
   * Pieces of any length: a vector.
   *
   * @throws IllegalArgumentException if one of both has more entries, there are more than {@link
   *     #MOST}, or one is negative
   */
  public static Slices of(long[] offsets, int[] lengths) {
    if (offsets.length != lengths.length) {
      throw new IllegalArgumentException(
          "offsets=" + offsets.length + " lengths=" + lengths.length + ", give equally many");
    }
    requireCount(offsets.length);
    return new Slices(offsets.clone(), lengths.clone());
  }

  /** Pieces of one length: an index. */
  public static Slices indexed(int length, long... offsets) {
    requireCount(offsets.length);
    int[] lengths = new int[offsets.length];
    Arrays.fill(lengths, length);
    return new Slices(offsets.clone(), lengths);
  }

  /**
   * Pieces of one length at regular distances, in any number of dimensions, of which the last
   * changes first: {@code strided(at, 8, new int[] {rows, columns}, new long[] {pitch, 16})}.
   *
   * @param first where the first piece begins
   * @param counts how many there are in each dimension; with a 0 there is no piece
   * @param strides bytes from one to the next in each dimension; may be negative or 0
   * @throws IllegalArgumentException if a piece would begin below 0
   */
  public static Slices strided(long first, int length, int[] counts, long[] strides) {
    Objects.requireNonNull(strides, "strides");
    if (counts.length != strides.length) {
      throw new IllegalArgumentException(
          "counts=" + counts.length + " strides=" + strides.length + ", give equally many");
    }
    long count = 1;
    for (int each : counts) {
      if (each < 0) {
        throw new IllegalArgumentException("count=" + each + " < 0");
      }
      count = count > MOST && each > 0 ? count : count * each;
    }
    requireCount(count);
    long[] offsets = new long[(int) count];
    int[] at = new int[counts.length];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = offset(first, at, strides);
      step(at, counts);
    }
    return indexed(length, offsets);
  }

  private static long offset(long first, int[] at, long[] strides) {
    try {
      long offset = first;
      for (int dimension = 0; dimension < at.length; dimension++) {
        offset = Math.addExact(offset, Math.multiplyExact(strides[dimension], at[dimension]));
      }
      return offset;
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("strides lead beyond all offsets", e);
    }
  }

  private static void step(int[] at, int[] counts) {
    for (int dimension = at.length - 1; dimension >= 0; dimension--) {
      if (++at[dimension] < counts[dimension]) {
        return;
      }
      at[dimension] = 0;
    }
  }

  private static void requireCount(long count) {
    if (count > MOST) {
      throw new IllegalArgumentException(
          "pieces=" + count + " > " + MOST + ", divide them into several accesses");
    }
  }

  /** How many pieces there are. */
  public int count() {
    return offsets.length;
  }

  /** Where a piece begins. */
  public long offset(int piece) {
    return offsets[piece];
  }

  /** Bytes of a piece. */
  public int length(int piece) {
    return lengths[piece];
  }

  /** Bytes of all pieces. */
  public long bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return "Slices[" + count() + " pieces, " + bytes + " bytes]";
  }
}
