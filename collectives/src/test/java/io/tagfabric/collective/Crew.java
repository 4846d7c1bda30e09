package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorSystem;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * The members of a team, all in one MANUAL domain, so that one thread decides what happens when.
 */
final class Crew implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  final Domain domain;
  final List<Endpoint> endpoints = new ArrayList<>();
  final List<Team> teams = new ArrayList<>();

  Crew(ActorSystem<?> system, int size, Function<CollectiveSettings, CollectiveSettings> change) {
    this(system, size, rank -> 0, change);
  }

  /** With members that claim to be on several hosts. */
  Crew(
      ActorSystem<?> system,
      int size,
      IntUnaryOperator hostOf,
      Function<CollectiveSettings, CollectiveSettings> change) {
    domain = Fabric.get(system).openDomain("crew-" + NUMBER.incrementAndGet(), ProgressMode.MANUAL);
    for (int rank = 0; rank < size; rank++) {
      endpoints.add(domain.openEndpoint("member-" + rank));
    }
    List<EndpointAddress> members = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      members.add(moved(endpoints.get(rank).address(), hostOf.applyAsInt(rank)));
    }
    CollectiveSettings settings = change.apply(CollectiveSettings.of(domain.fabric().settings()));
    for (Endpoint endpoint : endpoints) {
      teams.add(Team.open(domain, endpoint, members, 7, settings));
    }
  }

  /** A system whose teams make their files below a directory. */
  static ActorTestKit kitWithHostDirectory(Path directory) {
    return ActorTestKit.create(
        "crew",
        ConfigFactory.parseMap(
                Map.of(
                    "akka.actor.provider",
                    "local",
                    "tagfabric.launch.directory",
                    directory.toString()))
            .withFallback(ConfigFactory.load()));
  }

  private static EndpointAddress moved(EndpointAddress address, int host) {
    return new EndpointAddress(
        address.incarnation(),
        address.endpoint(),
        address.name(),
        "akka://crew@host-" + host + ":1",
        address.vm(),
        address.providers());
  }

  Team team(int rank) {
    return teams.get(rank);
  }

  int size() {
    return teams.size();
  }

  /** Lets every member call, drives until nothing moves, and returns the results. */
  <T> List<T> all(Function<Team, CompletionStage<T>> call) {
    List<CompletableFuture<T>> started = start(call);
    settle();
    assertThat(started).allSatisfy(each -> assertThat(each).isCompleted());
    return started.stream().map(CompletableFuture::join).toList();
  }

  <T> List<CompletableFuture<T>> start(Function<Team, CompletionStage<T>> call) {
    return teams.stream().map(team -> call.apply(team).toCompletableFuture()).toList();
  }

  /** Lets one member call something else than all others, and drives until nothing moves. */
  List<CompletableFuture<?>> sumsAndABarrierAt(int rank) {
    List<CompletableFuture<?>> calls = new ArrayList<>();
    for (Team team : teams) {
      calls.add(
          (team.rank() == rank ? team.barrier() : team.allreduce(new long[] {1}, Reduction.SUM))
              .toCompletableFuture());
    }
    settle();
    return calls;
  }

  List<CollectiveCompletion> collective(
      Function<Team, CompletionStage<CollectiveCompletion>> call) {
    return all(call);
  }

  void settle() {
    while (domain.loop().advance() > 0) {
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  @Override
  public void close() {
    domain.close(Duration.ZERO);
  }
}
