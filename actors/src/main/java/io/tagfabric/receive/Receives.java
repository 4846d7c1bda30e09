package io.tagfabric.receive;

import akka.actor.typed.ActorRef;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.complete.Completions;
import io.tagfabric.link.Posted;
import io.tagfabric.match.PostedProbe;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.Probe;
import io.tagfabric.match.RepeatedReceive;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.wire.BufferRange;
import java.nio.ByteBuffer;
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
   * Posts a receive; it completes as {@link Completion.Received} or {@link Completion.Failed} with
   * {@code context} in the receive queue, or as {@link TaggedReceive#many} says.
   *
   * @throws IllegalArgumentException if the receive has no buffer
   * @throws IllegalStateException if the endpoint is closed
   * @source libfabric fi_tagged(3), fi_msg(3), fi_trecvmsg
   */
  public Posted post(TaggedReceive receive, Object context) {
    if (receive.isPlain()) {
      TagSelector selector = receive.selector();
      return post(
          receive.buffer(),
          receive.offset(),
          receive.capacity(),
          selector.tag(),
          selector.ignore(),
          selector.source(),
          receive.completions() == null ? defaults : receive.completions(),
          context);
    }
    requireReceives();
    PostedReceive posted = accept(receive, context);
    if (posted == null) {
      return Posted.TRY_AGAIN;
    }
    start(posted);
    return Posted.POSTED;
  }

  /**
   * Accepts a receive that completes in the queue, and does not begin with it.
   *
   * @return null if the queue has no slot
   */
  @InternalApi
  public PostedReceive accept(TaggedReceive receive, Object context) {
    PostedReceive posted = PostedReceive.reserve(receiveQueue, receive, defaults, context);
    if (posted != null) {
      direct.accepted(posted);
    }
    return posted;
  }

  /** Starts a receive of the program's. */
  @InternalApi
  public void startOwn(PostedReceive receive) {
    direct.accepted(receive);
    start(receive);
  }

  /** Posts a receive that has been accepted. */
  @InternalApi
  public void start(PostedReceive receive) {
    if (!direct.post(receive)) {
      matcher.tell(new TagMatcher.PostReceive(receive));
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
  public void start(PostedProbe probe) {
    if (!direct.post(probe)) {
      matcher.tell(new TagMatcher.PostProbe(probe));
      if (!isOpen()) {
        direct.refuse(probe);
      }
    }
  }

  /**
   * Looks among the messages that wait; see {@link Probe}. It does not drive the loop: read the
   * queue before the next one.
   *
   * <p>Completes: exactly one completion with {@code context} in the receive queue. A hit is a
   * {@link Completion.Received}, a miss a {@link Completion.Failed}.
   *
   * @throws IllegalStateException if the endpoint is closed
   * @source libfabric fi_tagged(3), fi_msg(3), FI_PEEK
   */
  public Posted post(Probe probe, Object context) {
    Objects.requireNonNull(probe, "probe");
    requireReceives();
    if (!receiveQueue.ring().tryReserve()) {
      return Posted.TRY_AGAIN;
    }
    if (!direct.probe(probe, context)) {
      start(PostedProbe.reserved(receiveQueue, probe, context));
    }
    return Posted.POSTED;
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
      PostedReceive receive =
          PostedReceive.reserved(ring, buffer, offset, capacity, tag, ignore, source, context);
      if (silent) {
        receive.silence();
      }
      startOwn(receive);
    }
    return Posted.POSTED;
  }
}
