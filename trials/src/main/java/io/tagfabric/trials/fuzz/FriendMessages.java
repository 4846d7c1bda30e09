package io.tagfabric.trials.fuzz;

import io.tagfabric.trials.fuzz.Violation.Promise;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** What the friend says: tag, length and bytes of a message follow from its number. */
final class FriendMessages {
  /** In all tags of the friend, and in none that receives for attackers take. */
  static final long BIT = 1L << 62;

  private static final long NUMBER_BITS = 0xFFFF;
  private static final int LONGEST = 32 * 1024;
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private FriendMessages() {}

  /** Bits of the tag that a receive ignores: whether they are right is checked afterwards. */
  static long ignored() {
    return NUMBER_BITS;
  }

  static long tag(long number) {
    return BIT | (number & NUMBER_BITS);
  }

  static int longest() {
    return LONGEST;
  }

  /** Most are short, some need several packets, some ask first. */
  static int length(long number) {
    long bits = number * STEP;
    int most = (bits & 7) == 0 ? LONGEST : 200;
    return (int) ((bits >>> 32) % (most + 1));
  }

  static void fill(long number, MutableDirectBuffer buffer, int offset) {
    KeyedBytes.fill(number, buffer, offset, length(number));
  }

  /**
   * Refuses what is not a message of the friend, or not the next one.
   *
   * @param where who has received it
   */
  static void check(
      String where, long number, long tag, long length, DirectBuffer buffer, int offset) {
    if (tag != tag(number) || length != length(number)) {
      throw new Violation(
          Promise.FRIEND,
          where
              + " got another message than number "
              + number
              + ": tag="
              + tag
              + " of "
              + tag(number)
              + ", length="
              + length
              + " of "
              + length(number));
    }
    int wrong = KeyedBytes.firstWrong(number, buffer, offset, 0, (int) length);
    if (wrong >= 0) {
      throw new Violation(
          Promise.FRIEND, where + " got byte " + wrong + " of message " + number + " wrong");
    }
  }
}
