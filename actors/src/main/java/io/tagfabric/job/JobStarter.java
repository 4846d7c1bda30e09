package io.tagfabric.job;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.actor.FabricSetup;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.JobDirectory;
import io.tagfabric.cluster.host.LauncherWatch;
import io.tagfabric.cluster.host.SharedDriver;
import io.tagfabric.cluster.host.StartCheck;
import io.tagfabric.cluster.host.StartPhase;
import io.tagfabric.cluster.job.ExitSettings;
import io.tagfabric.cluster.job.JobKeys;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.job.SchedulerCheck;
import io.tagfabric.cluster.profile.AeronTuning;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.EnvironmentSetup;
import io.tagfabric.runtime.ProcessEnded;
import io.tagfabric.runtime.Threads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes ranks: of processes, of new ActorSystems, of existing ones. */
final class JobStarter {
  private JobStarter() {}

  static Job startProcess(JobOptions options, List<String> arguments) {
    Environment environment = Environment.current();
    int rank = 0;
    boolean debug = false;
    Runnable farewell = () -> {};
    JobExit exit = null;
    try {
      Settings settings = settings(environment, options.application());
      debug = settings.get(JobSettings.DEBUG);
      rank = settings.get(JobSettings.RANK);
      SchedulerCheck.check(settings, environment.variables());
      JobSpec spec = JobSpec.fromSettings(settings);
      int number = spec.rank();
      exit = exitOf(spec, settings, environment);
      exit.ownProcess();
      if (spec.launcherPid() != 0) {
        environment.process().hearExit();
      }
      Optional<ActorSystem<?>> given =
          environment.createSystem(
              options.guardian(), spec, configOf(environment, spec, options.application()));
      if (given.isPresent()) {
        JobMeeting meeting = JobMeeting.begin(given.get(), spec, options, exit, true, () -> {});
        farewell = meeting::abandon;
        ProcessTie.tie(exit, meeting, Optional.empty());
        return met(meeting, arguments);
      }
      HostDirectory host = HostDirectory.locate(settings);
      Optional<JobDirectory> directory =
          spec.launcherPid() == 0
              ? Optional.empty()
              : Optional.of(JobDirectory.join(host, spec.jobKey()));
      Runnable leaveFiles = () -> directory.ifPresent(JobDirectory::leave);
      farewell = leaveFiles;
      // not before: a directory that is made after the farewell would stay
      LauncherWatch.start(
          spec.launcherPid(), () -> new ProcessExit(environment, number).launcherGone(leaveFiles));
      directory.ifPresent(files -> files.mark(number, StartPhase.SYSTEM));
      SharedDriver driver = SharedDriver.find(spec, host);
      JobSpec equipped = driver.equip(spec);
      JobMeeting meeting =
          JobMeeting.begin(
              createSystem(environment, equipped, options, driver),
              equipped,
              options,
              exit,
              true,
              () -> {
                leaveFiles.run();
                driver.close();
              });
      farewell = meeting::abandon;
      ProcessTie.tie(exit, meeting, directory);
      directory.ifPresent(files -> files.mark(number, StartPhase.MEETING));
      Job job = met(meeting, arguments);
      directory.ifPresent(JobDirectory::markFormed);
      return job;
    } catch (ProcessEnded ended) {
      throw ended;
    } catch (RuntimeException | Error failure) {
      if (exit != null && exit.hasBegun()) {
        ProcessTie.await(environment);
      }
      new ProcessExit(environment, rank).startFailed(failure, debug, farewell);
      throw failure;
    }
  }

  private static Job met(JobMeeting meeting, List<String> arguments) {
    Job job = meeting.await(arguments);
    closeAfter(Thread.currentThread(), job);
    return job;
  }

  static void runProcess(JobOptions options, List<String> arguments, JobProgram program) {
    Job job = startProcess(options, arguments);
    try {
      int code = program.run(job);
      ProcessTie.programReturned(job, code);
    } catch (ProcessEnded ended) {
      throw ended;
    } catch (Exception | Error failure) {
      ProcessTie.programFailed(job, failure);
    }
    ProcessTie.await(job.fabric().environment());
  }

  private static JobExit exitOf(JobSpec spec, Settings settings, Environment environment) {
    return new JobExit(
        spec.rank(), spec.size(), ExitSettings.longest(settings, spec.size()), environment);
  }

  static Job open(JobSpec spec, JobOptions options) {
    Environment environment = Environment.current();
    Optional<ActorSystem<?>> given =
        environment.createSystem(
            options.guardian(), spec, configOf(environment, spec, options.application()));
    if (given.isPresent()) {
      return meet(given.get(), spec, options, true, () -> {});
    }
    HostDirectory host = HostDirectory.locate(settings(environment, options.application()));
    SharedDriver driver = SharedDriver.ofRank(spec, host);
    return meet(
        createSystem(environment, spec, options, driver), spec, options, true, driver::close);
  }

  static Job join(ActorSystem<?> system, JobSpec spec, JobOptions options) {
    if (!JobKeys.areEqual(Fabric.get(system).jobKey(), spec.jobKey())) {
      throw new FabricException(
          FabricError.KEY_REJECTED,
          JobSettings.KEY.fullKey()
              + " of the ActorSystem is not the key of the job, give both the same");
    }
    return meet(system, spec, options, false, () -> {});
  }

  private static Job meet(
      ActorSystem<?> system,
      JobSpec spec,
      JobOptions options,
      boolean ownsSystem,
      Runnable cleanUp) {
    JobExit exit;
    JobMeeting meeting;
    try {
      Fabric fabric = Fabric.get(system);
      exit = exitOf(spec, fabric.settings(), fabric.environment());
      meeting = JobMeeting.begin(system, spec, options, exit, ownsSystem, cleanUp);
    } catch (RuntimeException failure) {
      if (ownsSystem) {
        system.terminate();
      }
      cleanUp.run();
      throw failure;
    }
    try {
      return meeting.await(List.of());
    } catch (RuntimeException failure) {
      if (exit.hasBegun()) {
        exit.awaitEnd();
      } else {
        meeting.abandon();
      }
      throw failure;
    }
  }

  private static ActorSystem<?> createSystem(
      Environment environment, JobSpec spec, JobOptions options, SharedDriver driver) {
    boolean complete = false;
    try {
      StartCheck.check(spec);
      AeronTuning.apply();
      Config application =
          configOf(environment, spec, options.application())
              .withFallback(ConfigFactory.parseMap(driver.akkaValues()));
      ActorSystem<?> system =
          create(environment, options.guardian(), Profiles.akkaConfig(spec, application));
      complete = true;
      return system;
    } finally {
      if (!complete) {
        driver.close();
      }
    }
  }

  private static <T> ActorSystem<T> create(
      Environment environment, Behavior<T> guardian, Config config) {
    return ActorSystem.create(
        guardian,
        Profiles.SYSTEM_NAME,
        ActorSystemSetup.create(
            BootstrapSetup.create(config),
            new EnvironmentSetup(environment),
            FabricSetup.whenUsed()));
  }

  /** The application's configuration as the ActorSystem will see it, before it exists. */
  private static Settings settings(Environment environment, Config application) {
    return Settings.of(
        environment
            .settings()
            .withFallback(ConfigFactory.defaultOverrides())
            .withFallback(application),
        environment.variables());
  }

  private static Config configOf(Environment environment, JobSpec spec, Config application) {
    return specAsConfig(spec).withFallback(environment.settings()).withFallback(application);
  }

  /** The job as settings, for code that reads them in the ActorSystem. */
  private static Config specAsConfig(JobSpec spec) {
    Map<String, Object> values = new HashMap<>();
    values.put(JobSettings.KEY.fullKey(), spec.jobKey().toString());
    values.put(JobSettings.RANK.fullKey(), spec.rank());
    values.put(JobSettings.SIZE.fullKey(), spec.size());
    return ConfigFactory.parseMap(values, "job");
  }

  /** A program that forgets to close its job, or fails, must not be kept alive by it. */
  private static void closeAfter(Thread program, Job job) {
    program.setUncaughtExceptionHandler(
        (thread, failure) -> {
          if (!(failure instanceof ProcessEnded)) {
            ProcessTie.programFailed(job, failure);
          }
        });
    Threads threads = job.fabric().environment().threads();
    threads.start(
        "tagfabric-main-watch",
        () -> {
          threads.await(program);
          if (!Thread.currentThread().isInterrupted() && !job.exits().hasBegun()) {
            job.close();
          }
        });
  }
}
