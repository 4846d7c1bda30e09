package io.tagfabric.bench.ours;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.bench.ours.ActorMessage.Answer;
import io.tagfabric.bench.ours.ActorMessage.AskAll;
import io.tagfabric.bench.ours.ActorMessage.Failed;
import io.tagfabric.bench.ours.ActorMessage.Open;
import io.tagfabric.bench.ours.ActorMessage.Question;
import io.tagfabric.bench.ours.ActorMessage.Shot;
import io.tagfabric.bench.ours.ActorMessage.State;
import io.tagfabric.bench.ours.ActorMessage.TellAll;
import java.time.Duration;

/** The actor of rank 0: asks by its context, one at a time, or tells within a window. */
final class ActorAsker extends AbstractBehavior<ActorMessage> {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private AskAll asking;
  private TellAll telling;
  private long sent;
  private int left;
  private long beginNs;

  private ActorAsker(ActorContext<ActorMessage> context) {
    super(context);
  }

  static Behavior<ActorMessage> create() {
    return Behaviors.setup(ActorAsker::new);
  }

  @Override
  public Receive<ActorMessage> createReceive() {
    return newReceiveBuilder()
        .onMessage(AskAll.class, this::onAskAll)
        .onMessage(Answer.class, answer -> onAnswer())
        .onMessage(TellAll.class, this::onTellAll)
        .onMessage(State.class, this::onState)
        .onMessage(Failed.class, this::onFailed)
        .build();
  }

  private Behavior<ActorMessage> onAskAll(AskAll order) {
    asking = order;
    left = order.count();
    beginNs = System.nanoTime();
    ask();
    return this;
  }

  private void ask() {
    FabricActors.ask(
        getContext(),
        ActorMessage.class,
        asking.target(),
        PATIENCE,
        (ActorRef<ActorMessage> replyTo) -> new Question(asking.byAkka(), asking.body(), replyTo),
        (answer, failure) -> failure == null ? answer : new Failed(failure));
  }

  private Behavior<ActorMessage> onAnswer() {
    if (--left > 0) {
      ask();
    } else {
      asking.done().complete(System.nanoTime() - beginNs);
    }
    return this;
  }

  private Behavior<ActorMessage> onTellAll(TellAll order) {
    telling = order;
    sent = 0;
    order
        .target()
        .tell(new Open(order.byAkka(), TransferKind.half(order.window()), getContext().getSelf()));
    return this;
  }

  private Behavior<ActorMessage> onState(State state) {
    if (!state.isHalf()) {
      beginNs = System.nanoTime();
      sendWithin(0);
    } else if (state.received() >= telling.count()) {
      telling.done().complete(System.nanoTime() - beginNs);
    } else {
      sendWithin(state.received());
    }
    return this;
  }

  private void sendWithin(long received) {
    long mayBeSent = Math.min(telling.count(), received + telling.window());
    for (; sent < mayBeSent; sent++) {
      telling.target().tell(new Shot(telling.body()));
    }
  }

  private Behavior<ActorMessage> onFailed(Failed failed) {
    asking.done().completeExceptionally(failed.reason());
    return this;
  }
}
