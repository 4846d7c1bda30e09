package io.tagfabric.trials.collective;

import akka.actor.typed.ActorSystem;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The members of a team in one domain, which one thread drives. */
final class CheckedTeam implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Domain domain;
  private final List<Team> teams = new ArrayList<>();

  CheckedTeam(ActorSystem<?> system, CheckTier tier, int size) {
    domain = Fabric.get(system).openDomain("check-" + tier.key() + "-" + size, ProgressMode.MANUAL);
    List<Endpoint> endpoints = new ArrayList<>();
    List<EndpointAddress> members = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      endpoints.add(domain.openEndpoint("member-" + rank));
      members.add(onHost(endpoints.get(rank).address(), tier.hostOf(rank, size)));
    }
    CollectiveSettings settings = tier.of(CollectiveSettings.of(domain.fabric().settings()));
    for (Endpoint endpoint : endpoints) {
      teams.add(Team.open(domain, endpoint, members, 1, settings));
    }
  }

  private static EndpointAddress onHost(EndpointAddress address, int host) {
    return new EndpointAddress(
        address.incarnation(),
        address.endpoint(),
        address.name(),
        "akka://check@host-" + host + ":1",
        address.vm(),
        address.providers());
  }

  /**
   * Lets all members call.
   *
   * @return what is wrong, null if nothing is
   */
  String complaint(CheckedCall call) {
    List<CompletableFuture<CollectiveCompletion>> started = new ArrayList<>();
    for (Team team : teams) {
      started.add(team.start(call.call(team.rank())).toCompletableFuture());
    }
    if (!domain.await(() -> started.stream().allMatch(CompletableFuture::isDone), PATIENCE)) {
      return call + " does not end";
    }
    for (CompletableFuture<CollectiveCompletion> each : started) {
      if (each.isCompletedExceptionally()) {
        return call + " fails: " + each.handle((done, failure) -> failure.toString()).join();
      }
    }
    return call.complaint();
  }

  @Override
  public void close() {
    teams.forEach(Team::close);
    domain.close(Duration.ZERO);
  }
}
