package io.tagfabric.bench.ours;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.bench.ours.ActorMessage.Open;
import io.tagfabric.bench.ours.ActorMessage.Question;
import io.tagfabric.bench.ours.ActorMessage.Shot;
import io.tagfabric.bench.ours.ActorMessage.State;

/** The actor of rank 1: answers questions and counts shots. */
final class ActorTarget extends AbstractBehavior<ActorMessage> {
  private long received;
  private int half;
  private ActorRef<ActorMessage> shooter;

  private ActorTarget(ActorContext<ActorMessage> context) {
    super(context);
  }

  static Behavior<ActorMessage> create() {
    return Behaviors.setup(ActorTarget::new);
  }

  @Override
  public Receive<ActorMessage> createReceive() {
    return newReceiveBuilder()
        .onMessage(Question.class, this::onQuestion)
        .onMessage(Shot.class, shot -> onShot())
        .onMessage(Open.class, this::onOpen)
        .build();
  }

  private Behavior<ActorMessage> onQuestion(Question question) {
    question.replyTo().tell(new ActorMessage.Answer(question.body()));
    return this;
  }

  private Behavior<ActorMessage> onShot() {
    received++;
    if (half > 0 && received % half == 0) {
      shooter.tell(new State(true, received, 0));
    }
    return this;
  }

  private Behavior<ActorMessage> onOpen(Open open) {
    open.replyTo().tell(new State(false, received, ActorMessage.cpuNs()));
    received = 0;
    half = open.half();
    shooter = open.replyTo();
    return this;
  }
}
