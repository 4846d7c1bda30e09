package io.tagfabric.receive;

import akka.actor.typed.ActorRef;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.complete.Completions;
import io.tagfabric.link.Posted;
import io.tagfabric.match.Claim;
import io.tagfabric.match.ProbeKind;
import io.tagfabric.match.RepeatedReceive;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.BufferRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.agrona.MutableDirectBuffer;

/**
 * What receives messages, with a tag and without: an endpoint, or a {@link ReceiveContext} that
 * several endpoints share. Messages without a tag match receives and probes without a tag, and none
 * of the others, in the order sent.
 *
 * <p>Thread: any; calls of one thread keep their order. A wrong argument is refused at the call,
 * before anything is accepted. Programs do not extend it.
 *
 * @source libfabric fi_tagged(3), fi_msg(3)
 */
public abstract class Receives {
  private final ActorRef<TagMatcher.Command> matcher;
  private final DirectReceives direct;
  private final CompletionQueue receiveQueue;
  private final Completions defaults;

  /**
   * The calls of somebody.
   *
   * @param matcher the actor that receives
   * @param direct the way in without it
   * @param receiveQueue where receives complete
   * @param defaults which of their ends leave an entry, unless the call says otherwise
   */
  @InternalApi
  protected Receives(
      ActorRef<TagMatcher.Command> matcher,
      DirectReceives direct,
      CompletionQueue receiveQueue,
      Completions defaults) {
    this.matcher = matcher;
    this.direct = direct;
    this.receiveQueue = receiveQueue;
    this.defaults = defaults;
  }

  /** Refuses what receives, if it is closed or must not. */
  protected abstract void requireReceives();

  /** Whether it takes operations: it has not begun to close. Thread: any. */
  public abstract boolean isOpen();

  /** The actor that receives. */
  public ActorRef<TagMatcher.Command> matcher() {
    return matcher;
  }

  /** Where receives complete. */
  public CompletionQueue receiveQueue() {
    return receiveQueue;
  }

  @InternalApi
  protected final DirectReceives receives() {
    return direct;
  }

  /** What waits here now. Thread: the domain's loop. */
  @InternalApi
  public TagMatcher.State waitingNow() {
    return direct.state();
  }

  /**
   * Posts a buffer for one message; it completes as {@link Completion.Received} or {@link
   * Completion.Failed} in the receive queue.
   *
   * @param source a peer's index, or {@link io.tagfabric.tag.TagSelector#ANY_SOURCE}
   * @source libfabric fi_msg(3), fi_recv
   */
  public Posted postUntaggedReceive(
      MutableDirectBuffer buffer, int offset, int capacity, int source, Object context) {
    requireReceives();
    TagMatcher.PostReceive receive =
        TagMatcher.PostReceive.reserve(
            receiveQueue, buffer, offset, capacity, 0, 0, source, context);
    if (receive != null) {
      receive.untagged();
    }
    return startReceive(receive, null);
  }

  /**
   * Posts several buffers for one message, whose bytes fill one after the other when it has come;
   * they are copied once more for it.
   *
   * @param parts whole buffers, the endpoint's until the completion
   * @source libfabric fi_tagged(3), fi_trecvv
   */
  public Posted postReceiveVector(
      List<? extends MutableDirectBuffer> parts, TagSelector selector, Object context) {
    requireReceives();
    Objects.requireNonNull(selector, "selector");
    return startReceive(
        TagMatcher.PostReceive.reserveVector(receiveQueue, parts, selector, context), null);
  }

  // ---- many messages into one buffer ----

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
  public Posted postMultiReceive(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      int leastFree,
      TagSelector selector,
      Object context) {
    requireReceives();
    Objects.requireNonNull(selector, "selector");
    return startMany(
        TagMatcher.PostReceive.reserveMany(
            receiveQueue, buffer, offset, capacity, leastFree, selector, context),
        false);
  }

  /** Posts one buffer for many messages, as {@link #postMultiReceive}. */
  public Posted postUntaggedMultiReceive(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      int leastFree,
      int source,
      Object context) {
    requireReceives();
    return startMany(
        TagMatcher.PostReceive.reserveMany(
            receiveQueue,
            buffer,
            offset,
            capacity,
            leastFree,
            new TagSelector(0, 0, source),
            context),
        true);
  }

  private Posted startMany(TagMatcher.PostReceive receive, boolean untagged) {
    if (receive == null) {
      return Posted.TRY_AGAIN;
    }
    if (untagged) {
      receive.untagged();
    }
    start(receive);
    return Posted.POSTED;
  }

  /** Starts a receive of the program's. */
  @InternalApi
  public void startOwn(TagMatcher.PostReceive receive) {
    direct.accepted(receive);
    start(receive);
  }

  /** Posts a receive that has been accepted. */
  @InternalApi
  public void start(TagMatcher.PostReceive receive) {
    if (!direct.post(receive)) {
      matcher.tell(receive);
      if (!isOpen()) {
        direct.refuse(receive);
      }
    }
  }

  /** Posts a receive once more. */
  @InternalApi
  public void start(RepeatedReceive receive) {
    if (!direct.post(receive)) {
      matcher.tell(new TagMatcher.PostAgain(receive));
      if (!isOpen()) {
        direct.refuse(receive);
      }
    }
  }

  /** Starts a probe that has been accepted. */
  @InternalApi
  public void start(TagMatcher.Probe probe) {
    if (!direct.post(probe)) {
      matcher.tell(probe);
      if (!isOpen()) {
        direct.refuse(probe);
      }
    }
  }

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
  public Posted peek(long tag, long ignore, int source, Object context) {
    return probe(ProbeKind.PEEK, false, tag, ignore, source, null, context);
  }

  /**
   * As {@link #peek}, and takes the message out of matching, for {@code claim} to hold it: nobody
   * else sees it any more. Receive or discard it by the claim. A miss leaves the claim as it was. A
   * claim that holds a message already fails with INVALID, and so does one that is used at another
   * endpoint than the one that filled it.
   *
   * @source libfabric fi_tagged(3), FI_PEEK with FI_CLAIM
   */
  public Posted claim(long tag, long ignore, int source, Claim claim, Object context) {
    Objects.requireNonNull(claim, "claim");
    return probe(ProbeKind.CLAIM, false, tag, ignore, source, claim, context);
  }

  /**
   * As {@link #peek}, and drops the message. Its sender's send completes as if it had been
   * received; a long message is not transferred, its sender hears that no byte is wanted.
   *
   * @source libfabric fi_tagged(3), FI_PEEK with FI_DISCARD
   */
  public Posted discard(long tag, long ignore, int source, Object context) {
    return probe(ProbeKind.DISCARD, false, tag, ignore, source, null, context);
  }

  /**
   * Looks for the earliest message without a tag that waits for a receive, and leaves it there; as
   * {@link #peek}.
   *
   * @param source a peer's index, or {@link io.tagfabric.tag.TagSelector#ANY_SOURCE}
   * @source libfabric fi_msg(3), FI_PEEK
   */
  public Posted peekUntagged(int source, Object context) {
    return probe(ProbeKind.PEEK, true, 0, 0, source, null, context);
  }

  /**
   * As {@link #peekUntagged}, and takes the message out of matching, as {@link #claim}. {@link
   * #postReceive(Claim, MutableDirectBuffer, int, int, Object)} receives the message of the claim,
   * {@link #discard(Claim, Object)} drops it.
   *
   * @source libfabric fi_msg(3), FI_PEEK with FI_CLAIM
   */
  public Posted claimUntagged(int source, Claim claim, Object context) {
    Objects.requireNonNull(claim, "claim");
    return probe(ProbeKind.CLAIM, true, 0, 0, source, claim, context);
  }

  /**
   * As {@link #peekUntagged}, and drops the message, as {@link #discard(long, long, int, Object)}.
   *
   * @source libfabric fi_msg(3), FI_PEEK with FI_DISCARD
   */
  public Posted discardUntagged(int source, Object context) {
    return probe(ProbeKind.DISCARD, true, 0, 0, source, null, context);
  }

  private Posted probe(
      ProbeKind kind,
      boolean untagged,
      long tag,
      long ignore,
      int source,
      Claim claim,
      Object context) {
    requireReceives();
    TagSelector.requireSource(source);
    if (!receiveQueue.ring().tryReserve()) {
      return Posted.TRY_AGAIN;
    }
    if (!direct.probe(kind, untagged, tag, ignore, source, claim, context)) {
      start(
          new TagMatcher.Probe(receiveQueue, kind, untagged, tag, ignore, source, claim, context));
    }
    return Posted.POSTED;
  }

  /**
   * Drops the message of a claim, as {@link #discard(long, long, int, Object)}; INVALID if it holds
   * none.
   *
   * @source libfabric fi_tagged(3), FI_CLAIM with FI_DISCARD
   */
  public Posted discard(Claim claim, Object context) {
    requireReceives();
    Objects.requireNonNull(claim, "claim");
    if (!receiveQueue.ring().tryReserve()) {
      return Posted.TRY_AGAIN;
    }
    start(
        new TagMatcher.Probe(
            receiveQueue,
            ProbeKind.DISCARD,
            false,
            0,
            -1L,
            TagSelector.ANY_SOURCE,
            claim,
            context));
    return Posted.POSTED;
  }

  /**
   * Receives the message of a claim; its end is that of any receive. If the message's sender is
   * lost, or has cancelled it, before all bytes have come, it fails with the error of that.
   *
   * @source libfabric fi_tagged(3), FI_CLAIM
   */
  public Posted postReceive(
      Claim claim, MutableDirectBuffer buffer, int offset, int capacity, Object context) {
    requireReceives();
    TagMatcher.PostReceive receive =
        TagMatcher.PostReceive.reserve(receiveQueue, buffer, offset, capacity, claim, context);
    return startReceive(receive, null);
  }

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
  public Posted postReceive(ByteBuffer buffer, long tag, long ignore, Object context) {
    return postReceive(TagSelector.ANY_SOURCE, buffer, tag, ignore, context);
  }

  /**
   * Posts a buffer for one tagged message from one peer.
   *
   * <p>It fails when the peer closes or is lost, if there is a flow with the peer: one that a send
   * has set up, a message that came, or {@code EndpointFutures.connect}. Nobody watches a peer with
   * which there has never been one, so such a receive waits until it is cancelled.
   */
  public Posted postReceive(int source, ByteBuffer buffer, long tag, long ignore, Object context) {
    return postReceive(
        BufferRange.writable(buffer), 0, buffer.remaining(), tag, ignore, source, context);
  }

  /**
   * Posts bytes of an Agrona buffer; as {@link #postReceive(ByteBuffer, long, long, Object)}.
   *
   * @param source a peer's index, or {@link io.tagfabric.tag.TagSelector#ANY_SOURCE}
   */
  public Posted postReceive(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      Object context) {
    return post(buffer, offset, capacity, tag, ignore, source, defaults, context);
  }

  /**
   * The same, and says which of its ends leave an entry. One without an entry for success is for
   * programs that count.
   */
  public Posted postReceive(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      Completions completions,
      Object context) {
    Objects.requireNonNull(completions, "completions");
    return post(buffer, offset, capacity, tag, ignore, source, completions, context);
  }

  private Posted post(
      MutableDirectBuffer buffer,
      int offset,
      int capacity,
      long tag,
      long ignore,
      int source,
      Completions told,
      Object context) {
    requireReceives();
    BufferRange.require(buffer, offset, capacity);
    TagSelector.requireSource(source);
    CompletionRing ring = receiveQueue.ring();
    if (!ring.tryReserve()) {
      return Posted.TRY_AGAIN;
    }
    boolean silent = told == Completions.ERRORS;
    if (!direct.post(ring, buffer, offset, capacity, tag, ignore, source, silent, context)) {
      TagMatcher.PostReceive receive =
          TagMatcher.PostReceive.reserved(
              receiveQueue, buffer, offset, capacity, tag, ignore, source, context);
      startReceive(receive, told);
    }
    return Posted.POSTED;
  }

  private Posted startReceive(TagMatcher.PostReceive receive, Completions told) {
    if (receive == null) {
      return Posted.TRY_AGAIN;
    }
    if ((told == null ? defaults : told) == Completions.ERRORS) {
      receive.silence();
    }
    startOwn(receive);
    return Posted.POSTED;
  }
}
