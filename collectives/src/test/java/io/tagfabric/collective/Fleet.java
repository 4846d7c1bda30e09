package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The members of a team, each in an ActorSystem of its own, by one provider; one thread drives them
 * all.
 */
final class Fleet implements AutoCloseable {
  private static final long DEADLINE_NS = Duration.ofSeconds(60).toNanos();
  private static final String COMMON =
      "akka.loglevel = ERROR\nakka.actor.provider = local\nakka.log-dead-letters = off\n";

  final List<Domain> domains = new ArrayList<>();
  final List<Endpoint> endpoints = new ArrayList<>();
  final List<Team> teams = new ArrayList<>();
  private final List<ActorSystem<Void>> systems = new ArrayList<>();

  /**
   * A team.
   *
   * @param provider local brings all members into one system
   * @param more configuration of each member
   */
  Fleet(String provider, List<String> more, UnaryOperator<CollectiveSettings> change) {
    for (int rank = 0; rank < more.size(); rank++) {
      if (rank == 0 || !provider.equals("local")) {
        systems.add(system(provider, "member-" + rank, more.get(rank)));
        Fabric fabric = Fabric.get(systems.get(rank));
        domains.add(fabric.openDomain("fleet", ProgressMode.MANUAL));
      } else {
        domains.add(domains.get(0));
      }
      endpoints.add(domains.get(rank).openEndpoint("member-" + rank));
    }
    List<EndpointAddress> members = endpoints.stream().map(Endpoint::address).toList();
    for (int rank = 0; rank < more.size(); rank++) {
      Domain domain = domains.get(rank);
      CollectiveSettings settings =
          change.apply(CollectiveSettings.of(domain.fabric().settings()).withSharedCell(false));
      teams.add(Team.open(domain, endpoints.get(rank), members, 7, settings));
    }
  }

  private static ActorSystem<Void> system(String provider, String name, String more) {
    return ActorSystem.create(
        Behaviors.empty(),
        name,
        ConfigFactory.parseString(COMMON + "tagfabric.provider.use = [" + provider + "]\n" + more)
            .withFallback(ConfigFactory.load()));
  }

  /** The same configuration for so many members. */
  static List<String> alike(int size, String more) {
    return IntStream.range(0, size).mapToObj(rank -> more).toList();
  }

  int size() {
    return teams.size();
  }

  <T> List<CompletableFuture<T>> start(Function<Team, CompletionStage<T>> call) {
    return teams.stream().map(team -> call.apply(team).toCompletableFuture()).toList();
  }

  /** Drives all members until these have ended, well or not. */
  void await(List<? extends CompletableFuture<?>> calls) {
    long deadlineNs = System.nanoTime() + DEADLINE_NS;
    while (!calls.stream().allMatch(CompletableFuture::isDone)) {
      domains.forEach(domain -> domain.loop().advance());
      assertThat(System.nanoTime() - deadlineNs)
          .as("calls that have ended: %s", calls)
          .isNegative();
    }
  }

  /** Lets every member call, and waits for the results. */
  <T> List<T> all(Function<Team, CompletionStage<T>> call) {
    List<CompletableFuture<T>> calls = start(call);
    await(calls);
    return calls.stream().map(CompletableFuture::join).toList();
  }

  @Override
  public void close() {
    domains.stream().distinct().forEach(domain -> domain.close(Duration.ZERO));
    systems.forEach(ActorSystem::terminate);
    systems.forEach(system -> system.getWhenTerminated().toCompletableFuture().join());
  }
}
