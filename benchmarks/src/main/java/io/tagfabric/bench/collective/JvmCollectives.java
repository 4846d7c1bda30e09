package io.tagfabric.bench.collective;

import akka.actor.typed.ActorSystem;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.bench.measure.Budget;
import io.tagfabric.bench.ours.LocalSystem;
import io.tagfabric.collective.PreparedCollective;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.HdrHistogram.Histogram;

/** A team of endpoints of one domain that this thread drives. */
final class JvmCollectives {
  private static final Duration DRAIN = Duration.ofSeconds(1);
  private static final Budget BUDGET = Budget.ofMillis(1_000, 8_000, 0, 700);

  private JvmCollectives() {}

  /**
   * Measures all sizes with teams of the numbers of ranks that are wanted, after a warm-up with the
   * largest: what a small team runs too seldom to be compiled would make the first rows slow.
   */
  static void measure(CollectiveOptions options, CollectiveReport report) {
    int largest = options.ranks().stream().mapToInt(Integer::intValue).max().orElseThrow();
    withTeams(
        largest,
        options,
        (domain, teams) ->
            options.bytes().forEach(bytes -> calls(domain, teams, options, bytes).warmUp(BUDGET)));
    for (int ranks : options.ranks()) {
      withTeams(ranks, options, (domain, teams) -> measure(domain, teams, options, report));
    }
  }

  private static void measure(
      Domain domain, List<Team> teams, CollectiveOptions options, CollectiveReport report) {
    for (int bytes : options.bytes()) {
      Calls calls = calls(domain, teams, options, bytes);
      Histogram timesNs = calls.measured(BUDGET);
      calls.countAllocated();
      report.add(teams.size(), bytes, calls, timesNs);
    }
  }

  private static void withTeams(
      int ranks, CollectiveOptions options, BiConsumer<Domain, List<Team>> work) {
    ActorSystem<Void> system = LocalSystem.start("tagfabric-bench", ConfigFactory.empty());
    try {
      Domain domain = Fabric.get(system).openDomain("team", ProgressMode.MANUAL);
      work.accept(domain, teams(domain, ranks, options));
      domain.close(DRAIN);
    } finally {
      LocalSystem.end(system);
    }
  }

  private static List<Team> teams(Domain domain, int ranks, CollectiveOptions options) {
    CompletionQueue queue = domain.openCompletionQueue();
    List<Endpoint> endpoints = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      endpoints.add(domain.openEndpoint("rank-" + rank, queue, queue));
    }
    List<EndpointAddress> members = endpoints.stream().map(Endpoint::address).toList();
    CollectiveSettings settings =
        options.settings(CollectiveSettings.of(domain.fabric().settings()));
    return endpoints.stream()
        .map(endpoint -> Team.open(domain, endpoint, members, 0, settings))
        .toList();
  }

  private static Calls calls(
      Domain domain, List<Team> teams, CollectiveOptions options, int bytes) {
    List<MemberCall> memberCalls =
        teams.stream()
            .map(team -> new MemberCall(team, options.collective(), bytes, options.isPrepared()))
            .toList();
    return options.isPrepared() ? prepared(domain, memberCalls) : unprepared(domain, memberCalls);
  }

  private static Calls unprepared(Domain domain, List<MemberCall> memberCalls) {
    return new Calls() {
      private CollectiveCompletion last;

      @Override
      void prepare() {
        // nothing is left of the call before
      }

      @Override
      void call() {
        last = JvmCollectives.call(domain, memberCalls);
      }

      @Override
      CollectiveCompletion last() {
        return last;
      }
    };
  }

  private static Calls prepared(Domain domain, List<MemberCall> memberCalls) {
    PreparedCollective[] all =
        memberCalls.stream().map(MemberCall::prepared).toArray(PreparedCollective[]::new);
    return new Calls() {
      @Override
      void prepare() {
        // nothing is left of the call before
      }

      @Override
      void call() {
        for (PreparedCollective each : all) {
          each.start();
        }
        for (PreparedCollective each : all) {
          while (!each.isDone()) {
            domain.loop().advance();
          }
        }
      }

      @Override
      CollectiveCompletion last() {
        return all[0].completion();
      }
    };
  }

  private static CollectiveCompletion call(Domain domain, List<MemberCall> memberCalls) {
    List<CompletableFuture<CollectiveCompletion>> started = new ArrayList<>(memberCalls.size());
    for (MemberCall memberCall : memberCalls) {
      started.add(memberCall.call().toCompletableFuture());
    }
    for (CompletableFuture<CollectiveCompletion> each : started) {
      while (!each.isDone()) {
        domain.loop().advance();
      }
    }
    return started.get(0).join();
  }
}
