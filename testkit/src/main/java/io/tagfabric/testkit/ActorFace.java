package io.tagfabric.testkit;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Receives by an actor that tells the matcher. */
final class ActorFace extends ProbeFace {
  private sealed interface Command {}

  private record Outcome(TagMatcher.ReceiveOutcome outcome) implements Command {}

  private enum Stop implements Command {
    INSTANCE
  }

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Endpoint endpoint;
  private final ConcurrentLinkedQueue<TagMatcher.ReceiveOutcome> outcomes =
      new ConcurrentLinkedQueue<>();
  private final ActorRef<Command> actor;
  private ActorRef<TagMatcher.ReceiveOutcome> adapter;

  ActorFace(TestFabric fabric, Endpoint endpoint) {
    super(fabric);
    this.endpoint = endpoint;
    ConcurrentLinkedQueue<ActorRef<TagMatcher.ReceiveOutcome>> made = new ConcurrentLinkedQueue<>();
    Behavior<Command> behavior =
        Behaviors.setup(
            context -> {
              made.add(context.messageAdapter(TagMatcher.ReceiveOutcome.class, Outcome::new));
              return Behaviors.receive(Command.class)
                  .onMessage(Outcome.class, this::onOutcome)
                  .onMessage(Stop.class, stop -> Behaviors.stopped())
                  .build();
            });
    actor =
        fabric
            .system()
            .systemActorOf(behavior, "tagfabric-probe-" + NUMBER.incrementAndGet(), Props.empty());
    fabric.await(() -> (adapter = made.peek()) != null, "start of the probe's actor");
  }

  /** Thread: the actor's. */
  private Behavior<Command> onOutcome(Outcome told) {
    outcomes.add(told.outcome());
    return Behaviors.same();
  }

  @Override
  TaggedMessage receive(TagSelector selector, Duration timeout) {
    Object context = new Object();
    endpoint
        .matcher()
        .tell(
            new TagMatcher.PostReceive(
                TaggedReceive.of(selector).atMost(endpoint.settings().maxMessageBytes()),
                context,
                adapter));
    boolean cancelled =
        !isMet(() -> !outcomes.isEmpty(), timeout)
            && fabric().await(endpoint.futures().cancel(context)) instanceof TagMatcher.Cancelled;
    fabric().await(() -> !outcomes.isEmpty(), "end of a receive of the probe");
    TagMatcher.ReceiveOutcome outcome = outcomes.remove();
    if (outcome instanceof TagMatcher.NotReceived not) {
      if (cancelled) {
        return null;
      }
      throw exception(not.failure());
    }
    return ((TagMatcher.Received) outcome).message();
  }

  @Override
  void stop() {
    actor.tell(Stop.INSTANCE);
  }
}
