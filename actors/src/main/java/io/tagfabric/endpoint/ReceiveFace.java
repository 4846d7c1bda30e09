package io.tagfabric.endpoint;

import akka.actor.typed.ActorRef;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.complete.Completions;
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

/** The calls that post receives, of endpoints and of {@link ReceiveContext}s. */
abstract sealed class ReceiveFace implements TaggedReceives, UntaggedReceives
    permits Endpoint, ReceiveContext {
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
  ReceiveFace(
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
  abstract void requireReceives();

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

  DirectReceives receives() {
    return direct;
  }

  /** What waits here now. Thread: the domain's loop. */
  @InternalApi
  public TagMatcher.State waitingNow() {
    return direct.state();
  }

  @Override
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

  @Override
  public Posted postReceiveVector(
      List<? extends MutableDirectBuffer> parts, TagSelector selector, Object context) {
    requireReceives();
    Objects.requireNonNull(selector, "selector");
    return startReceive(
        TagMatcher.PostReceive.reserveVector(receiveQueue, parts, selector, context), null);
  }

  // ---- many messages into one buffer ----

  @Override
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

  @Override
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
  void startOwn(TagMatcher.PostReceive receive) {
    direct.accepted(receive);
    start(receive);
  }

  /** Posts a receive that has been accepted. */
  void start(TagMatcher.PostReceive receive) {
    if (!direct.post(receive)) {
      matcher.tell(receive);
      if (!isOpen()) {
        direct.refuse(receive);
      }
    }
  }

  /** Posts a receive once more. */
  void start(RepeatedReceive receive) {
    if (!direct.post(receive)) {
      matcher.tell(new TagMatcher.PostAgain(receive));
      if (!isOpen()) {
        direct.refuse(receive);
      }
    }
  }

  /** Starts a probe that has been accepted. */
  void start(TagMatcher.Probe probe) {
    if (!direct.post(probe)) {
      matcher.tell(probe);
      if (!isOpen()) {
        direct.refuse(probe);
      }
    }
  }

  @Override
  public Posted peek(long tag, long ignore, int source, Object context) {
    return probe(ProbeKind.PEEK, false, tag, ignore, source, null, context);
  }

  @Override
  public Posted claim(long tag, long ignore, int source, Claim claim, Object context) {
    Objects.requireNonNull(claim, "claim");
    return probe(ProbeKind.CLAIM, false, tag, ignore, source, claim, context);
  }

  @Override
  public Posted discard(long tag, long ignore, int source, Object context) {
    return probe(ProbeKind.DISCARD, false, tag, ignore, source, null, context);
  }

  @Override
  public Posted peekUntagged(int source, Object context) {
    return probe(ProbeKind.PEEK, true, 0, 0, source, null, context);
  }

  @Override
  public Posted claimUntagged(int source, Claim claim, Object context) {
    Objects.requireNonNull(claim, "claim");
    return probe(ProbeKind.CLAIM, true, 0, 0, source, claim, context);
  }

  @Override
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

  @Override
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

  @Override
  public Posted postReceive(
      Claim claim, MutableDirectBuffer buffer, int offset, int capacity, Object context) {
    requireReceives();
    TagMatcher.PostReceive receive =
        TagMatcher.PostReceive.reserve(receiveQueue, buffer, offset, capacity, claim, context);
    return startReceive(receive, null);
  }

  @Override
  public Posted postReceive(ByteBuffer buffer, long tag, long ignore, Object context) {
    return postReceive(TagSelector.ANY_SOURCE, buffer, tag, ignore, context);
  }

  @Override
  public Posted postReceive(int source, ByteBuffer buffer, long tag, long ignore, Object context) {
    return postReceive(
        BufferRange.writable(buffer), 0, buffer.remaining(), tag, ignore, source, context);
  }

  @Override
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

  @Override
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
