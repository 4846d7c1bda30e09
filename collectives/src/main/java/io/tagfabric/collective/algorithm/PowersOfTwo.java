package io.tagfabric.collective.algorithm;

/** Arithmetic with powers of two. */
final class PowersOfTwo {
  private PowersOfTwo() {}

  /** The greatest power of two that is not above a positive number. */
  static int floor(int number) {
    return Integer.highestOneBit(number);
  }

  /** How often 2 must be taken times itself to reach a positive number. */
  static int ceilingLog(int number) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(number - 1);
  }
}
