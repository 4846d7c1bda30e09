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
import io.tagfabric.runtime.NodeStatus;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the membership says of the nodes, for the domains: which are members, which of these are
 * reachable now, and which are gone. Its verdict is that of the membership, and no quicker: a node
 * that is unreachable stays a member until it is downed or removed. Without a membership all nodes
 * are unknown, and none is ever gone.
 */
final class NodeHealth {
  /** Hears of nodes that are gone. Thread: that of the watching actor; it must not block. */
  interface Listener {
    /** A node was downed or removed, or it has left in order. */
    void onDeparture(NodeDeparture departure);

    /**
     * Nothing is to be expected of a node: it was downed or removed, or it has left in order and
     * its domains had their time to say goodbye.
     */
    void onGone(NodeDeparture departure);
  }

  private final Map<NodeId, NodeStatus> nodes = new ConcurrentHashMap<>();

  /**
   * Watches the nodes that a system hears of.
   *
   * @param goodbyeTimeout how long the domains of a node that has left in order may stay open
   */
  static NodeHealth watch(
      ActorSystem<?> system, Membership membership, Duration goodbyeTimeout, Listener listener) {
    NodeHealth health = new NodeHealth();
    system.systemActorOf(
        Watcher.create(health, membership, goodbyeTimeout, listener),
        "tagfabric-membership",
        GuardedMailbox.props());
    return health;
  }

  /** What is known of an endpoint's node. Thread: any. */
  NodeStatus of(EndpointAddress address) {
    return nodes.getOrDefault(
        new NodeId(address.node(), address.incarnation()), NodeStatus.UNKNOWN);
  }

  private static final class Watcher extends AbstractBehavior<Watcher.Command> {
    sealed interface Command {}

    private record Noticed(MembershipNotice notice) implements Command {}

    private record Overdue(NodeId node) implements Command {}

    private final NodeHealth health;
    private final Duration goodbyeTimeout;
    private final Listener listener;
    private final TimerScheduler<Command> timers;

    /** There still is news of a node that is gone for us, such as that it is unreachable. */
    private final Set<NodeId> departed = new HashSet<>();

    private Watcher(
        ActorContext<Command> context,
        TimerScheduler<Command> timers,
        NodeHealth health,
        Membership membership,
        Duration goodbyeTimeout,
        Listener listener) {
      super(context);
      this.timers = timers;
      this.health = health;
      this.goodbyeTimeout = goodbyeTimeout;
      this.listener = listener;
      membership.subscribe(context.messageAdapter(MembershipNotice.class, Noticed::new));
    }

    static Behavior<Command> create(
        NodeHealth health, Membership membership, Duration goodbyeTimeout, Listener listener) {
      return Behaviors.setup(
          context ->
              Behaviors.withTimers(
                  timers ->
                      new Watcher(context, timers, health, membership, goodbyeTimeout, listener)));
    }

    @Override
    public Receive<Command> createReceive() {
      return newReceiveBuilder()
          .onMessage(Noticed.class, this::onNoticed)
          .onMessage(Overdue.class, this::onOverdue)
          .build();
    }

    private Behavior<Command> onNoticed(Noticed noticed) {
      NodeId node = noticed.notice().node();
      switch (noticed.notice().news()) {
        case SEEN, UP -> {
          if (!departed.contains(node)) {
            health.nodes.putIfAbsent(node, NodeStatus.REACHABLE);
          }
        }
        case UNREACHABLE -> heard(node, NodeStatus.UNREACHABLE);
        case REACHABLE -> heard(node, NodeStatus.REACHABLE);
        case DOWNED -> gone(node, "its node was downed");
        case REMOVED -> gone(node, "its node was removed");
        case LEFT -> left(node);
      }
      return this;
    }

    private void heard(NodeId node, NodeStatus status) {
      if (!departed.contains(node)) {
        health.nodes.put(node, status);
      }
    }

    private void gone(NodeId node, String detail) {
      if (departs(node)) {
        NodeDeparture departure = departure(node, false, detail);
        listener.onGone(departure);
        listener.onDeparture(departure);
      }
    }

    /** Its domains close behind its membership, and say goodbye themselves. */
    private void left(NodeId node) {
      if (departs(node)) {
        listener.onDeparture(departure(node, true, "its node left the cluster"));
        timers.startSingleTimer(node, new Overdue(node), goodbyeTimeout);
      }
    }

    private Behavior<Command> onOverdue(Overdue overdue) {
      listener.onGone(
          departure(
              overdue.node(),
              true,
              "its node left the cluster, and has not said goodbye within flow.peer-timeout="
                  + goodbyeTimeout.toMillis()
                  + " ms"));
      return this;
    }

    private boolean departs(NodeId node) {
      return health.nodes.remove(node) != null && departed.add(node);
    }

    private static NodeDeparture departure(NodeId node, boolean orderly, String detail) {
      return new NodeDeparture(node.address(), node.incarnation(), orderly, detail);
    }
  }
}
