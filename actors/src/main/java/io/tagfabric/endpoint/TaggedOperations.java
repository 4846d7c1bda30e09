package io.tagfabric.endpoint;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.link.Posted;
import io.tagfabric.link.SendOptions;
import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * The sends of tagged messages; {@code Receives} has the receives. A call returns at once; what has
 * been POSTED completes exactly once, in the endpoint's transmit or receive queue.
 *
 * <p>A wrong argument is refused at the call, before anything is accepted: null for anything but a
 * context with a {@link NullPointerException} that names it, bytes outside their buffer, a source
 * below {@link io.tagfabric.tag.TagSelector#ANY_SOURCE} and a message longer than {@code
 * endpoint.max-message-size} with an {@link IllegalArgumentException}. Only a peer that is not in
 * the address vector is found out later: the send completes with ADDRESS_NOT_AVAILABLE.
 *
 * <p>A send that has failed with SHUTDOWN, CONNECTION_RESET or TIMED_OUT may have arrived all the
 * same; {@link Completion.Failed} says when.
 *
 * <p>Order: messages from one endpoint to another match in the order sent, whatever their lengths.
 * Thread: any; calls of one thread keep their order.
 *
 * @source libfabric fi_tagged(3)
 */
public interface TaggedOperations {
  /**
   * Sends {@code buffer}'s remaining bytes; its position does not move.
   *
   * <p>The buffer is the endpoint's until the completion. Completes as {@link Completion.Sent} when
   * the buffer may be used again, or {@link Completion.Failed}, in the transmit queue.
   *
   * @param peer index in the domain's address vector
   * @param context comes back in the completion; may be null
   * @throws IllegalStateException if the endpoint is closed
   */
  Posted sendTagged(int peer, ByteBuffer buffer, long tag, Object context);

  /** Sends bytes of an Agrona buffer; as {@link #sendTagged(int, ByteBuffer, long, Object)}. */
  Posted sendTagged(
      int peer, DirectBuffer buffer, int offset, int length, long tag, Object context);

  /** The same with another completion level. */
  Posted sendTagged(
      int peer,
      DirectBuffer buffer,
      int offset,
      int length,
      long tag,
      CompletionLevel level,
      Object context);

  /**
   * The same with options: the level, which ends leave an entry, and a fence.
   *
   * @source libfabric fi_tagged(3), fi_tsendmsg
   */
  Posted sendTagged(
      int peer,
      DirectBuffer buffer,
      int offset,
      int length,
      long tag,
      SendOptions options,
      Object context);

  /** The same with 8 bytes of immediate data. */
  Posted sendTaggedData(
      int peer,
      DirectBuffer buffer,
      int offset,
      int length,
      long data,
      long tag,
      SendOptions options,
      Object context);

  /**
   * Sends the bytes of several buffers, one behind the other, as one message. They are copied once,
   * so the buffers may be used again at once; it completes as any other send.
   *
   * @param parts whole buffers; none at all is an empty message
   * @source libfabric fi_tagged(3), fi_tsendv
   */
  Posted sendTaggedVector(
      int peer, List<? extends DirectBuffer> parts, long tag, SendOptions options, Object context);

  /** Sends bytes with 8 bytes of immediate data, which the receiver finds in its completion. */
  Posted sendTaggedData(
      int peer, DirectBuffer buffer, int offset, int length, long data, long tag, Object context);

  /**
   * Sends a short message whose buffer may be used again at once. A success leaves no entry, a
   * failure does, with a null context.
   *
   * @throws IllegalArgumentException if there are more bytes than {@code inject-size}
   */
  Posted injectTagged(int peer, DirectBuffer buffer, int offset, int length, long tag);

  /**
   * The same with 8 bytes of immediate data.
   *
   * @source libfabric fi_tagged(3), fi_tinjectdata
   */
  Posted injectTaggedData(
      int peer, DirectBuffer buffer, int offset, int length, long data, long tag);
}
