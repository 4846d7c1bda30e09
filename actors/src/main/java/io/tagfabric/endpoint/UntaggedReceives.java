package io.tagfabric.endpoint;

import io.tagfabric.complete.Completion;
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
}
