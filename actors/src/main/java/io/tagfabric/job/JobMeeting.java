package io.tagfabric.job;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.LossPolicy;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A rank on its way to becoming one: looks for the others, meanwhile opens its endpoint. */
final class JobMeeting {
  private final JobSpec spec;
  private final JobOptions options;
  private final JobActors actors;
  private final Losses losses;
  private final RankEnd end;
  private final JobExit exit;
  private final Domain domain;
  private final JobConnections connections;
  private final CompletableFuture<RankMap> started;

  private JobMeeting(
      JobSpec spec,
      JobOptions options,
      JobActors actors,
      Losses losses,
      RankEnd end,
      JobExit exit,
      Domain domain,
      JobConnections connections,
      CompletableFuture<RankMap> started) {
    this.spec = spec;
    this.options = options;
    this.actors = actors;
    this.losses = losses;
    this.end = end;
    this.exit = exit;
    this.domain = domain;
    this.connections = connections;
    this.started = started;
  }

  /**
   * Begins to look for the others.
   *
   * @param exit ends the job
   * @param ownsSystem whether the ActorSystem ends with the job
   * @param cleanUp run at the end of the job
   */
  static JobMeeting begin(
      ActorSystem<?> system,
      JobSpec spec,
      JobOptions options,
      JobExit exit,
      boolean ownsSystem,
      Runnable cleanUp) {
    Fabric fabric = Fabric.get(system);
    JobConnections connections = new JobConnections(spec.rank(), spec.size(), fabric.settings());
    CompletableFuture<RankMap> started = new CompletableFuture<>();
    CompletableFuture<Void> allLeaving = new CompletableFuture<>();
    Losses losses = new Losses();
    JobActors actors = JobActors.spawn(fabric, spec, started, allLeaving, losses, exit);
    RankEnd end =
        new RankEnd(
            fabric,
            ownsSystem,
            spec.size() == 1,
            fabric.settings().get(JobSettings.LEAVE_TIMEOUT),
            allLeaving,
            actors,
            cleanUp);
    Domain domain =
        fabric.openDomain(nameOf(spec), options.progress().apply(fabric.progressDefaults()));
    JobMeeting meeting =
        new JobMeeting(spec, options, actors, losses, end, exit, domain, connections, started);
    if (ownsSystem) {
      started
          .minimalCompletionStage()
          .thenRun(
              () -> fabric.membership().keepMajority(spec.size(), JobActors.seed(fabric, spec)));
    }
    // before the exit hooks run, which may save what a handler would change
    exit.begun().thenRun(() -> switchOffHandlers(ownsSystem ? fabric.domains() : List.of(domain)));
    exit.decided().thenAccept(result -> meeting.endAfterExit(result.code()));
    options.starting().accept(exit);
    return meeting;
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
    RankMap ranks = ranks();
    Job job = new Job(spec, arguments, domain, endpoint, ranks, actors.member(), losses, end, exit);
    if (spec.launcherPid() == 0) {
      ProcessWatch.start(
          environment(),
          spec.rank(),
          ranks,
          this::isEnding,
          rank -> processEnded(rank, ExitCode.KILLED, true));
    }
    connections.open(job);
    end.beforeClose(() -> connections.writeUsed(endpoint, ranks));
    return job;
  }

  /**
   * A rank's process has ended, by the word of the launcher, or as this process sees.
   *
   * @param formed whether the ranks had met by then
   */
  void processEnded(int rank, int code, boolean formed) {
    actors.member().tell(new JobMember.ProcessEnded(rank, code, formed));
  }

  private static void switchOffHandlers(List<Domain> domains) {
    domains.stream()
        .flatMap(each -> each.endpoints().stream())
        .forEach(endpoint -> endpoint.active().switchOffHandlers("the job ends"));
  }

  /** On a thread of its own: it waits, and the decision is an actor's. */
  private void endAfterExit(int code) {
    environment()
        .threads()
        .start(
            "tagfabric-exit",
            () -> {
              try {
                end.exit(domain);
              } finally {
                exit.finished(code);
              }
            });
  }

  private Environment environment() {
    return domain.fabric().environment();
  }

  /** The ranks that are lost, in order. */
  List<Integer> lostRanks() {
    return losses.lost();
  }

  /** Whether the rank has begun to leave, by whatever way. */
  boolean isEnding() {
    return end.hasBegun();
  }

  /**
   * Runs something once, when the rank's ActorSystem has ended, for whatever reason, or should
   * have: Akka's remoting sometimes never ends while its connections hang in a cut network.
   */
  void whenSystemEnds(Runnable task) {
    ActorSystem<?> system = domain.fabric().system();
    CompletableFuture<Done> ended = system.getWhenTerminated().toCompletableFuture().copy();
    Duration patience = domain.fabric().settings().get(JobSettings.LEAVE_TIMEOUT);
    Threads threads = environment().threads();
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseActorSystemTerminate(),
            "tagfabric-patience",
            () -> {
              threads.start(
                  "tagfabric-patience",
                  () -> {
                    threads.await(ended, patience);
                    ended.complete(Done.getInstance());
                  });
              return CompletableFuture.completedFuture(Done.getInstance());
            });
    ended.minimalCompletionStage().thenRun(task);
  }

  /** The ActorSystem has ended by itself: there is nobody to take leave of. */
  void cutOff() {
    end.cutOff();
  }

  /** Whether all have met. */
  boolean hasMet() {
    return started.isDone() && !started.isCompletedExceptionally();
  }

  /** Whether the others are to go on when this rank ends by itself. */
  boolean othersGoOn() {
    return hasMet() && domain.fabric().settings().get(ExitSettings.ON_LOSS) == LossPolicy.CONTINUE;
  }

  /**
   * This rank ends by itself.
   *
   * @param failed whether the others are to take it for lost
   */
  void leave(boolean failed) {
    if (failed) {
      end.fail(domain);
    } else {
      end.close(domain);
    }
  }

  /** Gives up. */
  void abandon() {
    end.abandon(domain);
  }

  private RankMap ranks() {
    try {
      return environment().threads().join(started);
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
