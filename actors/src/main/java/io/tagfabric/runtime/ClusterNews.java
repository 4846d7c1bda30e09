package io.tagfabric.runtime;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.cluster.ClusterEvent;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Subscribe;

/** Tells one actor, until it ends, what Akka Cluster says of its members. */
final class ClusterNews extends AbstractBehavior<ClusterNews.Command> {
  /** Its messages. */
  sealed interface Command {}

  private record MemberChanged(ClusterEvent.MemberEvent event) implements Command {}

  private record ReachabilityChanged(ClusterEvent.ReachabilityEvent event) implements Command {}

  private enum SubscriberEnded implements Command {
    INSTANCE
  }

  private final ActorRef<MembershipNotice> subscriber;
  private final Cluster cluster;

  /** Whether this node leaves in order. */
  private boolean leaves;

  private ClusterNews(ActorContext<Command> context, ActorRef<MembershipNotice> subscriber) {
    super(context);
    this.subscriber = subscriber;
    context.watchWith(subscriber, SubscriberEnded.INSTANCE);
    cluster = Cluster.get(context.getSystem());
    var subscriptions = cluster.subscriptions();
    subscriptions.tell(
        Subscribe.create(
            context.messageAdapter(ClusterEvent.MemberEvent.class, MemberChanged::new),
            ClusterEvent.MemberEvent.class));
    subscriptions.tell(
        Subscribe.create(
            context.messageAdapter(ClusterEvent.ReachabilityEvent.class, ReachabilityChanged::new),
            ClusterEvent.ReachabilityEvent.class));
  }

  static Behavior<Command> create(ActorRef<MembershipNotice> subscriber) {
    return Behaviors.setup(context -> new ClusterNews(context, subscriber));
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(MemberChanged.class, this::onMemberChanged)
        .onMessage(ReachabilityChanged.class, this::onReachabilityChanged)
        .onMessage(SubscriberEnded.class, notUsed -> onSubscriberEnded())
        .build();
  }

  private Behavior<Command> onMemberChanged(MemberChanged changed) {
    ClusterEvent.MemberEvent event = changed.event();
    if (event.member().uniqueAddress().equals(cluster.selfMember().uniqueAddress())) {
      leaves = isOnItsWayOut(event);
    }
    if (event instanceof ClusterEvent.MemberRemoved removed) {
      boolean orderly = isOrderly(removed);
      tell(event.member(), orderly ? MembershipNotice.News.LEFT : MembershipNotice.News.REMOVED);
    } else if (event instanceof ClusterEvent.MemberDowned) {
      tell(event.member(), MembershipNotice.News.DOWNED);
    } else if (event.member().status().equals(MemberStatus.up())) {
      tell(event.member(), MembershipNotice.News.UP);
    } else {
      tell(event.member(), MembershipNotice.News.SEEN);
    }
    return this;
  }

  private static boolean isOnItsWayOut(ClusterEvent.MemberEvent event) {
    return event instanceof ClusterEvent.MemberLeft
        || event instanceof ClusterEvent.MemberExited
        || (event instanceof ClusterEvent.MemberRemoved removed
            && removed.previousStatus().equals(MemberStatus.exiting()));
  }

  /** When its own node has left, Akka calls all other members removed: they are only out of sight. */
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
