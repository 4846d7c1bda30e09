package io.tagfabric.architecture.example;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Receive;

/** An actor that forgot one of its commands. */
public final class Forgetful extends AbstractBehavior<Forgetful.Command> {
  /** What the actor can be told. */
  public sealed interface Command {}

  /** Has a handler. */
  public record Kept(int number) implements Command {}

  /** Has commands of its own. */
  public sealed interface Inner extends Command {}

  /** Has no handler. */
  public record Forgotten(int number) implements Inner {}

  private enum SweepTick implements Command {
    INSTANCE
  }

  Forgetful(ActorContext<Command> context) {
    super(context);
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Kept.class, this::onKept)
        .onMessageEquals(SweepTick.INSTANCE, this::onSweepTick)
        .build();
  }

  private Behavior<Command> onKept(Kept kept) {
    return kept.number() == 0 ? this : onSweepTick();
  }

  private Behavior<Command> onSweepTick() {
    return this;
  }
}
