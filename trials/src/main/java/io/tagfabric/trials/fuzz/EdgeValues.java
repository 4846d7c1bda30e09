package io.tagfabric.trials.fuzz;

import java.util.SplittableRandom;

/** Draws numbers at which code goes wrong. Thread: one. */
final class EdgeValues {
  private static final int CHOICES = 14;
  private static final int SMALL_BITS = 17;

  private EdgeValues() {}

  /**
   * A number for a field.
   *
   * @param right what stands there
   * @param bytes of the field
   */
  static long near(SplittableRandom random, long right, int bytes) {
    long most = bytes == Long.BYTES ? Long.MAX_VALUE : (1L << (bytes * Byte.SIZE - 1)) - 1;
    return switch (random.nextInt(CHOICES)) {
      case 0 -> 0;
      case 1 -> 1;
      case 2 -> -1;
      case 3 -> most;
      case 4 -> -most - 1;
      case 5 -> right + 1;
      case 6 -> right - 1;
      case 7, 8 -> most - small(random);
      case 9 -> right + small(random);
      case 10 -> right - small(random);
      case 11 -> Integer.MAX_VALUE - (long) random.nextInt(3);
      case 12 -> 1L << random.nextInt(bytes * Byte.SIZE);
      default -> random.nextLong();
    };
  }

  /** A number of any size up to that of a packet: short ones are as likely as long ones. */
  static int small(SplittableRandom random) {
    return random.nextInt(1 << random.nextInt(1, SMALL_BITS));
  }
}
