package io.tagfabric.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Watches actors of this node for peers, and those that are exposed by name. */
final class RefAgent extends AbstractBehavior<RefAgent.Command> {
  /** What it can be told. */
  sealed interface Command {}

  /** A peer watches an actor by this number. */
  record Watch(ActorRef<?> target, Road road, int number) implements Command {
    Watch {
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(road, "road");
    }
  }

  /** It does not any more. */
  record Unwatch(ActorRef<?> target, Road road, int number) implements Command {
    Unwatch {
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(road, "road");
    }
  }

  /** A peer is lost. */
  record Forget(Road road) implements Command {
    Forget {
      Objects.requireNonNull(road, "road");
    }
  }

  /** An actor has got a name, which it loses when it ends. */
  record Named(ActorRef<?> target, String name) implements Command {
    Named {
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(name, "name");
    }
  }

  private record Watcher(Road road, int number) {}

  /** Why an actor is watched. */
  private static final class Reasons {
    private final Set<Watcher> watchers = new LinkedHashSet<>();
    private final Set<String> names = new LinkedHashSet<>();
  }

  private final RefNode node;
  private final Map<ActorRef<?>, Reasons> reasons = new LinkedHashMap<>();

  private RefAgent(ActorContext<Command> context, RefNode node) {
    super(context);
    this.node = node;
  }

  static Behavior<Command> create(RefNode node) {
    return Behaviors.setup(context -> new RefAgent(context, node));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Watch.class, this::onWatch)
        .onMessage(Unwatch.class, this::onUnwatch)
        .onMessage(Forget.class, this::onForget)
        .onMessage(Named.class, this::onNamed)
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  private Reasons reasonsOf(ActorRef<?> target) {
    Reasons known = reasons.get(target);
    if (known == null) {
      known = new Reasons();
      reasons.put(target, known);
      getContext().watch(target);
    }
    return known;
  }

  private void endUnlessNeeded(ActorRef<?> target, Reasons its) {
    if (its.watchers.isEmpty() && its.names.isEmpty()) {
      reasons.remove(target);
      getContext().unwatch(target);
    }
  }

  private Behavior<Command> onWatch(Watch watch) {
    reasonsOf(watch.target).watchers.add(new Watcher(watch.road, watch.number));
    return this;
  }

  private Behavior<Command> onUnwatch(Unwatch unwatch) {
    Reasons its = reasons.get(unwatch.target);
    if (its != null && its.watchers.remove(new Watcher(unwatch.road, unwatch.number))) {
      endUnlessNeeded(unwatch.target, its);
    }
    return this;
  }

  private Behavior<Command> onForget(Forget forget) {
    for (ActorRef<?> target : List.copyOf(reasons.keySet())) {
      Reasons its = reasons.get(target);
      if (its.watchers.removeIf(watcher -> watcher.road == forget.road)) {
        endUnlessNeeded(target, its);
      }
    }
    return this;
  }

  private Behavior<Command> onNamed(Named named) {
    reasonsOf(named.target).names.add(named.name);
    return this;
  }

  private Behavior<Command> onTerminated(Terminated terminated) {
    ActorRef<?> target = terminated.getRef();
    Reasons its = reasons.remove(target);
    if (its != null) {
      its.watchers.forEach(watcher -> watcher.road.tellGone(watcher.number));
      its.names.forEach(name -> node.unexpose(name, target));
    }
    return this;
  }
}
