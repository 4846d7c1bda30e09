package io.tagfabric.match.table;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.tag.TagSelector;

/**
 * A receive that waits in a {@link MatchTable}; subclasses add the buffer and the context.
 *
 * <p>May be posted again after it was taken out. Owned by the thread of its table.
 */
@InternalApi
public abstract class WaitingReceive extends MatchNode {
  long ignore;

  /** The queue the receive waits in, null otherwise. */
  PostedQueue queue;

  /** A receive that {@link #select} completes. */
  protected WaitingReceive() {}

  /**
   * A receive for these messages.
   *
   * @throws IllegalArgumentException if {@code source} is below {@link TagSelector#ANY_SOURCE}
   */
  protected WaitingReceive(long tag, long ignore, int source) {
    TagSelector.requireSource(source);
    this.tag = tag;
    this.ignore = ignore;
    this.source = source;
  }

  /** The wanted tag. */
  public final long tag() {
    return tag;
  }

  /** Bits of the tag that are not compared. */
  public final long ignore() {
    return ignore;
  }

  /** The wanted sender, or {@link TagSelector#ANY_SOURCE}. */
  public final int source() {
    return source;
  }

  /**
   * Says which messages fit, before posting.
   *
   * @throws IllegalStateException if the receive is posted
   * @throws IllegalArgumentException if {@code source} is below {@link TagSelector#ANY_SOURCE}
   */
  protected final void select(long tag, long ignore, int source) {
    if (queue != null) {
      throw new IllegalStateException("posted=true, remove the receive before changing it");
    }
    TagSelector.requireSource(source);
    this.tag = tag;
    this.ignore = ignore;
    this.source = source;
  }

  /** Whether the receive waits in a table. */
  public final boolean isPosted() {
    return queue != null;
  }

  /** Position in the order of posting, counted by its table; the last one if not posted now. */
  public final long postStamp() {
    return stamp;
  }
}
