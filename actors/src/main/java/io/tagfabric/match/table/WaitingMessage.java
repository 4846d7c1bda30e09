package io.tagfabric.match.table;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.tag.TagSelector;

/**
 * A message that arrived before its receive and waits in a {@link MatchTable}; subclasses add the
 * payload or where to fetch it.
 *
 * <p>May be queued again after it was taken out. Owned by the thread of its table.
 */
@InternalApi
public abstract class WaitingMessage extends MatchNode {
  /** The queue the message waits in, null otherwise. */
  UnexpectedQueue queue;

  /** Neighbours in the order of arrival. */
  WaitingMessage later;

  WaitingMessage earlier;

  /** Its nodes in further tables. */
  ExtraNode extras;

  /** The tag the message was sent with. */
  public final long tag() {
    return tag;
  }

  /** The sender's peer index, or {@link TagSelector#ANY_SOURCE} if it has none here. */
  public final int source() {
    return source;
  }

  /**
   * Says what was sent, before queueing.
   *
   * @param source the sender's peer index; -1 for a sender without one, whom only any-source
   *     receives take
   * @throws IllegalStateException if the message is queued
   * @throws IllegalArgumentException if {@code source} is below -1
   */
  protected final void describe(long tag, int source) {
    if (queue != null) {
      throw new IllegalStateException("queued=true, remove the message before changing it");
    }
    TagSelector.requireSource(source);
    this.tag = tag;
    this.source = source;
  }

  /** Whether the message waits in a table. */
  public final boolean isQueued() {
    return queue != null;
  }

  /** Position in the order of arrival, counted by its table; the last one if not queued now. */
  public final long arrivalStamp() {
    return stamp;
  }

  /** The message's place in one more table than it has links for itself. */
  static final class ExtraNode extends MatchNode {
    WaitingMessage message;

    /** Next extra node of the same message, or next free node of the table. */
    ExtraNode sibling;
  }
}
