package io.tagfabric.provider.shm.ring;

/**
 * Which of two ways to copy is the quicker one, as the time of copies tells: which it is depends on
 * how far apart the cores are that the host has given, and changes when it gives others. The slower
 * way has every {@value #TRY_EVERY}th copy, so that a change is noticed. A quicker copy than those
 * before counts at once: the first ones are slow because their code is not compiled yet. Thread:
 * one.
 */
class CopyChoice {
  private static final int TRY_EVERY = 64;

  /** How much of an interruption a single copy may bring in. */
  private static final int MOST_TIMES = 2;

  private static final int WEIGHT = 4;

  private double firstNsPerByte;
  private double secondNsPerByte;
  private int copies;

  /** Whether the next copy goes the second way. */
  boolean second() {
    if (secondNsPerByte == 0 || firstNsPerByte == 0) {
      return secondNsPerByte == 0;
    }
    copies = (copies + 1) % TRY_EVERY;
    boolean better = secondNsPerByte < firstNsPerByte;
    return copies == 0 ? !better : better;
  }

  /** What a copy took. */
  void took(boolean second, int bytes, long ns) {
    double nsPerByte = (double) Math.max(ns, 1) / bytes;
    if (second) {
      secondNsPerByte = smoothed(secondNsPerByte, nsPerByte);
    } else {
      firstNsPerByte = smoothed(firstNsPerByte, nsPerByte);
    }
  }

  private static double smoothed(double before, double now) {
    if (before == 0 || now < before) {
      return now;
    }
    return before + (Math.min(now, MOST_TIMES * before) - before) / WEIGHT;
  }
}
