package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where one loop says which region it is inside, for the region's close to see. Written by that
 * loop, read by any thread.
 */
@InternalApi
public final class AccessMark {
  private final UnsafeBuffer words;
  private final int markAt;

  /** The mark at a place. */
  public AccessMark(UnsafeBuffer words, int markAt) {
    this.words = words;
    this.markAt = markAt;
  }

  void set(long generation) {
    words.putLongOrdered(markAt, generation);
  }

  /** The access has ended: its bytes are there for whoever sees that. */
  public void clear() {
    words.putLongOrdered(markAt, 0);
  }

  /** Whether an access to the region of this generation is under way. */
  public boolean isInside(long generation) {
    return words.getLongVolatile(markAt) == generation;
  }
}
