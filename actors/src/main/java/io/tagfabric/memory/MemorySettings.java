package io.tagfabric.memory;

/**
 * Limits of an endpoint's accesses to memory.
 *
 * @param readsServed reads of peers that it serves at a time; others wait in the order that they
 *     came
 * @param outstanding accesses of its own, by futures and actors, that have not ended; one more
 *     fails with AGAIN
 * @param bounceLimitBytes longest write with level INJECT that is copied when it has to wait, so
 *     that it completes at once; 0 for none
 */
public record MemorySettings(int readsServed, int outstanding, int bounceLimitBytes) {
  /** Requires at least one of the first two. */
  public MemorySettings {
    if (readsServed < 1 || outstanding < 1) {
      throw new IllegalArgumentException(
          "readsServed=" + readsServed + " outstanding=" + outstanding + ", give at least 1");
    }
    if (bounceLimitBytes < 0) {
      throw new IllegalArgumentException("bounceLimitBytes=" + bounceLimitBytes + " < 0");
    }
  }
}
