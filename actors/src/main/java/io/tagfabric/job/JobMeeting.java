package io.tagfabric.job;

import akka.actor.typed.ActorSystem;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A rank on its way to becoming one: looks for the others, meanwhile opens its endpoint. */
final class JobMeeting {
  private final JobSpec spec;
  private final JobOptions options;
  private final JobActors actors;
  private final Losses losses;
  private final JobEnd end;
  private final Domain domain;
  private final CompletableFuture<List<EndpointAddress>> started;

  private JobMeeting(
      JobSpec spec,
      JobOptions options,
      JobActors actors,
      Losses losses,
      JobEnd end,
      Domain domain,
      CompletableFuture<List<EndpointAddress>> started) {
    this.spec = spec;
    this.options = options;
    this.actors = actors;
    this.losses = losses;
    this.end = end;
    this.domain = domain;
    this.started = started;
  }

  /**
   * Begins to look for the others.
   *
   * @param ownsSystem whether the ActorSystem ends with the job
   * @param cleanUp run at the end of the job
   */
  static JobMeeting begin(
      ActorSystem<?> system,
      JobSpec spec,
      JobOptions options,
      boolean ownsSystem,
      Runnable cleanUp) {
    Fabric fabric = Fabric.get(system);
    CompletableFuture<List<EndpointAddress>> started = new CompletableFuture<>();
    CompletableFuture<Void> allLeaving = new CompletableFuture<>();
    Losses losses = new Losses();
    JobActors actors = JobActors.spawn(fabric, spec, started, allLeaving, losses);
    JobEnd end =
        new JobEnd(
            system,
            ownsSystem,
            spec.size() == 1,
            fabric.settings().get(JobSettings.LEAVE_TIMEOUT),
            allLeaving,
            actors,
            cleanUp);
    Domain domain =
        fabric.openDomain(nameOf(spec), options.progress().apply(fabric.progressDefaults()));
    return new JobMeeting(spec, options, actors, losses, end, domain, started);
  }

  /**
   * Opens the endpoint and waits until all have met.
   *
   * @throws FabricException if they do not, or this rank is refused
   */
  Job await(List<String> arguments) {
    Endpoint endpoint =
        domain.openEndpoint(
            nameOf(spec),
            domain.openCompletionQueue(),
            domain.openCompletionQueue(),
            options.endpoint().apply(domain.endpointDefaults()));
    actors.member().tell(new JobMember.Opened(endpoint.address()));
    return new Job(spec, arguments, domain, endpoint, addresses(), actors.member(), losses, end);
  }

  /** Gives up. */
  void abandon() {
    end.abandon(domain);
  }

  private List<EndpointAddress> addresses() {
    try {
      return started.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof FabricException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private static String nameOf(JobSpec spec) {
    return "rank-" + spec.rank();
  }
}
