package io.tagfabric.job;

import akka.actor.AddressFromURIString;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.cluster.settings.Described;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.fabric.NodeDeparture;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The actors of a rank's job and what feeds them.
 *
 * @param member the rank's own
 * @param coordinator that of the job, at rank 0 only
 * @param departures what they are subscribed to the fabric's news with
 */
record JobActors(
    Fabric fabric,
    ActorRef<JobMember.Command> member,
    Optional<ActorRef<JobCoordinator.Command>> coordinator,
    Consumer<NodeDeparture> departures) {

  /** Spawns them; the member begins to look for the coordinator. */
  static JobActors spawn(
      Fabric fabric,
      JobSpec spec,
      CompletableFuture<List<EndpointAddress>> started,
      CompletableFuture<Void> allLeaving,
      Losses losses) {
    ActorSystem<?> system = fabric.system();
    Roster.Applicant applicant = applicant(fabric, spec);
    String seed = seedAddress(system, spec);
    Optional<ActorRef<JobCoordinator.Command>> coordinator =
        spec.isSeed()
            ? Optional.of(
                system.systemActorOf(
                    JobCoordinator.create(applicant), JobCoordinator.NAME, Props.empty()))
            : Optional.empty();
    if (spec.isSeed() && spec.size() > 1) {
      joinCluster(system, seed);
    }
    JobMember.Plan plan =
        new JobMember.Plan(
            applicant,
            seed + "/system/" + JobCoordinator.NAME,
            spec.isSeed() ? () -> {} : () -> joinCluster(system, seed),
            fabric.settings().get(JobSettings.START_TIMEOUT),
            started,
            allLeaving,
            (rank, orderly, detail) -> {
              if (!orderly) {
                losses.add(rank);
              }
            });
    ActorRef<JobMember.Command> member =
        system.systemActorOf(JobMember.create(plan), JobMember.NAME, Props.empty());
    Consumer<NodeDeparture> departures =
        gone -> {
          member.tell(
              new JobMember.NodeGone(
                  gone.node(), gone.incarnation(), gone.orderly(), gone.detail()));
          coordinator.ifPresent(
              actor -> actor.tell(new JobCoordinator.NodeGone(gone.node(), gone.incarnation())));
        };
    fabric.onNodeDeparture(departures);
    return new JobActors(fabric, member, coordinator, departures);
  }

  /** Ends them; those of a system that ends need not be ended. */
  void stop() {
    fabric.removeNodeDepartureListener(departures);
    var classic = Adapter.toClassic(fabric.system());
    classic.stop(Adapter.toClassic(member));
    coordinator.ifPresent(actor -> classic.stop(Adapter.toClassic(actor)));
  }

  private static Roster.Applicant applicant(Fabric fabric, JobSpec spec) {
    Map<String, String> agreed = new TreeMap<>();
    for (Described setting : fabric.settings().describe(FabricSettings.ALL)) {
      if (setting.mustAgree()) {
        agreed.put(setting.key(), setting.value());
      }
    }
    return new Roster.Applicant(
        spec.jobKey(),
        spec.rank(),
        spec.size(),
        fabric.system().address().toString(),
        fabric.incarnation(),
        agreed);
  }

  private static String seedAddress(ActorSystem<?> system, JobSpec spec) {
    return spec.isSeed()
        ? system.address().toString()
        : Profiles.seedAddress(spec).replaceFirst("//[^@]*@", "//" + system.name() + "@");
  }

  private static void joinCluster(ActorSystem<?> system, String seed) {
    Cluster.get(system).manager().tell(Join.create(AddressFromURIString.parse(seed)));
  }
}
