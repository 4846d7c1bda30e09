package io.tagfabric.trials.fuzz;

import io.tagfabric.trials.fuzz.Violation.Promise;

/** Watches what is left on the heap after each round. Thread: one. */
final class HeapWatch {
  /** By then all classes are loaded and all pools are filled. */
  private static final int FIRST_ROUNDS = 3;

  private static final long MOST_GROWTH_BYTES = 96L << 20;

  private int rounds;
  private long usual;

  /** A round has ended and its endpoints are closed. */
  void roundEnded() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    look(runtime.totalMemory() - runtime.freeMemory());
  }

  /**
   * Takes the bytes in use.
   *
   * @throws Violation if there are far more than after the first rounds
   */
  void look(long usedBytes) {
    if (++rounds <= FIRST_ROUNDS) {
      usual = Math.max(usual, usedBytes);
    } else if (usedBytes - usual > MOST_GROWTH_BYTES) {
      throw new Violation(
          Promise.MEMORY,
          "the heap holds "
              + usedBytes
              + " bytes after round "
              + rounds
              + ", it was "
              + usual
              + " after the first rounds");
    }
  }
}
