package io.tagfabric.endpoint;

import io.tagfabric.link.Posted;
import io.tagfabric.link.SendOptions;
import org.agrona.DirectBuffer;

/**
 * The sends of messages without a tag. They match receives without a tag, and no others, in the
 * order sent. All else is as of {@link TaggedOperations}; their completions have {@code
 * tagged=false} and tag 0.
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
}
