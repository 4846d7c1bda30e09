package io.tagfabric.endpoint;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.Completions;
import io.tagfabric.match.Claim;
import io.tagfabric.tag.TagSelector;
import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.MutableDirectBuffer;

/**
 * What receives tagged messages: an endpoint, or a {@link ReceiveContext} that several endpoints
 * share. Rules for arguments, order and threads are those of {@link TaggedOperations}.
 *
 * @source libfabric fi_tagged(3)
 */
public interface TaggedReceives {
  /**
   * Posts a buffer for one tagged message from any peer and returns at once.
   *
   * <p>Match: {@code ((sent ^ tag) & ~ignore) == 0}; posted receives are tried in the order posted,
   * directed and any-source ones in one order.
   *
   * <p>Shape: up to {@code buffer.remaining()} bytes land at its position, which does not move; a
   * longer message completes as {@link Completion.Failed} with TRUNCATED and the bytes that fit.
   * The buffer is the endpoint's until the completion. Completes: exactly one {@link
   * Completion.Received} or {@link Completion.Failed} with {@code context} in the receive queue.
   *
   * @param ignore bits of the tag not compared (1 = ignored)
   * @throws IllegalStateException if the endpoint is closed
   * @throws IllegalArgumentException if the buffer is read-only
   * @source libfabric fi_tagged(3), fi_trecv; MPI-4.1 §3.5 (order)
   */
  Posted postReceive(ByteBuffer buffer, long tag, long ignore, Object context);

  /**
   * The same, for messages of one peer only.
   *
   * <p>It fails when the peer closes or is lost, if there is a flow with the peer: one that a send
   * has set up, a message that came, or {@link EndpointFutures#connect}. Nobody watches a peer with
   * which there has never been one, so such a receive waits until it is cancelled.
   */
  Posted postReceive(int source, ByteBuffer buffer, long tag, long ignore, Object context);

  /**
   * Posts bytes of an Agrona buffer; as {@link #postReceive(ByteBuffer, long, long, Object)}.
   *
   * @param source a peer's index, or {@link io.tagfabric.tag.TagSelector#ANY_SOURCE}
   */
  Posted postReceive(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      Object context);

  /**
   * The same, and says which of its ends leave an entry. One without an entry for success is for
   * programs that count.
   */
  Posted postReceive(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      Completions completions,
      Object context);

  /**
   * Posts several buffers for one message, whose bytes fill one after the other when it has come;
   * they are copied once more for it.
   *
   * @param parts whole buffers, the endpoint's until the completion
   * @source libfabric fi_tagged(3), fi_trecvv
   */
  Posted postReceiveVector(
      List<? extends MutableDirectBuffer> parts, TagSelector selector, Object context);

  /**
   * Posts one buffer for many messages: they lie one behind the other, in the order matched.
   *
   * <p>Completes: a {@link Completion.Received}, or {@link Completion.Failed}, for each message,
   * with {@code context} and where in the buffer it begins; and once {@link Completion.Released},
   * when the buffer is the program's again. That is when fewer than {@code leastFree} bytes are
   * free, or the next message does not fit into what is free, which the next receive takes then; a
   * message longer than the whole buffer is truncated. When it is cancelled, or the endpoint or the
   * peer {@code source} is gone, a Failed with that comes before.
   *
   * <p>Two slots of the queue are reserved. Each message takes another when it is matched: while
   * there is none, it waits as unexpected, until the queue is read, and receives posted later wait
   * with it for messages that both would take.
   *
   * @param leastFree at least 1
   * @throws IllegalArgumentException if {@code leastFree} is below 1 or above {@code capacity}
   * @source libfabric fi_msg(3), FI_MULTI_RECV and FI_OPT_MIN_MULTI_RECV
   */
  Posted postMultiReceive(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      int leastFree,
      TagSelector selector,
      Object context);

  /**
   * Looks for the earliest message that waits for a receive and fits, and leaves it there.
   *
   * <p>Completes: exactly one completion with {@code context} in the receive queue. A hit is a
   * {@link Completion.Received} with the message's sender, tag, length and immediate data; no byte
   * is placed. A miss is a {@link Completion.Failed} with NO_MESSAGE, or with why the peer {@code
   * source} is lost. A probe does not wait for a message, and does not drive the loop: read the
   * queue before the next one. Two probes may see the same message, and a receive may take it
   * before the program posts its own; {@link #claim} excludes that.
   *
   * @param source a peer's index, or {@link io.tagfabric.tag.TagSelector#ANY_SOURCE}
   * @throws IllegalStateException if the endpoint is closed
   * @source libfabric fi_tagged(3), FI_PEEK
   */
  Posted peek(long tag, long ignore, int source, Object context);

  /**
   * As {@link #peek}, and takes the message out of matching, for {@code claim} to hold it: nobody
   * else sees it any more. Receive or discard it by the claim. A miss leaves the claim as it was. A
   * claim that holds a message already fails with INVALID, and so does one that is used at another
   * endpoint than the one that filled it.
   *
   * @source libfabric fi_tagged(3), FI_PEEK with FI_CLAIM
   */
  Posted claim(long tag, long ignore, int source, Claim claim, Object context);

  /**
   * Receives the message of a claim; its end is that of any receive. If the message's sender is
   * lost, or has cancelled it, before all bytes have come, it fails with the error of that.
   *
   * @source libfabric fi_tagged(3), FI_CLAIM
   */
  Posted postReceive(
      Claim claim, MutableDirectBuffer buffer, int offset, int capacity, Object context);

  /**
   * As {@link #peek}, and drops the message. Its sender's send completes as if it had been
   * received; a long message is not transferred, its sender hears that no byte is wanted.
   *
   * @source libfabric fi_tagged(3), FI_PEEK with FI_DISCARD
   */
  Posted discard(long tag, long ignore, int source, Object context);

  /**
   * Drops the message of a claim, as {@link #discard(long, long, int, Object)}; INVALID if it holds
   * none.
   *
   * @source libfabric fi_tagged(3), FI_CLAIM with FI_DISCARD
   */
  Posted discard(Claim claim, Object context);
}
