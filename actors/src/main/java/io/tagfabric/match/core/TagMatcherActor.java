package io.tagfabric.match.core;

import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Signal;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.match.PostedProbe;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.TagMatcher;
import java.util.function.Consumer;

/**
 * The shell around the {@link ReceiveCore} of one endpoint, which takes the messages of {@link
 * TagMatcher}.
 *
 * <p>The loop's ownership guards the receives, not this mailbox, which is one way in. A defect met
 * in a message ends the endpoint; this actor stays, to refuse what comes later.
 */
@InternalApi
public final class TagMatcherActor extends AbstractBehavior<TagMatcher.Command> {
  private final CompletionOutbox completions;
  private final ReceiveCore receives;
  private final Consumer<RuntimeException> defects;
  private final Runnable stopped;

  private TagMatcherActor(
      ActorContext<TagMatcher.Command> context,
      ReceiveCore receives,
      CompletionOutbox completions,
      Consumer<RuntimeException> defects,
      Runnable stopped) {
    super(context);
    this.receives = receives;
    this.completions = completions;
    this.defects = defects;
    this.stopped = stopped;
  }

  /**
   * A matcher.
   *
   * @param receives its inside
   * @param completions where its receives complete; flushed after every message
   * @param defects runs with the exception, if handling a message fails
   * @param stopped runs once the actor has stopped, also after a failure
   */
  @InternalApi
  public static Behavior<TagMatcher.Command> create(
      ReceiveCore receives,
      CompletionOutbox completions,
      Consumer<RuntimeException> defects,
      Runnable stopped) {
    return Behaviors.setup(
        context -> new TagMatcherActor(context, receives, completions, defects, stopped));
  }

  @Override
  public Receive<TagMatcher.Command> createReceive() {
    Receive<TagMatcher.Command> handlers =
        newReceiveBuilder()
            .onMessage(TagMatcher.Arrived.class, this::onArrived)
            .onMessage(TagMatcher.PostReceive.class, this::onPostReceive)
            .onMessage(TagMatcher.PostAgain.class, this::onPostAgain)
            .onMessage(TagMatcher.PostProbe.class, this::onPostProbe)
            .onMessage(TagMatcher.CancelReceive.class, this::onCancelReceive)
            .onMessage(TagMatcher.Subscribe.class, this::onSubscribe)
            .onMessage(TagMatcher.Unsubscribe.class, this::onUnsubscribe)
            .onMessage(TagMatcher.Discard.class, this::onDiscard)
            .onMessage(TagMatcher.GetState.class, this::onGetState)
            .onMessage(TagMatcher.ListWaiting.class, this::onListWaiting)
            .onMessage(TagMatcher.PeerLost.class, this::onPeerLost)
            .onMessage(TagMatcher.FlowLost.class, this::onFlowLost)
            .onMessage(TagMatcher.Leave.class, this::onLeave)
            .onMessage(TagMatcher.Close.class, this::onClose)
            .onSignal(PostStop.class, notUsed -> onPostStop())
            .build();
    return new Receive<>() {
      @Override
      public Behavior<TagMatcher.Command> receiveMessage(TagMatcher.Command command)
          throws Exception {
        try {
          return handlers.receiveMessage(command);
        } catch (RuntimeException e) {
          receives.fail(e, receiveOf(command));
          if (command instanceof TagMatcher.PostProbe post) {
            receives.refuseProbe(post.probe());
          }
          defects.accept(e);
          return done();
        }
      }

      @Override
      public Behavior<TagMatcher.Command> receiveSignal(Signal signal) throws Exception {
        return handlers.receiveSignal(signal);
      }
    };
  }

  /** The receive that a command posts, null if it posts none. */
  private static PostedReceive receiveOf(TagMatcher.Command command) {
    if (command instanceof TagMatcher.PostAgain again) {
      return again.receive();
    }
    return command instanceof TagMatcher.PostReceive post ? post.receive() : null;
  }

  private Behavior<TagMatcher.Command> onArrived(TagMatcher.Arrived arrived) {
    arrived.arrival().tell(receives);
    return done();
  }

  private Behavior<TagMatcher.Command> onPostAgain(TagMatcher.PostAgain again) {
    if (again.receive().begin()) {
      receives.post(again.receive());
    }
    return done();
  }

  private Behavior<TagMatcher.Command> onPostReceive(TagMatcher.PostReceive post) {
    PostedReceive receive = post.receive();
    if (receive.begin()) {
      if (!receive.isTold() && !completions.isOf(receive.slotIn())) {
        // Its slot is in a queue that this matcher must not publish to.
        receive.slotIn().release();
        if (receive.many() != null) {
          receive.slotIn().release();
        }
        getContext().getLog().error("a receive was told to another endpoint than it was made for");
        return this;
      }
      receives.post(receive);
    }
    return done();
  }

  private Behavior<TagMatcher.Command> onPostProbe(TagMatcher.PostProbe post) {
    PostedProbe probe = post.probe();
    if (probe.begin()) {
      if (probe.listener == null && !completions.isOf(probe.slotIn())) {
        // As for a receive.
        probe.slotIn().release();
        getContext().getLog().error("a probe was told to another endpoint than it was made for");
        return this;
      }
      receives.probe(probe);
    }
    return done();
  }

  private Behavior<TagMatcher.Command> onCancelReceive(TagMatcher.CancelReceive cancel) {
    Object context = cancel.context();
    TagMatcher.CancelOutcome outcome;
    if (receives.cancel(context)) {
      outcome = new TagMatcher.Cancelled(context);
    } else {
      outcome =
          receives.isTaking(context)
              ? new TagMatcher.TooLate(context)
              : new TagMatcher.CancelOutcome.NotFound(context);
    }
    cancel.replyTo().tell(outcome);
    return done();
  }

  private Behavior<TagMatcher.Command> onSubscribe(TagMatcher.Subscribe subscribe) {
    receives.subscribe(
        new Subscription(
            subscribe.selector(),
            subscribe.subscriber(),
            subscribe.maxLength(),
            subscribe.subscriber()::tell));
    // Last: if the subscriber has stopped already, its termination arrives at once.
    getContext()
        .watchWith(subscribe.subscriber(), new TagMatcher.Unsubscribe(subscribe.subscriber()));
    subscribe.replyTo().tell(new TagMatcher.Subscribed(subscribe.selector()));
    return done();
  }

  private Behavior<TagMatcher.Command> onUnsubscribe(TagMatcher.Unsubscribe unsubscribe) {
    getContext().unwatch(unsubscribe.subscriber());
    receives.unsubscribe(unsubscribe.subscriber());
    return this;
  }

  private Behavior<TagMatcher.Command> onDiscard(TagMatcher.Discard discard) {
    receives.discard(discard.tags());
    return done();
  }

  private Behavior<TagMatcher.Command> onGetState(TagMatcher.GetState get) {
    get.replyTo().tell(receives.state());
    return this;
  }

  private Behavior<TagMatcher.Command> onListWaiting(TagMatcher.ListWaiting list) {
    list.replyTo().tell(new TagMatcher.Waiting(receives.unexpected(), receives.posted()));
    return this;
  }

  private Behavior<TagMatcher.Command> onPeerLost(TagMatcher.PeerLost lost) {
    receives.peerLost(lost.peer(), lost.error(), lost.detail(), lost.forGood());
    return done();
  }

  private Behavior<TagMatcher.Command> onFlowLost(TagMatcher.FlowLost lost) {
    receives.flowLost(lost.peer(), lost.error(), lost.detail());
    return done();
  }

  private Behavior<TagMatcher.Command> onLeave(TagMatcher.Leave leave) {
    completions.flush();
    leave.whenLeft().run();
    return done();
  }

  private Behavior<TagMatcher.Command> onClose(TagMatcher.Close close) {
    int cancelled = receives.close();
    completions.flush();
    close.whenClosed().accept(cancelled);
    return done();
  }

  /** Also after a failure of the endpoint: what was accepted still ends. */
  private Behavior<TagMatcher.Command> onPostStop() {
    receives.close();
    completions.flush();
    stopped.run();
    return this;
  }

  private Behavior<TagMatcher.Command> done() {
    completions.flush();
    return this;
  }
}
