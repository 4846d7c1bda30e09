package io.tagfabric.endpoint;

/**
 * Limits of an endpoint's accesses to memory.
 *
 * @param readsServed reads of peers that it serves at a time; others wait in the order that they
 *     came
 * @param outstanding accesses of its own, by futures and actors, that have not ended; one more
 *     fails with AGAIN
 */
public record MemorySettings(int readsServed, int outstanding) {
  /** Requires at least one of each. */
  public MemorySettings {
    if (readsServed < 1 || outstanding < 1) {
      throw new IllegalArgumentException(
          "readsServed=" + readsServed + " outstanding=" + outstanding + ", give at least 1");
    }
  }
}
