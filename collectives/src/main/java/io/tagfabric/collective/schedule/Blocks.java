package io.tagfabric.collective.schedule;

import io.tagfabric.annotation.InternalApi;
import java.util.Arrays;

/**
 * A memory in blocks, one for each rank (or neighbour): where each begins and how many elements it
 * has. A value.
 */
public final class Blocks {
  private final int[] offsets;
  private final int[] lengths;

  private Blocks(int[] offsets, int[] lengths) {
    this.offsets = offsets;
    this.lengths = lengths;
  }

  /** Blocks of equal lengths, one behind the other. */
  public static Blocks equal(int blocks, int length) {
    int[] lengths = new int[blocks];
    Arrays.fill(lengths, length);
    return packed(lengths);
  }

  /** Elements split as evenly as can be; the first blocks have one more. */
  public static Blocks split(int elements, int blocks) {
    int[] lengths = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      lengths[i] = elements / blocks + (i < elements % blocks ? 1 : 0);
    }
    return packed(lengths);
  }

  /** Blocks of given lengths, one behind the other. */
  public static Blocks packed(int... lengths) {
    int[] offsets = new int[lengths.length];
    int offset = 0;
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] < 0) {
        throw new IllegalArgumentException(
            "count=" + lengths[i] + " of block " + i + " < 0, counts are 0 or more");
      }
      offsets[i] = offset;
      offset = end(i, offset, lengths[i]);
    }
    return new Blocks(offsets, lengths.clone());
  }

  /**
   * The element behind a block.
   *
   * @throws IllegalArgumentException if no memory has so many
   */
  private static int end(int block, int offset, int length) {
    long end = (long) offset + length;
    if (end > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "offset="
              + offset
              + " and count="
              + length
              + " of block "
              + block
              + " end at "
              + end
              + " > "
              + Integer.MAX_VALUE
              + " elements, use shorter blocks");
    }
    return (int) end;
  }

  /** Blocks at given places. */
  public static Blocks at(int[] offsets, int[] lengths) {
    if (offsets.length != lengths.length) {
      throw new IllegalArgumentException(
          "offsets=" + offsets.length + " is not counts=" + lengths.length + ", give one a block");
    }
    for (int i = 0; i < lengths.length; i++) {
      if (offsets[i] < 0 || lengths[i] < 0) {
        throw new IllegalArgumentException(
            "offset=" + offsets[i] + " count=" + lengths[i] + " of block " + i + " are not >= 0");
      }
    }
    return new Blocks(offsets.clone(), lengths.clone());
  }

  /** Number of blocks. */
  public int count() {
    return lengths.length;
  }

  /** Elements of one block. */
  public int length(int block) {
    return lengths[block];
  }

  /** First element of one block. */
  public int offset(int block) {
    return offsets[block];
  }

  /** One block. */
  @InternalApi
  public Slice of(Memory memory, int block) {
    return memory.slice(offsets[block], lengths[block]);
  }

  /** Blocks {@code from} to {@code to - 1} of packed blocks. */
  @InternalApi
  public Slice range(Memory memory, int from, int to) {
    int end = to == 0 ? 0 : offsets[to - 1] + lengths[to - 1];
    return from >= to ? memory.slice(0, 0) : memory.slice(offsets[from], end - offsets[from]);
  }

  /** Elements a memory with these blocks must have. */
  public int extent() {
    int extent = 0;
    for (int i = 0; i < lengths.length; i++) {
      extent = lengths[i] == 0 ? extent : Math.max(extent, end(i, offsets[i], lengths[i]));
    }
    return extent;
  }

  /** Whether they lie one behind the other, from 0 on. */
  @InternalApi
  public boolean isPacked() {
    int end = 0;
    for (int i = 0; i < lengths.length; i++) {
      if (offsets[i] != end) {
        return false;
      }
      end += lengths[i];
    }
    return true;
  }

  /** Elements of all blocks together. */
  public long total() {
    return Arrays.stream(lengths).asLongStream().sum();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Blocks blocks
        && Arrays.equals(offsets, blocks.offsets)
        && Arrays.equals(lengths, blocks.lengths);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(offsets) + Arrays.hashCode(lengths);
  }

  @Override
  public String toString() {
    return "Blocks" + Arrays.toString(lengths);
  }
}
