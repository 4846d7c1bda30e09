package io.tagfabric.fabric;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.progress.GuardedMailbox;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.NodeId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * What the membership says of the nodes, for the domains: which are reachable now, and which are
 * gone for good. Without one nothing is known and nothing ever gone.
 */
final class NodeHealth {
  private enum Health {
    REACHABLE,
    UNREACHABLE
  }

  private final Map<NodeId, Health> nodes = new ConcurrentHashMap<>();

  /** Watches the nodes that a system hears of. */
  static NodeHealth watch(
      ActorSystem<?> system,
      Membership membership,
      Duration unreachableTimeout,
      Consumer<NodeDeparture> onGone) {
    NodeHealth health = new NodeHealth();
    system.systemActorOf(
        Watcher.create(health, membership, unreachableTimeout, onGone),
        "tagfabric-membership",
        GuardedMailbox.props());
    return health;
  }

  /** Whether an endpoint's node is known to be up and reachable. Thread: any. */
  boolean isReachable(EndpointAddress address) {
    return nodes.get(new NodeId(address.node(), address.incarnation())) == Health.REACHABLE;
  }

  private static final class Watcher extends AbstractBehavior<Watcher.Command> {
    sealed interface Command {}

    private record Noticed(MembershipNotice notice) implements Command {}

    private record UnreachableTick(NodeId node) implements Command {}

    private final NodeHealth health;
    private final Duration unreachableTimeout;
    private final Consumer<NodeDeparture> onGone;
    private final TimerScheduler<Command> timers;

    /** There still is news of a node that is gone for us, such as that it is unreachable. */
    private final Set<NodeId> departed = new HashSet<>();

    private Watcher(
        ActorContext<Command> context,
        TimerScheduler<Command> timers,
        NodeHealth health,
        Membership membership,
        Duration unreachableTimeout,
        Consumer<NodeDeparture> onGone) {
      super(context);
      this.timers = timers;
      this.health = health;
      this.unreachableTimeout = unreachableTimeout;
      this.onGone = onGone;
      membership.subscribe(context.messageAdapter(MembershipNotice.class, Noticed::new));
    }

    static Behavior<Command> create(
        NodeHealth health,
        Membership membership,
        Duration unreachableTimeout,
        Consumer<NodeDeparture> onGone) {
      return Behaviors.setup(
          context ->
              Behaviors.withTimers(
                  timers ->
                      new Watcher(
                          context, timers, health, membership, unreachableTimeout, onGone)));
    }

    @Override
    public Receive<Command> createReceive() {
      return newReceiveBuilder()
          .onMessage(Noticed.class, this::onNoticed)
          .onMessage(UnreachableTick.class, this::onUnreachableTick)
          .build();
    }

    private Behavior<Command> onNoticed(Noticed noticed) {
      NodeId node = noticed.notice().node();
      switch (noticed.notice().news()) {
        case SEEN, UP -> {
          if (!departed.contains(node)) {
            health.nodes.putIfAbsent(node, Health.REACHABLE);
          }
        }
        case UNREACHABLE -> unreachable(node);
        case REACHABLE -> {
          if (!departed.contains(node)) {
            health.nodes.put(node, Health.REACHABLE);
            timers.cancel(node);
          }
        }
        case DOWNED -> gone(node, false, "its node was downed");
        case LEFT -> gone(node, true, "its node left the cluster");
        case REMOVED -> gone(node, false, "its node was removed");
      }
      return this;
    }

    private void unreachable(NodeId node) {
      if (!departed.contains(node)) {
        health.nodes.put(node, Health.UNREACHABLE);
        timers.startSingleTimer(node, new UnreachableTick(node), unreachableTimeout);
      }
    }

    private Behavior<Command> onUnreachableTick(UnreachableTick tick) {
      if (health.nodes.get(tick.node()) == Health.UNREACHABLE) {
        gone(
            tick.node(),
            false,
            "its node was unreachable for longer than membership.unreachable-timeout="
                + unreachableTimeout.toMillis()
                + " ms");
      }
      return this;
    }

    private void gone(NodeId node, boolean orderly, String detail) {
      timers.cancel(node);
      if (health.nodes.remove(node) != null) {
        departed.add(node);
        onGone.accept(new NodeDeparture(node.address(), node.incarnation(), orderly, detail));
      }
    }
  }
}
