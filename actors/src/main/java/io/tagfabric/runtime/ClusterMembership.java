package io.tagfabric.runtime;

import akka.actor.AddressFromURIString;
import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Down;
import akka.cluster.typed.Join;
import akka.cluster.typed.Leave;
import io.tagfabric.progress.GuardedMailbox;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Membership by Akka Cluster; of a system that cannot join one it knows nothing but itself. */
final class ClusterMembership implements Membership {
  private static final Set<String> CLUSTER_PROVIDERS =
      Set.of("cluster", "akka.cluster.ClusterActorRefProvider");

  private final ActorSystem<?> system;
  private final NodeId self;
  private final boolean clustered;
  private final AtomicInteger subscriptions = new AtomicInteger();

  ClusterMembership(ActorSystem<?> system) {
    this.system = system;
    self =
        new NodeId(
            system.address().toString(), ((ExtendedActorSystem) Adapter.toClassic(system)).uid());
    clustered =
        CLUSTER_PROVIDERS.contains(system.settings().config().getString("akka.actor.provider"));
  }

  @Override
  public NodeId self() {
    return self;
  }

  @Override
  public Status status() {
    if (!clustered) {
      return Status.ALONE;
    }
    if (cluster().isTerminated()) {
      return Status.GONE;
    }
    MemberStatus status = cluster().selfMember().status();
    if (status.equals(MemberStatus.removed())) {
      return Status.OUTSIDE; // Akka's word for a node that has not joined, too
    }
    if (status.equals(MemberStatus.down())) {
      return Status.GONE;
    }
    boolean isIn =
        !status.equals(MemberStatus.joining()) && !status.equals(MemberStatus.weaklyUp());
    return isIn ? Status.MEMBER : Status.JOINING;
  }

  @Override
  public void subscribe(ActorRef<MembershipNotice> subscriber) {
    if (clustered) {
      system.systemActorOf(
          ClusterNews.create(subscriber),
          "tagfabric-news-" + subscriptions.incrementAndGet(),
          GuardedMailbox.props());
    }
  }

  @Override
  public void join(String seed) {
    cluster().manager().tell(Join.create(AddressFromURIString.parse(seed)));
  }

  @Override
  public void leave() {
    cluster().manager().tell(Leave.create(cluster().selfMember().address()));
  }

  @Override
  public void down(String address) {
    cluster().manager().tell(Down.apply(AddressFromURIString.parse(address)));
  }

  @Override
  public void keepMajority(int size, String seed) {
    JoiningResolver.start(system, size, AddressFromURIString.parse(seed));
  }

  /** Fails where the system's provider is not of a cluster, and says so. */
  private Cluster cluster() {
    return Cluster.get(system);
  }
}
