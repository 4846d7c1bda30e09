package io.tagfabric.simulation.swarm;

import akka.actor.typed.ActorRef;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.MembershipNotice.News;
import io.tagfabric.runtime.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the nodes of a run hear of one another where a cluster says who is there: in the order in
 * which it happened, each node at times of its own. Who stands still for longer than {@link
 * #SILENCE_NS} is unreachable to the others until it goes on, and may take the others for
 * unreachable then, for a moment.
 */
final class Cluster {
  /** After so long a silence a node is unreachable, as with Akka's failure detector in a job. */
  static final long SILENCE_NS = 3_000_000_000L;

  private static final long MICROSECOND = 1_000L;
  private static final int MOST_DELAY_US = 20_000;

  /** A heartbeat comes in this time. */
  private static final int MOST_ASIDE_US = 1_000_000;

  private final SeedRun run;
  private final Map<NodeId, Member> members = new HashMap<>();

  Cluster(SeedRun run) {
    this.run = run;
  }

  /** What one node hears. */
  private final class Member implements Membership {
    private final NodeId self;
    private final List<ActorRef<MembershipNotice>> subscribers = new ArrayList<>();
    private Node node;
    private long lastNs;

    Member(NodeId self) {
      this.self = self;
    }

    @Override
    public NodeId self() {
      return self;
    }

    @Override
    public Status status() {
      return node == null ? Status.JOINING : Status.MEMBER;
    }

    @Override
    public void subscribe(ActorRef<MembershipNotice> subscriber) {
      subscribers.add(subscriber);
    }

    @Override
    public void join(String seed) {
      throw refused("join");
    }

    @Override
    public void leave() {
      throw refused("leave");
    }

    @Override
    public void down(String address) {
      throw refused("down");
    }

    @Override
    public void keepMajority(int size, String seed) {
      throw refused("keepMajority");
    }

    private UnsupportedOperationException refused(String what) {
      return new UnsupportedOperationException(what + " is the run's, no program calls it");
    }

    private void hear(Node of, News news, int mostDelayUs) {
      long atNs = now() + MICROSECOND * run.choices().below(mostDelayUs);
      lastNs = Math.max(lastNs, atNs);
      MembershipNotice notice = new MembershipNotice(idOf(of), news);
      run.scheduler().at(lastNs, () -> tell(of, notice));
    }

    private void tell(Node of, MembershipNotice notice) {
      if (node.isAlive()) {
        run.trace()
            .note(
                76,
                node.number(),
                of.number(),
                notice.news().name().hashCode(),
                () -> "cluster " + node + " hears that " + of + " is " + notice.news());
        subscribers.forEach(subscriber -> subscriber.tell(notice));
      }
    }
  }

  private long now() {
    return run.scheduler().clock().nanoTime();
  }

  private static NodeId idOf(Node node) {
    return new NodeId(node.simulated.address().node(), node.simulated.address().incarnation());
  }

  private Member memberOf(Node node) {
    return members.get(idOf(node));
  }

  /** What a node that is about to open gets. */
  Membership open(NodeId self) {
    return members.computeIfAbsent(self, Member::new);
  }

  /** A node is let in: it hears of all that are there, and they of it. */
  void join(Node node) {
    memberOf(node).node = node;
    for (Node other : run.nodes()) {
      if (other.isAlive()) {
        memberOf(node).hear(other, News.UP, MOST_DELAY_US);
        if (other != node) {
          memberOf(other).hear(node, News.UP, MOST_DELAY_US);
        }
      }
    }
  }

  /** Others have heard nothing of a node for too long. */
  void silent(Node node) {
    tellOthers(node, News.UNREACHABLE, MOST_DELAY_US);
  }

  /** A node that was silent for too long is heard again. */
  void heard(Node node) {
    tellOthers(node, News.REACHABLE, MOST_DELAY_US);
    if (run.choices().below(2) == 1) {
      for (Node other : run.nodes()) {
        if (other != node && other.isAlive() && !other.simulated.isPaused()) {
          memberOf(node).hear(other, News.UNREACHABLE, 1);
          memberOf(node).hear(other, News.REACHABLE, MOST_ASIDE_US);
        }
      }
    }
  }

  /** A node is given up. */
  void down(Node node, int mostDelayUs) {
    tellOthers(node, News.DOWNED, mostDelayUs);
    tellOthers(node, News.REMOVED, mostDelayUs);
  }

  private void tellOthers(Node of, News news, int mostDelayUs) {
    for (Node other : run.nodes()) {
      if (other != of && other.isAlive()) {
        memberOf(other).hear(of, news, mostDelayUs);
      }
    }
  }
}
