package io.tagfabric.trials.soak;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The messages of one sender: tag and length of each follow from the seed and its number, and so do
 * its bytes. Most are short; a few need several packets, or ask first.
 */
final class MessageStream {
  /** Tags are below this. */
  static final int TAGS = 16;

  private static final int MIX_BYTES = 8;
  private static final long STEP = 0x9E3779B97F4A7C15L;

  /** Longest message of a length class, and the share per 10,000 up to and with the class. */
  private static final int[] LONGEST = {64, 512, 8 * 1024, 64 * 1024, 384 * 1024};

  private static final int[] UP_TO = {8_500, 9_800, 9_980, 9_998, 10_000};

  private final long seed;
  private final long count;
  private final boolean onlyShort;

  /**
   * @param count how many there are
   * @param onlyShort whether all are of the shortest class
   */
  MessageStream(long seed, long count, boolean onlyShort) {
    this.seed = mix(seed);
    this.count = count;
    this.onlyShort = onlyShort;
  }

  long count() {
    return count;
  }

  /** Bits that decide about a message. */
  long draw(long number) {
    return mix(seed + number * STEP);
  }

  long tag(long number) {
    return draw(number) & (TAGS - 1);
  }

  int length(long number) {
    long bits = draw(number) >>> 8;
    int dice = onlyShort ? 0 : (int) (bits % UP_TO[UP_TO.length - 1]);
    int kind = 0;
    while (dice >= UP_TO[kind]) {
      kind++;
    }
    int shortest = kind == 0 ? 0 : LONGEST[kind - 1] + 1;
    return shortest + (int) ((bits >>> 20) % (LONGEST[kind] - shortest + 1));
  }

  /** Writes the bytes of a message: its number first, as far as there is room. */
  void fill(long number, MutableDirectBuffer buffer, int length) {
    int at = 0;
    for (long word = number; length - at >= MIX_BYTES; at += MIX_BYTES) {
      buffer.putLong(at, word);
      word = next(word, number);
    }
    long last = mix(seed ^ number);
    for (; at < length; at++) {
      buffer.putByte(at, (byte) (last >>> ((at & 7) * 8)));
    }
  }

  /** Whether these are the bytes of a message. */
  boolean matches(long number, DirectBuffer buffer, int length) {
    int at = 0;
    for (long word = number; length - at >= MIX_BYTES; at += MIX_BYTES) {
      if (buffer.getLong(at) != word) {
        return false;
      }
      word = next(word, number);
    }
    long last = mix(seed ^ number);
    for (; at < length; at++) {
      if (buffer.getByte(at) != (byte) (last >>> ((at & 7) * 8))) {
        return false;
      }
    }
    return true;
  }

  /** The message whose bytes these are, -1 if that cannot be told or is none. */
  long recognize(DirectBuffer buffer, int length) {
    long number = length < MIX_BYTES ? -1 : buffer.getLong(0);
    boolean known = number >= 0 && number < count && length(number) == length;
    return known && matches(number, buffer, length) ? number : -1;
  }

  private long next(long word, long number) {
    return (word + seed) * 0xD1342543DE82EF95L + number;
  }

  /** Stafford's variant 13. */
  private static long mix(long value) {
    long bits = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
    return bits ^ (bits >>> 31);
  }
}
