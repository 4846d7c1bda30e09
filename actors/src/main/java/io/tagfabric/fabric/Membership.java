package io.tagfabric.fabric;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.ClusterEvent;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.UniqueAddress;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Subscribe;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.progress.GuardedMailbox;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * What the cluster knows of the nodes, for the domains: which are reachable now, and which are gone
 * for good. Without a cluster nothing is known and nothing ever gone.
 */
final class Membership {
  private enum Health {
    REACHABLE,
    UNREACHABLE
  }

  private record Node(String address, long incarnation) {
    static Node of(UniqueAddress unique) {
      return new Node(unique.address().toString(), unique.longUid());
    }
  }

  private static final Set<String> CLUSTER_PROVIDERS =
      Set.of("cluster", "akka.cluster.ClusterActorRefProvider");

  private final Map<Node, Health> nodes = new ConcurrentHashMap<>();

  /** Watches the cluster of a system, if it has one. */
  static Membership of(
      ActorSystem<?> system, Duration unreachableTimeout, Consumer<NodeDeparture> onGone) {
    Membership membership = new Membership();
    if (isClustered(system)) {
      system.systemActorOf(
          Watcher.create(membership, unreachableTimeout, onGone),
          "tagfabric-membership",
          GuardedMailbox.props());
    }
    return membership;
  }

  /** Whether a system can join a cluster. */
  static boolean isClustered(ActorSystem<?> system) {
    return CLUSTER_PROVIDERS.contains(system.settings().config().getString("akka.actor.provider"));
  }

  /** Whether the cluster says that an endpoint's node is up and reachable. Thread: any. */
  boolean isReachable(EndpointAddress address) {
    return nodes.get(new Node(address.node(), address.incarnation())) == Health.REACHABLE;
  }

  private static final class Watcher extends AbstractBehavior<Watcher.Command> {
    sealed interface Command {}

    record MemberChanged(ClusterEvent.MemberEvent event) implements Command {}

    record ReachabilityChanged(ClusterEvent.ReachabilityEvent event) implements Command {}

    private record UnreachableTick(Node node) implements Command {}

    private final Membership membership;
    private final Duration unreachableTimeout;
    private final Consumer<NodeDeparture> onGone;
    private final TimerScheduler<Command> timers;

    /** The cluster still has news of a node that is gone for us, such as that it is unreachable. */
    private final Set<Node> departed = new HashSet<>();

    private Watcher(
        ActorContext<Command> context,
        TimerScheduler<Command> timers,
        Membership membership,
        Duration unreachableTimeout,
        Consumer<NodeDeparture> onGone) {
      super(context);
      this.timers = timers;
      this.membership = membership;
      this.unreachableTimeout = unreachableTimeout;
      this.onGone = onGone;
      Cluster cluster = Cluster.get(context.getSystem());
      ActorRef<ClusterEvent.MemberEvent> members =
          context.messageAdapter(ClusterEvent.MemberEvent.class, MemberChanged::new);
      ActorRef<ClusterEvent.ReachabilityEvent> reachability =
          context.messageAdapter(ClusterEvent.ReachabilityEvent.class, ReachabilityChanged::new);
      cluster.subscriptions().tell(Subscribe.create(members, ClusterEvent.MemberEvent.class));
      cluster
          .subscriptions()
          .tell(Subscribe.create(reachability, ClusterEvent.ReachabilityEvent.class));
    }

    static Behavior<Command> create(
        Membership membership, Duration unreachableTimeout, Consumer<NodeDeparture> onGone) {
      return Behaviors.setup(
          context ->
              Behaviors.withTimers(
                  timers -> new Watcher(context, timers, membership, unreachableTimeout, onGone)));
    }

    @Override
    public Receive<Command> createReceive() {
      return newReceiveBuilder()
          .onMessage(MemberChanged.class, this::onMemberChanged)
          .onMessage(ReachabilityChanged.class, this::onReachabilityChanged)
          .onMessage(UnreachableTick.class, this::onUnreachableTick)
          .build();
    }

    private Behavior<Command> onMemberChanged(MemberChanged changed) {
      Member member = changed.event().member();
      Node node = Node.of(member.uniqueAddress());
      if (changed.event() instanceof ClusterEvent.MemberRemoved removed) {
        boolean orderly = removed.previousStatus().equals(MemberStatus.exiting());
        gone(node, orderly, orderly ? "its node left the cluster" : "its node was removed");
      } else if (changed.event() instanceof ClusterEvent.MemberDowned) {
        gone(node, false, "its node was downed");
      } else if (!departed.contains(node)) {
        membership.nodes.putIfAbsent(node, Health.REACHABLE);
      }
      return this;
    }

    private Behavior<Command> onReachabilityChanged(ReachabilityChanged changed) {
      Node node = Node.of(changed.event().member().uniqueAddress());
      if (departed.contains(node)) {
        return this;
      }
      if (changed.event() instanceof ClusterEvent.UnreachableMember) {
        membership.nodes.put(node, Health.UNREACHABLE);
        timers.startSingleTimer(node, new UnreachableTick(node), unreachableTimeout);
      } else {
        membership.nodes.put(node, Health.REACHABLE);
        timers.cancel(node);
      }
      return this;
    }

    private Behavior<Command> onUnreachableTick(UnreachableTick tick) {
      if (membership.nodes.get(tick.node()) == Health.UNREACHABLE) {
        gone(
            tick.node(),
            false,
            "its node was unreachable for longer than membership.unreachable-timeout="
                + unreachableTimeout.toMillis()
                + " ms");
      }
      return this;
    }

    private void gone(Node node, boolean orderly, String detail) {
      timers.cancel(node);
      if (membership.nodes.remove(node) != null) {
        departed.add(node);
        onGone.accept(new NodeDeparture(node.address(), node.incarnation(), orderly, detail));
      }
    }
  }
}
