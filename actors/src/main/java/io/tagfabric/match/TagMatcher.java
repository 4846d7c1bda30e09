package io.tagfabric.match;

import akka.actor.typed.ActorRef;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;

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
   * Post a receive. What the actor gets says the constructor or method.
   *
   * <p>One message posts one receive: the next is another.
   */
  public static final class PostReceive implements Command {
    private final PostedReceive receive;

    /** A receive that an endpoint has accepted. */
    @InternalApi
    public PostReceive(PostedReceive receive) {
      this.receive = receive;
    }

    @InternalApi
    public PostedReceive receive() {
      return receive;
    }

    /**
     * Without a buffer: the listener hears of the message.
     *
     * @throws IllegalArgumentException if the receive has a buffer
     */
    public PostReceive(TaggedReceive receive, Object context, ReceiveListener listener) {
      this(PostedReceive.ofMessage(receive, context, listener));
    }

    /**
     * Without a buffer: the actor gets {@link Received} with the message, or {@link NotReceived}.
     *
     * @throws IllegalArgumentException if the receive has a buffer
     */
    public PostReceive(
        TaggedReceive receive, Object context, ActorRef<? super ReceiveOutcome> replyTo) {
      this(receive, context, new ReplyingListener(context, replyTo));
    }

    /**
     * With a buffer: the actor gets the completions that a queue would.
     *
     * @throws IllegalArgumentException if the receive has no buffer
     */
    public static PostReceive into(
        TaggedReceive receive, Object context, ActorRef<? super Completion> replyTo) {
      return new PostReceive(PostedReceive.into(receive, context, new ReplyingPlaced(replyTo)));
    }
  }

  /**
   * Look among the messages that wait. The actor in {@code replyTo} gets a {@link ProbeOutcome}.
   */
  public static final class PostProbe implements Command {
    private final PostedProbe probe;

    /** A probe that an endpoint has accepted. */
    @InternalApi
    public PostProbe(PostedProbe probe) {
      this.probe = probe;
    }

    @InternalApi
    public PostedProbe probe() {
      return probe;
    }

    /** A probe that an actor hears of. */
    public PostProbe(Probe probe, Object context, ActorRef<? super ProbeOutcome> replyTo) {
      this(new PostedProbe(probe, context, new ReplyingProbe(context, probe.claims(), replyTo)));
    }
  }

  /** Cancel the earliest posted receive with an equal context. */
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
      TaggedReceive.requireRoom(maxLength);
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

  /** How a {@link PostProbe} ended. */
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

  private record ReplyingPlaced(ActorRef<? super Completion> replyTo) implements PlacedListener {
    ReplyingPlaced {
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
