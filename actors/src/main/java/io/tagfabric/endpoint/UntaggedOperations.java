package io.tagfabric.endpoint;

import io.tagfabric.complete.Completion;
import io.tagfabric.match.Claim;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What can be done with messages that have no tag. They match receives without a tag, and no
 * others, in the order sent. All else is as of {@link TaggedOperations}; their completions have
 * {@code tagged=false} and tag 0.
 *
 * @source libfabric fi_msg(3)
 */
public interface UntaggedOperations {
  /**
   * Sends bytes.
   *
   * @param peer index in the domain's address vector
   * @param context comes back in the completion; may be null
   * @throws IllegalStateException if the endpoint is closed
   * @source libfabric fi_msg(3), fi_send
   */
  Posted sendUntagged(
      int peer, DirectBuffer buffer, int offset, int length, SendOptions options, Object context);

  /** Sends bytes with 8 bytes of immediate data. */
  Posted sendUntaggedData(
      int peer,
      DirectBuffer buffer,
      int offset,
      int length,
      long data,
      SendOptions options,
      Object context);

  /**
   * Sends a short message whose buffer may be used again at once. A success leaves no entry.
   *
   * @throws IllegalArgumentException if there are more bytes than {@code inject-size}
   */
  Posted injectUntagged(int peer, DirectBuffer buffer, int offset, int length);

  /**
   * Posts a buffer for one message; it completes as {@link Completion.Received} or {@link
   * Completion.Failed} in the receive queue.
   *
   * @param source a peer's index, or {@link io.tagfabric.tag.TagSelector#ANY_SOURCE}
   * @source libfabric fi_msg(3), fi_recv
   */
  Posted postUntaggedReceive(
      MutableDirectBuffer buffer, int offset, int capacity, int source, Object context);

  /** Posts one buffer for many messages, as {@link TaggedOperations#postMultiReceive}. */
  Posted postUntaggedMultiReceive(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      int leastFree,
      int source,
      Object context);

  /**
   * Looks for the earliest message without a tag that waits for a receive, and leaves it there; as
   * {@link TaggedOperations#peek}.
   *
   * @param source a peer's index, or {@link io.tagfabric.tag.TagSelector#ANY_SOURCE}
   * @source libfabric fi_msg(3), FI_PEEK
   */
  Posted peekUntagged(int source, Object context);

  /**
   * As {@link #peekUntagged}, and takes the message out of matching, as {@link
   * TaggedOperations#claim}. {@link TaggedOperations#postReceive(Claim, MutableDirectBuffer, int,
   * int, Object)} receives the message of the claim, {@link TaggedOperations#discard(Claim,
   * Object)} drops it.
   *
   * @source libfabric fi_msg(3), FI_PEEK with FI_CLAIM
   */
  Posted claimUntagged(int source, Claim claim, Object context);

  /**
   * As {@link #peekUntagged}, and drops the message, as {@link TaggedOperations#discard(long, long,
   * int, Object)}.
   *
   * @source libfabric fi_msg(3), FI_PEEK with FI_DISCARD
   */
  Posted discardUntagged(int source, Object context);
}
