package io.tagfabric.wire;

/**
 * Names bytes in shared memory so that a peer of the same host can read or write them itself.
 *
 * @param segment which memory, unique on the host; never 0
 * @param at where in it the bytes begin
 * @param epoch the key is good as long as this is the segment's epoch
 */
public record MemoryKey(long segment, long at, long epoch) {
  /** Stands for a segment where there is none. */
  public static final long NO_SEGMENT = 0;

  /** The key of these parts, null if they say that there is none. */
  public static MemoryKey read(long segment, long at, long epoch) {
    return segment == NO_SEGMENT ? null : new MemoryKey(segment, at, epoch);
  }
}
