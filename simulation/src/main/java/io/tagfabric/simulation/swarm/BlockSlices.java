package io.tagfabric.simulation.swarm;

import io.tagfabric.memory.Slices;
import io.tagfabric.simulation.choice.Choices;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Random pieces of a block in a region and of a buffer, and where each of their bytes lies: found
 * by the rules of slices, byte by byte, without the code that cuts and packs pieces.
 */
final class BlockSlices {
  private static final int MOST_BYTES = 4_000;
  private static final int MOST_PIECES = 24;

  /** One side. */
  private static final class Side {
    private final Slices slices;
    private final int[] offsets;
    private final int[] lengths;

    private Side(Slices slices, int[] offsets, int[] lengths) {
      this.slices = slices;
      this.offsets = offsets;
      this.lengths = lengths;
    }

    private int end() {
      int end = 0;
      for (int i = 0; i < offsets.length; i++) {
        end = Math.max(end, offsets[i] + lengths[i]);
      }
      return end;
    }

    /** Where each byte is, in the order in which they go. */
    private int[] bytes(int count) {
      int[] at = new int[count];
      int filled = 0;
      for (int i = 0; i < offsets.length; i++) {
        for (int k = 0; k < lengths[i]; k++) {
          at[filled++] = offsets[i] + k;
        }
      }
      return at;
    }
  }

  private final Slices there;
  private final Slices here;
  private final int bytes;
  private final int bufferBytes;
  private final int[] inBlock;
  private final int[] inBuffer;

  /**
   * Draws.
   *
   * @param blockAt where the block begins in its region
   */
  BlockSlices(Choices choices, int blockAt) {
    int length = choices.of(8, 1, 3, 60, 400, 1_100, 2_100);
    int count = 1 + choices.below(Math.min(MOST_PIECES, MOST_BYTES / length));
    bytes = length * count;
    boolean vectorThere = choices.below(2) == 1;
    int base = choices.below(100);
    Side first = regular(choices, vectorThere ? 0 : blockAt, vectorThere ? 0 : base, length, count);
    Side second = vector(choices, vectorThere ? blockAt : 0, vectorThere ? base : 0, bytes);
    Side region = vectorThere ? second : first;
    Side buffer = vectorThere ? first : second;
    there = region.slices;
    here = buffer.slices;
    bufferBytes = buffer.end() + choices.below(3);
    inBlock = region.bytes(bytes);
    inBuffer = buffer.bytes(bytes);
  }

  /** Pieces of one length: an index, or strides in two dimensions, perhaps backwards. */
  private static Side regular(Choices choices, int origin, int base, int length, int count) {
    int pitch = length + choices.below(9);
    int rows = count % 2 == 0 && choices.below(2) == 1 ? 2 : 1;
    int columns = count / rows;
    int rowPitch = columns * pitch + choices.below(40);
    boolean backwards = choices.below(3) == 2;
    int[] offsets = new int[count];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        int at = row * columns + column;
        offsets[backwards ? count - 1 - at : at] = base + row * rowPitch + column * pitch;
      }
    }
    int[] lengths = new int[count];
    Arrays.fill(lengths, length);
    if (choices.below(2) == 0) {
      long[] all = Arrays.stream(offsets).mapToLong(each -> origin + each).toArray();
      return new Side(Slices.indexed(length, all), offsets, lengths);
    }
    int sign = backwards ? -1 : 1;
    Slices strided =
        Slices.strided(
            origin + offsets[0],
            length,
            new int[] {rows, columns},
            new long[] {(long) sign * rowPitch, (long) sign * pitch});
    return new Side(strided, offsets, lengths);
  }

  /** Pieces of any length, in order or the other way round. */
  private static Side vector(Choices choices, int origin, int base, int bytes) {
    int[] offsets = new int[MOST_PIECES];
    int[] lengths = new int[MOST_PIECES];
    int count = 0;
    int at = base;
    for (int left = bytes; left > 0; count++) {
      boolean last = count == MOST_PIECES - 1;
      offsets[count] = at;
      lengths[count] = last ? left : left - choices.below(left);
      left -= lengths[count];
      at += lengths[count] + choices.below(5);
    }
    offsets = Arrays.copyOf(offsets, count);
    lengths = Arrays.copyOf(lengths, count);
    if (choices.below(3) == 2) {
      reverse(offsets);
      reverse(lengths);
    }
    long[] all = Arrays.stream(offsets).mapToLong(each -> origin + each).toArray();
    return new Side(Slices.of(all, lengths), offsets, lengths);
  }

  private static void reverse(int[] values) {
    for (int i = 0; i < values.length / 2; i++) {
      int other = values.length - 1 - i;
      int value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
  }

  /** Where they lie in the region. */
  Slices there() {
    return there;
  }

  /** Where they lie in the buffer. */
  Slices here() {
    return here;
  }

  /** Bytes of all. */
  int bytes() {
    return bytes;
  }

  /** Bytes of the buffer. */
  int bufferBytes() {
    return bufferBytes;
  }

  /** Does to a block what a write from a buffer does. */
  void write(byte[] block, DirectBuffer buffer) {
    for (int i = 0; i < bytes; i++) {
      block[inBlock[i]] = buffer.getByte(inBuffer[i]);
    }
  }

  /** Does to a buffer what a read of a block does. */
  void read(byte[] block, byte[] buffer) {
    for (int i = 0; i < bytes; i++) {
      buffer[inBuffer[i]] = block[inBlock[i]];
    }
  }
}
