package io.tagfabric.job;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.launch.HostDirectory;
import io.tagfabric.cluster.launch.JobDirectory;
import io.tagfabric.cluster.launch.LauncherWatch;
import io.tagfabric.cluster.profile.AeronTuning;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Makes ranks: of processes, of new ActorSystems, of existing ones. */
final class JobStarter {
  private JobStarter() {}

  static Job startProcess(JobOptions options, List<String> arguments) {
    int rank = 0;
    boolean debug = false;
    try {
      Settings settings = settings(options.application());
      debug = settings.get(JobSettings.DEBUG);
      rank = settings.get(JobSettings.RANK);
      JobSpec spec = JobSpec.fromSettings(settings);
      int number = spec.rank();
      LauncherWatch.start(spec.launcherPid(), () -> RankExit.launcherGone(number));
      Runnable cleanUp = () -> {};
      JobDirectory directory = null;
      if (spec.launcherPid() != 0) {
        directory = JobDirectory.join(HostDirectory.locate(settings), spec.jobKey());
        cleanUp = directory::leave;
      }
      ActorSystem<?> system = createSystem(spec, options);
      Job job = join(system, spec, options, arguments, true, cleanUp);
      if (directory != null) {
        directory.markFormed();
      }
      closeAfter(Thread.currentThread(), job);
      return job;
    } catch (RuntimeException | Error failure) {
      RankExit.startFailed(rank, failure, debug);
      throw failure;
    }
  }

  static void runProcess(JobOptions options, List<String> arguments, JobProgram program) {
    Job job = startProcess(options, arguments);
    int code;
    try {
      code = program.run(job);
      job.close();
    } catch (Exception | Error failure) {
      RankExit.programFailed(job.rank(), failure, job.fabric().settings().get(JobSettings.DEBUG));
      code = ExitCode.FAILED;
      job.abandon();
    }
    RankExit.exit(code);
  }

  static Job open(JobSpec spec, JobOptions options, List<String> arguments) {
    ActorSystem<?> system = createSystem(spec, options);
    try {
      return join(system, spec, options, arguments, true);
    } catch (RuntimeException failure) {
      system.terminate();
      throw failure;
    }
  }

  static Job join(
      ActorSystem<?> system,
      JobSpec spec,
      JobOptions options,
      List<String> arguments,
      boolean ownsSystem) {
    return join(system, spec, options, arguments, ownsSystem, () -> {});
  }

  private static Job join(
      ActorSystem<?> system,
      JobSpec spec,
      JobOptions options,
      List<String> arguments,
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
    String name = "rank-" + spec.rank();
    Domain domain = fabric.openDomain(name, options.progress().apply(fabric.progressDefaults()));
    try {
      Endpoint endpoint =
          domain.openEndpoint(
              name,
              domain.openCompletionQueue(),
              domain.openCompletionQueue(),
              options.endpoint().apply(domain.endpointDefaults()));
      actors.member().tell(new JobMember.Opened(endpoint.address()));
      List<EndpointAddress> addresses = await(started);
      return new Job(spec, arguments, domain, endpoint, addresses, actors.member(), losses, end);
    } catch (RuntimeException failure) {
      end.abandon(domain);
      throw failure;
    }
  }

  private static List<EndpointAddress> await(CompletableFuture<List<EndpointAddress>> started) {
    try {
      return started.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof FabricException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private static ActorSystem<?> createSystem(JobSpec spec, JobOptions options) {
    AeronTuning.apply();
    Config application = specAsConfig(spec).withFallback(options.application());
    return create(options.guardian(), Profiles.akkaConfig(spec, application));
  }

  private static <T> ActorSystem<T> create(Behavior<T> guardian, Config config) {
    return ActorSystem.create(guardian, Profiles.SYSTEM_NAME, config);
  }

  /** The application's configuration as the ActorSystem will see it, before it exists. */
  private static Settings settings(Config application) {
    return Settings.of(ConfigFactory.defaultOverrides().withFallback(application));
  }

  /** The job as settings, for whoever reads them in the ActorSystem. */
  private static Config specAsConfig(JobSpec spec) {
    Map<String, Object> values = new HashMap<>();
    values.put(JobSettings.KEY.fullKey(), spec.jobKey().toString());
    values.put(JobSettings.RANK.fullKey(), spec.rank());
    values.put(JobSettings.SIZE.fullKey(), spec.size());
    return ConfigFactory.parseMap(values, "job " + spec.jobKey());
  }

  /** A program that forgets to close its job, or fails, must not be kept alive by it. */
  private static void closeAfter(Thread program, Job job) {
    Thread watch =
        new Thread(
            () -> {
              try {
                program.join();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
              }
              job.close();
            },
            "tagfabric-main-watch");
    watch.setDaemon(true);
    watch.start();
  }
}
