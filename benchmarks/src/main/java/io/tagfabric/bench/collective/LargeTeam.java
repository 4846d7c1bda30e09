package io.tagfabric.bench.collective;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.bench.ours.LocalSystem;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A team of any number of endpoints of one domain, which this thread drives. */
final class LargeTeam {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int MOST_LOSSES = 10;

  /** Calls of all members together in a batch of equal calls; of some batches the best counts. */
  private static final int CALLS = 40_000;

  private static final int BATCHES = 5;
  private static final int COLLECTIONS = 3;

  /**
   * What a member costs.
   *
   * @param heapBytes reachable after collection, once it has done collectives
   * @param openUs processor time to open its endpoint and its team; as the others
   * @param losses members that the shrinking team has lost
   */
  record Costs(
      double heapBytes,
      double openUs,
      double barrierUs,
      double allreduceUs,
      double agreeUs,
      int losses,
      double shrinkUs) {}

  private final Domain domain;
  private final int size;
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<Team> teams = new ArrayList<>();

  private LargeTeam(Domain domain, int size) {
    this.domain = domain;
    this.size = size;
  }

  /** Measures a team of a size. */
  static Costs measure(int size, Tier tier) {
    ActorSystem<Void> system = LocalSystem.start("tagfabric-bench", ConfigFactory.empty());
    try {
      Domain domain = Fabric.get(system).openDomain("team", ProgressMode.MANUAL);
      Costs costs = new LargeTeam(domain, size).measure(tier);
      domain.close(Duration.ZERO);
      return costs;
    } finally {
      LocalSystem.end(system);
    }
  }

  private Costs measure(Tier tier) {
    long heapBefore = heapBytes();
    double open = costUs(1, () -> open(tier));
    double barrier = bestUs(teams, Team::barrier);
    double allreduce = bestUs(teams, team -> team.allreduce(new long[] {1}, Reduction.SUM));
    double agree = bestUs(teams, team -> team.agree(-1L));
    double heap = (double) (heapBytes() - heapBefore) / size;
    List<Team> left = lose();
    double shrink = costUs(1, () -> shrink(left));
    return new Costs(heap, open, barrier, allreduce, agree, size - left.size(), shrink);
  }

  private void open(Tier tier) {
    for (int rank = 0; rank < size; rank++) {
      endpoints.add(domain.openEndpoint("member-" + rank));
    }
    List<EndpointAddress> members = List.copyOf(endpoints.stream().map(Endpoint::address).toList());
    CollectiveSettings settings = tier.of(CollectiveSettings.of(domain.fabric().settings()));
    for (Endpoint endpoint : endpoints) {
      teams.add(Team.open(domain, endpoint, members, 0, settings));
    }
    settle();
  }

  /** Ends some endpoints without a word to the team; the teams of the others. */
  private List<Team> lose() {
    int losses = Math.min(MOST_LOSSES, size / 4);
    List<Team> left = new ArrayList<>(teams);
    for (int i = 0; i < losses; i++) {
      int lost = (int) ((long) i * size / losses);
      endpoints.get(lost).close(Duration.ZERO);
      left.remove(teams.get(lost));
    }
    settle();
    return left;
  }

  /** The new team works. */
  private void shrink(List<Team> left) {
    List<Team> shrunk = all(left, Team::shrink);
    List<long[]> sums = all(shrunk, team -> team.allreduce(new long[] {1}, Reduction.SUM));
    for (long[] sum : sums) {
      if (sum[0] != left.size()) {
        throw new IllegalStateException("sum=" + sum[0] + " is not members=" + left.size());
      }
    }
  }

  private <T> double bestUs(List<Team> members, Function<Team, CompletionStage<T>> call) {
    int rounds = Math.max(2, CALLS / size);
    double best = Double.MAX_VALUE;
    for (int batch = 0; batch < BATCHES; batch++) {
      double each =
          costUs(
              rounds,
              () -> {
                for (int round = 0; round < rounds; round++) {
                  all(members, call);
                }
              });
      best = Math.min(best, each);
    }
    return best;
  }

  /** Processor time of this thread for a member and a round. */
  private double costUs(int rounds, Runnable work) {
    long before = THREADS.getCurrentThreadCpuTime();
    work.run();
    return (THREADS.getCurrentThreadCpuTime() - before) / 1e3 / rounds / size;
  }

  private <T> List<T> all(List<Team> members, Function<Team, CompletionStage<T>> call) {
    List<CompletableFuture<T>> started = new ArrayList<>(members.size());
    for (Team member : members) {
      started.add(call.apply(member).toCompletableFuture());
    }
    settle();
    List<T> results = new ArrayList<>(members.size());
    for (CompletableFuture<T> each : started) {
      results.add(each.join());
    }
    return results;
  }

  private void settle() {
    while (domain.loop().advance() > 0) {
      // as long as there is something to do
    }
  }

  private static long heapBytes() {
    for (int time = 0; time < COLLECTIONS; time++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
