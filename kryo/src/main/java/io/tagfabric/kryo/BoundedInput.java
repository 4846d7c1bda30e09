package io.tagfabric.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.KryoBufferUnderflowException;

/**
 * Reads from a byte array that it never writes to, and lets nobody allocate on the word of a
 * length.
 *
 * <p>Every announced element takes at least one byte of its own, so the announcements of a whole
 * honest message never add up to more than its bytes. That sum is the budget: checking each length
 * only against what remains would let arrays nested in arrays each claim the same bytes again.
 */
final class BoundedInput extends Input {
  private static final int FEW_CHARS = 32;
  private static final byte[] NOTHING = {};

  private long budgetBytes;

  /** Starts a message; forgets the one before. */
  void begin(byte[] bytes, int offset, int lengthBytes) {
    setBuffer(bytes, offset, lengthBytes);
    budgetBytes = lengthBytes;
  }

  /** Lets go of the message and of a string buffer above this many bytes. */
  void end(int keptBytes) {
    setBuffer(NOTHING, 0, 0);
    if (chars.length > FEW_CHARS && chars.length * 2L > keptBytes) {
      chars = new char[FEW_CHARS];
    }
  }

  int remainingBytes() {
    return limit - position;
  }

  /**
   * Takes an announced count from the budget.
   *
   * @param bytesEach the fewest bytes one element takes on the wire
   * @return the count
   * @throws Refusal if the message cannot hold that many
   */
  static int claim(Input input, int count, int bytesEach) {
    BoundedInput bounded = (BoundedInput) input;
    long bytes = (long) count * bytesEach;
    if (count < 0 || bytes > bounded.remainingBytes() || bytes > bounded.budgetBytes) {
      throw new Refusal(
          "announcedCount=%d of bytesEach=%d > remainingBytes=%d"
              .formatted(
                  count,
                  bytesEach,
                  Math.min(bounded.remainingBytes(), Math.max(0, bounded.budgetBytes))));
    }
    bounded.budgetBytes -= bytes;
    return count;
  }

  /** Unlike the original it leaves the bytes in place before it throws. */
  @Override
  protected int require(int required) {
    int remaining = limit - position;
    if (required > remaining) {
      throw new KryoBufferUnderflowException(
          "neededBytes=%d > remainingBytes=%d".formatted(required, remaining));
    }
    return remaining;
  }

  @Override
  protected int optional(int optional) {
    int remaining = limit - position;
    if (remaining == 0) {
      return -1;
    }
    return Math.min(remaining, optional);
  }

  /** Read by Kryo for the length, plus one, of strings and of its own collections; 0 is null. */
  @Override
  public int readVarIntFlag(boolean optimizePositive) {
    int lengthPlusOne = super.readVarIntFlag(optimizePositive);
    if (lengthPlusOne != 0) {
      claim(this, lengthPlusOne - 1, 1);
    }
    return lengthPlusOne;
  }

  @Override
  public byte[] readBytes(int length) {
    return super.readBytes(claim(this, length, Byte.BYTES));
  }

  @Override
  public int[] readInts(int length) {
    return super.readInts(claim(this, length, Integer.BYTES));
  }

  @Override
  public int[] readInts(int length, boolean optimizePositive) {
    if (!varEncoding) {
      return readInts(length);
    }
    return super.readInts(claim(this, length, 1), optimizePositive);
  }

  @Override
  public long[] readLongs(int length) {
    return super.readLongs(claim(this, length, Long.BYTES));
  }

  @Override
  public long[] readLongs(int length, boolean optimizePositive) {
    if (!varEncoding) {
      return readLongs(length);
    }
    return super.readLongs(claim(this, length, 1), optimizePositive);
  }

  @Override
  public float[] readFloats(int length) {
    return super.readFloats(claim(this, length, Float.BYTES));
  }

  @Override
  public double[] readDoubles(int length) {
    return super.readDoubles(claim(this, length, Double.BYTES));
  }

  @Override
  public short[] readShorts(int length) {
    return super.readShorts(claim(this, length, Short.BYTES));
  }

  @Override
  public char[] readChars(int length) {
    return super.readChars(claim(this, length, Character.BYTES));
  }

  @Override
  public boolean[] readBooleans(int length) {
    return super.readBooleans(claim(this, length, 1));
  }
}
