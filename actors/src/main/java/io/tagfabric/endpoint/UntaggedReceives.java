package io.tagfabric.endpoint;

import io.tagfabric.complete.Completion;
import io.tagfabric.match.Claim;
import org.agrona.MutableDirectBuffer;

/**
 * What receives messages without a tag: an endpoint, or a {@link ReceiveContext} that several
 * endpoints share. All else is as of {@link UntaggedOperations}.
 *
 * @source libfabric fi_msg(3)
 */
public interface UntaggedReceives {
  /**
   * Posts a buffer for one message; it completes as {@link Completion.Received} or {@link
   * Completion.Failed} in the receive queue.
   *
   * @param source a peer's index, or {@link io.tagfabric.tag.TagSelector#ANY_SOURCE}
   * @source libfabric fi_msg(3), fi_recv
   */
  Posted postUntaggedReceive(
      MutableDirectBuffer buffer, int offset, int capacity, int source, Object context);

  /** Posts one buffer for many messages, as {@link TaggedReceives#postMultiReceive}. */
  Posted postUntaggedMultiReceive(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      int leastFree,
      int source,
      Object context);

  /**
   * Looks for the earliest message without a tag that waits for a receive, and leaves it there; as
   * {@link TaggedReceives#peek}.
   *
   * @param source a peer's index, or {@link io.tagfabric.tag.TagSelector#ANY_SOURCE}
   * @source libfabric fi_msg(3), FI_PEEK
   */
  Posted peekUntagged(int source, Object context);

  /**
   * As {@link #peekUntagged}, and takes the message out of matching, as {@link
   * TaggedReceives#claim}. {@link TaggedReceives#postReceive(Claim, MutableDirectBuffer, int, int,
   * Object)} receives the message of the claim, {@link TaggedReceives#discard(Claim, Object)} drops
   * it.
   *
   * @source libfabric fi_msg(3), FI_PEEK with FI_CLAIM
   */
  Posted claimUntagged(int source, Claim claim, Object context);

  /**
   * As {@link #peekUntagged}, and drops the message, as {@link TaggedReceives#discard(long, long,
   * int, Object)}.
   *
   * @source libfabric fi_msg(3), FI_PEEK with FI_DISCARD
   */
  Posted discardUntagged(int source, Object context);
}
