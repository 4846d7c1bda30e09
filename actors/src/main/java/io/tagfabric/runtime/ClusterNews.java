package io.tagfabric.runtime;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.cluster.Cluster;
import akka.cluster.ClusterEvent;
import akka.cluster.Member;
import akka.cluster.MemberStatus;

/** Tells one actor, until it ends, what Akka Cluster says of its members. */
final class ClusterNews extends AbstractBehavior<ClusterNews.Command> {
  /** Its messages. */
  sealed interface Command {}

  private record FirstSeen(ClusterEvent.CurrentClusterState state) implements Command {}

  private record MemberChanged(ClusterEvent.MemberEvent event) implements Command {}

  private record ReachabilityChanged(ClusterEvent.ReachabilityEvent event) implements Command {}

  private enum SubscriberEnded implements Command {
    INSTANCE
  }

  private final Cluster cluster;
  private final ActorRef<MembershipNotice> subscriber;

  /** Whether this node leaves in order. */
  private boolean leaves;

  private ClusterNews(ActorContext<Command> context, ActorRef<MembershipNotice> subscriber) {
    super(context);
    this.subscriber = subscriber;
    context.watchWith(subscriber, SubscriberEnded.INSTANCE);
    cluster = Cluster.get(Adapter.toClassic(context.getSystem()));
    // All adapters of an actor are one reference. Akka's typed subscription has no snapshot, so who
    // subscribes late cannot tell when it has heard of all.
    context.messageAdapter(ClusterEvent.MemberEvent.class, MemberChanged::new);
    context.messageAdapter(ClusterEvent.ReachabilityEvent.class, ReachabilityChanged::new);
    cluster.subscribe(
        Adapter.toClassic(
            context.messageAdapter(ClusterEvent.CurrentClusterState.class, FirstSeen::new)),
        ClusterEvent.initialStateAsSnapshot(),
        ClusterEvent.MemberEvent.class,
        ClusterEvent.ReachabilityEvent.class);
  }

  static Behavior<Command> create(ActorRef<MembershipNotice> subscriber) {
    return Behaviors.setup(context -> new ClusterNews(context, subscriber));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(FirstSeen.class, this::onFirstSeen)
        .onMessage(MemberChanged.class, this::onMemberChanged)
        .onMessage(ReachabilityChanged.class, this::onReachabilityChanged)
        .onMessage(SubscriberEnded.class, notUsed -> onSubscriberEnded())
        .build();
  }

  /** This node comes last: who hears of it has heard of the others. */
  private Behavior<Command> onFirstSeen(FirstSeen first) {
    Member self = null;
    for (Member member : first.state().getMembers()) {
      if (member.uniqueAddress().equals(cluster.selfUniqueAddress())) {
        self = member;
      } else {
        seen(member);
      }
    }
    first.state().getUnreachable().forEach(each -> tell(each, MembershipNotice.News.UNREACHABLE));
    if (self != null) {
      leaves = isOnItsWayOut(self.status());
      seen(self);
    }
    return this;
  }

  private void seen(Member member) {
    if (member.status().equals(MemberStatus.down())) {
      tell(member, MembershipNotice.News.DOWNED);
    } else if (member.status().equals(MemberStatus.up())) {
      tell(member, MembershipNotice.News.UP);
    } else {
      tell(member, MembershipNotice.News.SEEN);
    }
  }

  private Behavior<Command> onMemberChanged(MemberChanged changed) {
    ClusterEvent.MemberEvent event = changed.event();
    if (event.member().uniqueAddress().equals(cluster.selfUniqueAddress())) {
      boolean isRemoved = event instanceof ClusterEvent.MemberRemoved;
      leaves = isOnItsWayOut(event.member().status()) || (isRemoved && leaves);
    }
    if (event instanceof ClusterEvent.MemberRemoved removed) {
      boolean orderly = isOrderly(removed);
      tell(event.member(), orderly ? MembershipNotice.News.LEFT : MembershipNotice.News.REMOVED);
    } else {
      seen(event.member());
    }
    return this;
  }

  private static boolean isOnItsWayOut(MemberStatus status) {
    return status.equals(MemberStatus.leaving()) || status.equals(MemberStatus.exiting());
  }

  /**
   * When its own node has left, Akka calls all other members removed: they are only out of sight.
   */
  private boolean isOrderly(ClusterEvent.MemberRemoved removed) {
    return removed.previousStatus().equals(MemberStatus.exiting())
        || (leaves && cluster.isTerminated());
  }

  private Behavior<Command> onReachabilityChanged(ReachabilityChanged changed) {
    ClusterEvent.ReachabilityEvent event = changed.event();
    tell(
        event.member(),
        event instanceof ClusterEvent.UnreachableMember
            ? MembershipNotice.News.UNREACHABLE
            : MembershipNotice.News.REACHABLE);
    return this;
  }

  private Behavior<Command> onSubscriberEnded() {
    return Behaviors.stopped();
  }

  private void tell(Member member, MembershipNotice.News news) {
    NodeId node =
        new NodeId(member.uniqueAddress().address().toString(), member.uniqueAddress().longUid());
    subscriber.tell(new MembershipNotice(node, news));
  }
}
