package io.tagfabric.simulation.job;

import akka.actor.typed.ActorRef;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.MembershipNotice;
import io.tagfabric.runtime.MembershipNotice.News;
import io.tagfabric.runtime.NodeId;
import io.tagfabric.simulation.network.SimulatedNetwork;
import io.tagfabric.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The membership of a simulated job, as Akka Cluster has it in times: a node that is silent is
 * unreachable after some seconds, and after some more the side with most of the nodes gives it up,
 * while the smaller side ends itself. News reach each node at a time of its own. Thread: the
 * simulation's, or a program's that has the baton.
 */
final class SimulatedCluster {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long UNREACHABLE_NS = TimeUnit.SECONDS.toNanos(3);
  private static final long DOWN_NS = TimeUnit.SECONDS.toNanos(8);
  private static final long NEWS_NS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final int NEWS_JITTER_US = 5_000;
  private static final long NEVER = Long.MAX_VALUE;

  private final Scheduler scheduler;
  private final SimulatedNetwork network;
  private final List<SimulatedRank> ranks;
  private final JobTrace trace;
  private final List<Member> members = new ArrayList<>();
  private boolean over;

  SimulatedCluster(
      Scheduler scheduler, SimulatedNetwork network, List<SimulatedRank> ranks, JobTrace trace) {
    this.scheduler = scheduler;
    this.network = network;
    this.ranks = ranks;
    this.trace = trace;
  }

  /** One node, and what it knows of each other one. */
  final class Member implements Membership {
    private final int rank;
    private final NodeId self;
    private final List<ActorRef<MembershipNotice>> subscribers = new ArrayList<>();
    private final News[] known;
    private final long[] silentSinceNs;
    private Status status = Status.OUTSIDE;

    private Member(int rank, int size, NodeId self) {
      this.rank = rank;
      this.self = self;
      known = new News[size];
      silentSinceNs = new long[size];
      Arrays.fill(silentSinceNs, NEVER);
    }

    @Override
    public NodeId self() {
      return self;
    }

    @Override
    public Status status() {
      return status;
    }

    @Override
    public void subscribe(ActorRef<MembershipNotice> subscriber) {
      subscribers.add(subscriber);
      for (int other = 0; other < known.length; other++) {
        if (known[other] == News.UP || known[other] == News.UNREACHABLE) {
          subscriber.tell(new MembershipNotice(members.get(other).self, News.UP));
        }
      }
    }

    @Override
    public void join(String seed) {
      if (status == Status.OUTSIDE) {
        status = Status.JOINING;
        tryToJoin(seed);
      }
    }

    private void tryToJoin(String seed) {
      if (over || status != Status.JOINING || ranks.get(rank).hasEnded()) {
        return;
      }
      Member first = of(seed);
      boolean isIn =
          first == this || (first != null && first.status == Status.MEMBER && hears(first.rank));
      if (!isIn) {
        scheduler.after(LOOK_NS, () -> tryToJoin(seed));
        return;
      }
      status = Status.MEMBER;
      for (Member each : members) {
        if (each.status == Status.MEMBER && !ranks.get(each.rank).hasEnded()) {
          hear(each, News.UP);
          each.hear(this, News.UP);
        }
      }
    }

    @Override
    public void leave() {
      tellAll(this, News.LEFT);
      status = Status.GONE;
    }

    @Override
    public void down(String address) {
      Member gone = of(address);
      if (gone != null) {
        trace.givenUp(gone.rank, rank);
        tellAll(gone, News.DOWNED);
        gone.end();
      }
    }

    @Override
    public void keepMajority(int size, String seed) {
      // All nodes always do.
    }

    private void end() {
      if (status == Status.OUTSIDE || status == Status.GONE) {
        return;
      }
      status = Status.GONE;
      if (!ranks.get(rank).hasEnded()) {
        scheduler.after(delayNs(), ranks.get(rank)::downed);
      }
    }

    /** Hears of a node, later; what is final is told once. */
    private void hear(Member of, News news) {
      if (known[of.rank] == news || isFinal(known[of.rank])) {
        return;
      }
      known[of.rank] = news;
      scheduler.after(
          delayNs(),
          () -> {
            if (!over && !ranks.get(rank).hasEnded()) {
              subscribers.forEach(each -> each.tell(new MembershipNotice(of.self, news)));
              ranks.get(rank).touch();
            }
          });
    }

    private boolean hears(int other) {
      return !ranks.get(other).hasEnded()
          && !network.link(other, rank).isCut()
          && !network.link(rank, other).isCut();
    }

    private void look() {
      if (status != Status.MEMBER || ranks.get(rank).hasEnded()) {
        return;
      }
      long nowNs = scheduler.clock().nanoTime();
      List<Member> silent = new ArrayList<>();
      int all = 0;
      boolean lowestSilent = false;
      for (Member other : members) {
        News news = known[other.rank];
        if (news == null || isFinal(news)) {
          continue;
        }
        all++;
        if (other == this || hears(other.rank)) {
          if (silentSinceNs[other.rank] != NEVER) {
            silentSinceNs[other.rank] = NEVER;
            if (news == News.UNREACHABLE) {
              hear(other, News.REACHABLE);
              known[other.rank] = News.UP;
            }
          }
          continue;
        }
        if (silentSinceNs[other.rank] == NEVER) {
          silentSinceNs[other.rank] = nowNs;
        } else if (nowNs - silentSinceNs[other.rank] >= UNREACHABLE_NS) {
          hear(other, News.UNREACHABLE);
        }
        if (nowNs - silentSinceNs[other.rank] >= DOWN_NS) {
          lowestSilent |= silent.isEmpty() && isLowest(other);
          silent.add(other);
        }
      }
      if (!silent.isEmpty()) {
        decide(silent, all, lowestSilent);
      }
    }

    private boolean isLowest(Member other) {
      for (int lower = 0; lower < other.rank; lower++) {
        if (known[lower] != null && !isFinal(known[lower])) {
          return false;
        }
      }
      return true;
    }

    private void decide(List<Member> silent, int all, boolean lowestSilent) {
      int heard = all - silent.size();
      if (2 * heard > all || (2 * heard == all && !lowestSilent)) {
        silent.forEach(gone -> down(gone.self.address()));
      } else {
        down(self.address());
      }
    }
  }

  Member add(int rank, int size, NodeId self) {
    Member member = new Member(rank, size, self);
    members.add(member);
    return member;
  }

  /** All ranks of the job, in order; there when all have been made. */
  List<SimulatedRank> ranks() {
    return ranks;
  }

  /** Begins to look who is silent. */
  void begin() {
    scheduler.after(LOOK_NS, this::look);
  }

  /** Nothing is told any more. */
  void end() {
    over = true;
  }

  private void look() {
    if (!over) {
      members.forEach(Member::look);
      scheduler.after(LOOK_NS, this::look);
    }
  }

  /** All that the node itself could reach hear of it; they tell each other, so sides agree. */
  private void tellAll(Member of, News news) {
    for (Member each : members) {
      if (each.known[of.rank] != null && !ranks.get(each.rank).hasEnded()) {
        each.hear(of, news);
      }
    }
  }

  private Member of(String address) {
    return members.stream()
        .filter(member -> member.self.address().equals(address))
        .findFirst()
        .orElse(null);
  }

  private static boolean isFinal(News news) {
    return news == News.DOWNED || news == News.LEFT || news == News.REMOVED;
  }

  private long delayNs() {
    return NEWS_NS + TimeUnit.MICROSECONDS.toNanos(scheduler.choices().below(NEWS_JITTER_US));
  }
}
