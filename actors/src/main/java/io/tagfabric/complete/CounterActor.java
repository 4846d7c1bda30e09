package io.tagfabric.complete;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.tagfabric.error.FabricException;

/** A counter for programs that tell it; runs on the domain's loop. */
final class CounterActor extends AbstractBehavior<Counter.Command> {
  private final Counter counter;

  private CounterActor(ActorContext<Counter.Command> context, Counter counter) {
    super(context);
    this.counter = counter;
  }

  static Behavior<Counter.Command> create(Counter counter) {
    return Behaviors.setup(context -> new CounterActor(context, counter));
  }

  @Override
  public Receive<Counter.Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Counter.Await.class, this::onAwait)
        .onMessage(Counter.Add.class, this::onAdd)
        .onMessage(Counter.AddErrors.class, this::onAddErrors)
        .build();
  }

  private Behavior<Counter.Command> onAwait(Counter.Await await) {
    counter.onAwait(await);
    return this;
  }

  private Behavior<Counter.Command> onAdd(Counter.Add add) {
    return unlessClosed(() -> counter.add(add.amount()));
  }

  private Behavior<Counter.Command> onAddErrors(Counter.AddErrors add) {
    return unlessClosed(() -> counter.addErrors(add.amount()));
  }

  /** The sender cannot know that the counter has been closed meanwhile. */
  private Behavior<Counter.Command> unlessClosed(Runnable count) {
    try {
      count.run();
    } catch (FabricException e) {
      getContext().getLog().debug("counted too late: {}", e.getMessage());
    }
    return this;
  }
}
