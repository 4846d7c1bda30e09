package io.tagfabric.match;

import akka.actor.typed.ActorRef;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.error.FabricError;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import io.tagfabric.wire.BufferRange;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of an endpoint's mailbox-routing actor. The actor routes each tagged message by its
 * tag: to the receive that was posted for it, to the actor that subscribed to it, or into the queue
 * of unexpected messages.
 *
 * <p>The loop's ownership guards the receives, not this mailbox, which is one way in:
 * subscriptions, cancellations and what actors post come by it. The loop's own call is the other:
 * by it come what threads and listeners post, and what arrives, unless {@code progress.hand-over}
 * is {@code mailbox}. Finding a message for a receive, or else queueing the receive, is one step
 * either way.
 *
 * <p>A defect met in a message ends the endpoint; this actor stays, to refuse what comes later.
 *
 * @source libfabric fi_tagged(3); PSM matched queues
 */
public final class TagMatcher {
  /** What a matcher can be told. */
  public sealed interface Command {}

  /** Something has arrived. From the endpoint, where cores hand over by mailbox. */
  @InternalApi
  public record Arrived(Arrival arrival) implements Command {
    public Arrived {
      Objects.requireNonNull(arrival, "arrival");
    }
  }

  /** Post a receive once more. The endpoint's handle tells it. */
  @InternalApi
  public record PostAgain(RepeatedReceive receive) implements Command {}

  /**
   * Post a receive. The actor in {@code replyTo} gets the outcome, with the message; without one it
   * goes to the endpoint's receive queue, where a slot has been reserved.
   */
  public static final class PostReceive extends PostedReceive implements Command {
    private PostReceive(long tag, long ignore, int source, Object context) {
      super(tag, ignore, source, context);
    }

    /**
     * A receive that completes in the endpoint's receive queue, where its slot is reserved; made by
     * the endpoint's handle. Nothing is reserved if an argument is refused.
     *
     * @return null if the queue has no slot
     * @throws NullPointerException without a buffer
     * @throws IllegalArgumentException if the bytes do not lie in the buffer, or {@code source} is
     *     below {@link TagSelector#ANY_SOURCE}
     */
    public static PostReceive reserve(
        CompletionQueue queue,
        MutableDirectBuffer buffer,
        int offset,
        int capacity,
        long tag,
        long ignore,
        int source,
        Object context) {
      BufferRange.require(buffer, offset, capacity);
      TagSelector.requireSource(source);
      return queue.ring().tryReserve()
          ? reserved(queue, buffer, offset, capacity, tag, ignore, source, context)
          : null;
    }

    /** The same where the slot is reserved already. */
    @InternalApi
    public static PostReceive reserved(
        CompletionQueue queue,
        MutableDirectBuffer buffer,
        int offset,
        int capacity,
        long tag,
        long ignore,
        int source,
        Object context) {
      PostReceive receive = new PostReceive(tag, ignore, source, context);
      receive.into(buffer, offset, capacity);
      receive.slotIn(queue.ring());
      return receive;
    }

    /** The same for the messages of a selector. */
    @InternalApi
    public static PostReceive reserve(
        CompletionQueue queue,
        MutableDirectBuffer buffer,
        int offset,
        int capacity,
        TagSelector selector,
        Object context) {
      return reserve(
          queue,
          buffer,
          offset,
          capacity,
          selector.tag(),
          selector.ignore(),
          selector.source(),
          context);
    }

    /**
     * A receive of a message whose bytes go to several buffers, one behind the other; otherwise as
     * the other.
     */
    @InternalApi
    public static PostReceive reserveVector(
        CompletionQueue queue,
        List<? extends MutableDirectBuffer> parts,
        TagSelector selector,
        Object context) {
      int capacity = BufferRange.capacityOf(parts);
      PostReceive receive =
          reserve(queue, new UnsafeBuffer(new byte[capacity]), 0, capacity, selector, context);
      if (receive != null) {
        receive.scatterTo(List.copyOf(parts));
      }
      return receive;
    }

    /**
     * A receive that takes many messages; otherwise as the other. It reserves two slots: one for a
     * failure, and one to tell that the buffer is the program's again.
     *
     * @param leastFree at least 1
     */
    @InternalApi
    public static PostReceive reserveMany(
        CompletionQueue queue,
        MutableDirectBuffer buffer,
        int offset,
        int capacity,
        int leastFree,
        TagSelector selector,
        Object context) {
      requireLeastFree(leastFree, capacity);
      PostReceive receive = reserve(queue, buffer, offset, capacity, selector, context);
      if (receive == null) {
        return null;
      }
      if (!queue.ring().tryReserve()) {
        queue.ring().release();
        return null;
      }
      receive.many(leastFree, null);
      return receive;
    }

    private static void requireLeastFree(int leastFree, int capacity) {
      if (leastFree < 1 || leastFree > capacity) {
        throw new IllegalArgumentException(
            "leastFree="
                + leastFree
                + " is outside 1.."
                + capacity
                + ", the bytes of the buffer: it would take no message");
      }
    }

    /** A receive that takes many messages into a whole buffer, told to a listener. */
    @InternalApi
    public static PostReceive many(
        MutableDirectBuffer buffer,
        int leastFree,
        TagSelector selector,
        Object context,
        ManyListener listener) {
      Objects.requireNonNull(listener, "listener");
      requireLeastFree(leastFree, buffer.capacity());
      PostReceive receive =
          new PostReceive(selector.tag(), selector.ignore(), selector.source(), context);
      receive.into(buffer, 0, buffer.capacity());
      receive.many(leastFree, listener);
      return receive;
    }

    /**
     * A receive that takes many messages into one whole buffer, which lie one behind the other in
     * the order matched. The actor gets a {@link Completion.Received}, or a {@link
     * Completion.Failed}, for each, with where in the buffer it begins; and {@link
     * Completion.Released} at the end, when the buffer is the program's again: when fewer than
     * {@code leastFree} bytes are free, or the next message does not fit. If the receive is
     * cancelled, or its endpoint or peer is gone, a Failed with that comes before the Released.
     *
     * <p>Until then the buffer is the endpoint's, but for the bytes of messages that were told.
     *
     * @param leastFree at least 1
     * @throws NullPointerException without a buffer, a selector or an actor
     * @throws IllegalArgumentException if {@code leastFree} is below 1 or above the buffer's bytes
     * @source libfabric fi_msg(3), FI_MULTI_RECV and FI_OPT_MIN_MULTI_RECV
     */
    public static PostReceive many(
        MutableDirectBuffer buffer,
        int leastFree,
        TagSelector selector,
        Object context,
        ActorRef<? super Completion> replyTo) {
      return many(buffer, leastFree, selector, context, new ReplyingMany(replyTo));
    }

    /**
     * The same for messages without a tag.
     *
     * @param source a peer's index, or {@link TagSelector#ANY_SOURCE}
     */
    public static PostReceive manyUntagged(
        MutableDirectBuffer buffer,
        int leastFree,
        int source,
        Object context,
        ActorRef<? super Completion> replyTo) {
      return manyUntagged(buffer, leastFree, source, context, new ReplyingMany(replyTo));
    }

    /** The same, told to a listener. */
    @InternalApi
    public static PostReceive manyUntagged(
        MutableDirectBuffer buffer,
        int leastFree,
        int source,
        Object context,
        ManyListener listener) {
      PostReceive receive =
          many(buffer, leastFree, new TagSelector(0, 0, source), context, listener);
      receive.untagged();
      return receive;
    }

    /**
     * A receive of the message of a claim that completes in the endpoint's receive queue; otherwise
     * as the other.
     */
    @InternalApi
    public static PostReceive reserve(
        CompletionQueue queue,
        MutableDirectBuffer buffer,
        int offset,
        int capacity,
        Claim claim,
        Object context) {
      Objects.requireNonNull(claim, "claim");
      PostReceive receive =
          reserve(queue, buffer, offset, capacity, 0, -1L, TagSelector.ANY_SOURCE, context);
      if (receive != null) {
        receive.from(claim);
      }
      return receive;
    }

    /**
     * A receive of a whole message without a tag, told to an actor.
     *
     * @param source a peer's index, or {@link TagSelector#ANY_SOURCE}
     * @throws NullPointerException without an actor
     * @throws IllegalArgumentException if {@code maxLength} is negative
     */
    public static PostReceive untagged(
        int source, int maxLength, Object context, ActorRef<? super ReceiveOutcome> replyTo) {
      return untagged(source, maxLength, context, new ReplyingListener(context, replyTo));
    }

    /** The same, told to a listener. */
    public static PostReceive untagged(
        int source, int maxLength, Object context, ReceiveListener listener) {
      PostReceive receive =
          new PostReceive(new TagSelector(0, 0, source), maxLength, context, listener);
      receive.untagged();
      return receive;
    }

    /**
     * A receive of the whole message of a claim, told to a listener.
     *
     * @throws NullPointerException without a claim or a listener
     * @throws IllegalArgumentException if {@code maxLength} is negative
     */
    public static PostReceive of(
        Claim claim, int maxLength, Object context, ReceiveListener listener) {
      Objects.requireNonNull(claim, "claim");
      PostReceive receive = new PostReceive(TagSelector.any(), maxLength, context, listener);
      receive.from(claim);
      return receive;
    }

    /**
     * A receive of the whole message of a claim, told to an actor.
     *
     * @throws NullPointerException without a claim or an actor
     * @throws IllegalArgumentException if {@code maxLength} is negative
     */
    public static PostReceive of(
        Claim claim, int maxLength, Object context, ActorRef<? super ReceiveOutcome> replyTo) {
      return of(claim, maxLength, context, new ReplyingListener(context, replyTo));
    }

    /**
     * A receive of a whole message, told to a listener.
     *
     * @throws NullPointerException without a selector or a listener
     * @throws IllegalArgumentException if {@code maxLength} is negative
     */
    public PostReceive(
        TagSelector selector, int maxLength, Object context, ReceiveListener listener) {
      super(selector, maxLength, context, listener);
    }

    /**
     * A receive of a whole message of at most {@code maxLength} bytes, told to an actor.
     *
     * @throws NullPointerException without a selector or an actor
     * @throws IllegalArgumentException if {@code maxLength} is negative
     */
    public PostReceive(
        TagSelector selector,
        int maxLength,
        Object context,
        ActorRef<? super ReceiveOutcome> replyTo) {
      super(selector, maxLength, context, new ReplyingListener(context, replyTo));
    }
  }

  /**
   * Look among the messages that wait for the earliest that fits, and say at once whether there is
   * one. The actor in {@code replyTo} gets a {@link ProbeOutcome}.
   *
   * @source libfabric fi_tagged(3), FI_PEEK, FI_CLAIM and FI_DISCARD
   */
  public static final class Probe extends PostedProbe implements Command {
    private Probe(
        ProbeKind kind, TagSelector selector, Claim claim, Object context, ProbeListener listener) {
      super(
          kind,
          false,
          selector.tag(),
          selector.ignore(),
          selector.source(),
          claim,
          context,
          listener);
    }

    private Probe(ProbeKind kind, int source, Claim claim, Object context, ProbeListener listener) {
      super(kind, true, 0, 0, source, claim, context, listener);
    }

    /** A probe that completes in the queue where its slot is reserved; made by the endpoint. */
    @InternalApi
    public Probe(
        CompletionQueue queue,
        ProbeKind kind,
        boolean untagged,
        long tag,
        long ignore,
        int source,
        Claim claim,
        Object context) {
      super(kind, untagged, tag, ignore, source, claim, context, null);
      slotIn(queue.ring());
    }

    /** A probe that is told to a listener. */
    @InternalApi
    public static Probe of(
        ProbeKind kind, TagSelector selector, Claim claim, ProbeListener listener) {
      return new Probe(kind, selector, claim, null, listener);
    }

    /** A probe for a message without a tag that is told to a listener. */
    @InternalApi
    public static Probe ofUntagged(
        ProbeKind kind, int source, Claim claim, ProbeListener listener) {
      return new Probe(kind, source, claim, null, listener);
    }

    /** Leave the message where it is: a receive may take it before this program posts one. */
    public static Probe peek(
        TagSelector selector, Object context, ActorRef<? super ProbeOutcome> replyTo) {
      return new Probe(
          ProbeKind.PEEK, selector, null, context, new ReplyingProbe(context, null, replyTo));
    }

    /** Take the message out of matching; the outcome {@link Claimed} has the claim. */
    public static Probe claim(
        TagSelector selector, Object context, ActorRef<? super ProbeOutcome> replyTo) {
      Claim claim = new Claim();
      return new Probe(
          ProbeKind.CLAIM, selector, claim, context, new ReplyingProbe(context, claim, replyTo));
    }

    /** Drop the message. */
    public static Probe discard(
        TagSelector selector, Object context, ActorRef<? super ProbeOutcome> replyTo) {
      return new Probe(
          ProbeKind.DISCARD, selector, null, context, new ReplyingProbe(context, null, replyTo));
    }

    /**
     * As {@link #peek}, among the messages without a tag.
     *
     * @param source a peer's index, or {@link TagSelector#ANY_SOURCE}
     */
    public static Probe peekUntagged(
        int source, Object context, ActorRef<? super ProbeOutcome> replyTo) {
      return new Probe(
          ProbeKind.PEEK, source, null, context, new ReplyingProbe(context, null, replyTo));
    }

    /** As {@link #claim}, among the messages without a tag. */
    public static Probe claimUntagged(
        int source, Object context, ActorRef<? super ProbeOutcome> replyTo) {
      Claim claim = new Claim();
      return new Probe(
          ProbeKind.CLAIM, source, claim, context, new ReplyingProbe(context, claim, replyTo));
    }

    /** As {@link #discard}, among the messages without a tag. */
    public static Probe discardUntagged(
        int source, Object context, ActorRef<? super ProbeOutcome> replyTo) {
      return new Probe(
          ProbeKind.DISCARD, source, null, context, new ReplyingProbe(context, null, replyTo));
    }

    /** Drop the message of a claim. */
    public static Probe discard(
        Claim claim, Object context, ActorRef<? super ProbeOutcome> replyTo) {
      return new Probe(
          ProbeKind.DISCARD,
          TagSelector.any(),
          Objects.requireNonNull(claim, "claim"),
          context,
          new ReplyingProbe(context, null, replyTo));
    }
  }

  /** Cancel the earliest posted receive with this very context object. */
  public record CancelReceive(Object context, ActorRef<CancelOutcome> replyTo) implements Command {
    public CancelReceive {
      Objects.requireNonNull(context, "context");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * Deliver every message that fits to an actor from now on, in order; first those that wait.
   * Posted receives come before subscriptions, earlier ones before later. A subscription ends when
   * the actor stops: what is matched from then on goes to the next subscription that fits, or
   * waits.
   *
   * @param maxLength a longer message is dropped, and so is one whose sender is lost half way
   */
  public record Subscribe(
      TagSelector selector,
      int maxLength,
      ActorRef<? super TaggedMessage> subscriber,
      ActorRef<Subscribed> replyTo)
      implements Command {
    public Subscribe {
      Objects.requireNonNull(selector, "selector");
      PostedReceive.requireRoom(maxLength);
      Objects.requireNonNull(subscriber, "subscriber");
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** Take all subscriptions of this actor away. */
  public record Unsubscribe(ActorRef<?> subscriber) implements Command {
    public Unsubscribe {
      Objects.requireNonNull(subscriber, "subscriber");
    }
  }

  /**
   * Take and drop messages whose tag nobody wants any more, unless a receive or a subscription
   * takes them: those that wait and those that come from now on.
   *
   * @param tags which; takes the place of what was said before; called on the domain's loop
   */
  @InternalApi
  public record Discard(LongPredicate tags) implements Command {
    public Discard {
      Objects.requireNonNull(tags, "tags");
    }
  }

  /** Tell how much waits here. */
  public record GetState(ActorRef<State> replyTo) implements Command {
    public GetState {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** List what waits here: for people and tests, it copies and sorts. */
  public record ListWaiting(ActorRef<Waiting> replyTo) implements Command {
    public ListWaiting {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /**
   * The flow with a peer has ended. From the endpoint.
   *
   * @param forGood whether receives that are posted later and name the peer fail too
   */
  public record PeerLost(int peer, FabricError error, String detail, boolean forGood)
      implements Command {
    public PeerLost {
      Objects.requireNonNull(error, "error");
      Objects.requireNonNull(detail, "detail");
    }
  }

  /**
   * One of the endpoints that share these receives has ended its flow with a peer. From the
   * endpoint.
   */
  @InternalApi
  public record FlowLost(int peer, FabricError error, String detail) implements Command {
    public FlowLost {
      Objects.requireNonNull(error, "error");
      Objects.requireNonNull(detail, "detail");
    }
  }

  /** One of the endpoints that share these receives closes. From the endpoint. */
  @InternalApi
  public record Leave(Runnable whenLeft) implements Command {
    public Leave {
      Objects.requireNonNull(whenLeft, "whenLeft");
    }
  }

  /** Cancel everything posted and take no more; tell how many. From the endpoint. */
  public record Close(IntConsumer whenClosed) implements Command {
    public Close {
      Objects.requireNonNull(whenClosed, "whenClosed");
    }
  }

  /** How a posted receive with a {@code replyTo} ended. */
  public sealed interface ReceiveOutcome {}

  /** A message came. */
  public record Received(Object context, TaggedMessage message) implements ReceiveOutcome {}

  /** None will come; cancelled, truncated, or its sender is lost. */
  public record NotReceived(Completion.Failed failure) implements ReceiveOutcome {}

  /** How a {@link Probe} ended. */
  public sealed interface ProbeOutcome {}

  /** This message was waiting; it still is, unless the probe was to discard it. */
  public record Found(Object context, MessageInfo message) implements ProbeOutcome {}

  /** A message was taken out of matching: receive or discard it by this claim. */
  public record Claimed(Object context, Claim claim) implements ProbeOutcome {}

  /** No message that fits waits, which is NO_MESSAGE; or why there will be none. */
  public record NotFound(Completion.Failed failure) implements ProbeOutcome {}

  /** Answers to {@link CancelReceive}. */
  public sealed interface CancelOutcome {
    /** No operation of this endpoint has an equal context: it has ended, or never was. */
    record NotFound(Object context) implements CancelOutcome {}
  }

  /** The receive ends with CANCELED. */
  public record Cancelled(Object context) implements CancelOutcome {}

  /** The operation with this context goes on: its message is on its way, and it will end. */
  public record TooLate(Object context) implements CancelOutcome {}

  /** Answer to {@link Subscribe}. */
  public record Subscribed(TagSelector selector) {}

  /**
   * What waits at a matcher.
   *
   * @param postedReceives receives no message has come for
   * @param unexpectedMessages messages no receive has been posted for
   * @param unexpectedBytes payload bytes held for them
   * @param peakUnexpectedBytes the most there ever were
   * @param claimedMessages messages claimed and neither received nor discarded; their bytes are
   *     among {@code unexpectedBytes}
   */
  public record State(
      int postedReceives,
      int unexpectedMessages,
      long unexpectedBytes,
      long peakUnexpectedBytes,
      int claimedMessages) {}

  /**
   * Answer to {@link ListWaiting}.
   *
   * @param messages that no receive has been posted for, in the order of arrival: those with a tag,
   *     then those without; then those that are claimed
   * @param receives that no message has come for, in the order posted: those for messages with a
   *     tag, then the others
   */
  public record Waiting(List<MessageInfo> messages, List<ReceiveInfo> receives) {
    public Waiting {
      messages = List.copyOf(messages);
      receives = List.copyOf(receives);
    }
  }

  /**
   * A message that waits.
   *
   * @param source index of the sender in the domain's address vector
   * @param tagged whether it was sent with a tag
   * @param tag the tag it was sent with, 0 if it was sent without
   * @param lengthBytes of the whole message, all of which may not have come yet
   * @param hasData whether the sender added immediate data
   * @param data the immediate data, 0 if there is none
   */
  public record MessageInfo(
      int source, boolean tagged, long tag, long lengthBytes, boolean hasData, long data) {
    /** A tagged message without immediate data. */
    public MessageInfo(int source, long tag, long lengthBytes) {
      this(source, true, tag, lengthBytes, false, 0);
    }
  }

  /**
   * A receive that waits.
   *
   * @param tagged whether it takes messages with a tag; else those without, and of {@code selector}
   *     only the source counts
   * @param selector which messages it takes
   */
  public record ReceiveInfo(boolean tagged, TagSelector selector) {
    public ReceiveInfo {
      Objects.requireNonNull(selector, "selector");
    }

    /** For people: as of the selector, or {@code untagged from 3}. */
    @Override
    public String toString() {
      String text = selector.toString();
      return tagged ? text : "untagged" + text.substring(text.indexOf(" from "));
    }
  }

  private record ReplyingProbe(Object context, Claim claim, ActorRef<? super ProbeOutcome> replyTo)
      implements ProbeListener {
    ReplyingProbe {
      Objects.requireNonNull(replyTo, "replyTo");
    }

    @Override
    public void onFound(MessageInfo message) {
      replyTo.tell(claim == null ? new Found(context, message) : new Claimed(context, claim));
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      replyTo.tell(new NotFound(failure));
    }
  }

  private record ReplyingMany(ActorRef<? super Completion> replyTo) implements ManyListener {
    ReplyingMany {
      Objects.requireNonNull(replyTo, "replyTo");
    }

    @Override
    public void onMessage(Completion message) {
      replyTo.tell(message);
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      replyTo.tell(failure);
    }

    @Override
    public void onReleased(Completion.Released released) {
      replyTo.tell(released);
    }
  }

  private record ReplyingListener(Object context, ActorRef<? super ReceiveOutcome> replyTo)
      implements ReceiveListener {
    ReplyingListener {
      Objects.requireNonNull(replyTo, "replyTo");
    }

    @Override
    public void onReceived(TaggedMessage message) {
      replyTo.tell(new Received(context, message));
    }

    @Override
    public void onFailed(Completion.Failed failure) {
      replyTo.tell(new NotReceived(failure));
    }
  }

  private TagMatcher() {}
}
