package io.tagfabric.simulation.world;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.profile.Profiles;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.EnvironmentSetup;
import io.tagfabric.runtime.Membership;
import io.tagfabric.runtime.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import scala.Function0;
import scala.concurrent.BlockContext;
import scala.concurrent.CanAwait;

/**
 * ActorSystems whose dispatchers and schedulers belong to a simulation. Making one costs more than
 * a short run, so they are kept, and each run opens domains of its own in them. Thread: one for
 * each object.
 */
public final class SimulatedSystems implements AutoCloseable {
  private static final String KEY = "tagfabric-simulated-system";
  private static final Map<Integer, SystemRuntime> RUNTIMES = new ConcurrentHashMap<>();
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Config settings;
  private final Function<NodeId, Membership> members;
  private final List<SimulatedSystem> systems = new ArrayList<>();

  /**
   * No systems yet.
   *
   * @param settings over those of the simulation
   */
  public SimulatedSystems(Config settings) {
    this(settings, SimulatedEnvironment::alone);
  }

  private SimulatedSystems(Config settings, Function<NodeId, Membership> members) {
    this.settings = settings;
    this.members = members;
  }

  /**
   * No systems yet, with the same settings, for one run whose nodes have a membership. Who was lost
   * by that stays lost for the life of a system, so they serve no other run.
   *
   * @param memberships what each node gets
   */
  public SimulatedSystems withMembership(Function<NodeId, Membership> memberships) {
    Config withoutNames =
        ConfigFactory.parseMap(Map.of(FabricSettings.NAMES_ENABLED.fullKey(), false));
    return new SimulatedSystems(settings.withFallback(withoutNames), memberships);
  }

  /** The system of a number, which is made when it is wanted first. */
  public SimulatedSystem get(int number) {
    while (systems.size() <= number) {
      systems.add(make());
    }
    return systems.get(number);
  }

  private SimulatedSystem make() {
    int number = NUMBER.incrementAndGet();
    SystemRuntime runtime = new SystemRuntime(1 + systems.size());
    RUNTIMES.put(number, runtime);
    Config config =
        settings
            .withFallback(
                ConfigFactory.parseMap(
                    Map.of(KEY, number, JobSettings.RANK.fullKey(), systems.size())))
            .withFallback(ConfigFactory.parseResources(SimulatedSystems.class, "systems.conf"))
            .withFallback(ConfigFactory.load(SimulatedSystems.class.getClassLoader()))
            .resolve();
    ActorSystem<Void> system =
        draining(
            runtime,
            () -> {
              ActorSystem<Void> made =
                  ActorSystem.create(
                      Behaviors.<Void>empty(), "simulated-" + number, setup(runtime, config));
              runtime.executor().runAll();
              return made;
            });
    SimulatedSystem simulated = new SimulatedSystem(system, runtime);
    simulated.fabric();
    runtime.executor().runAll();
    return simulated;
  }

  /**
   * A system for one run, with an environment of its own. It takes no turns by itself: the caller
   * adds it to the scheduler, or what stands around it.
   *
   * @param name for traces
   * @param guardian the behavior at its top
   * @param application its configuration, below that of the simulation
   * @param loader of the classes that it names
   */
  public SimulatedSystem make(
      String name,
      Scheduler scheduler,
      Environment environment,
      Behavior<?> guardian,
      Config application,
      ClassLoader loader) {
    return make(name, scheduler, environment, guardian, application, loader, true);
  }

  /** The same without a fabric, unless somebody opens one in it. */
  public SimulatedSystem makePlain(
      String name,
      Scheduler scheduler,
      Environment environment,
      Behavior<?> guardian,
      Config application,
      ClassLoader loader) {
    return make(name, scheduler, environment, guardian, application, loader, false);
  }

  private SimulatedSystem make(
      String name,
      Scheduler scheduler,
      Environment environment,
      Behavior<?> guardian,
      Config application,
      ClassLoader loader,
      boolean hasFabric) {
    int number = NUMBER.incrementAndGet();
    SystemRuntime runtime = new SystemRuntime(1 + systems.size());
    RUNTIMES.put(number, runtime);
    runtime.begin(scheduler.clock());
    Config config =
        settings
            .withFallback(ConfigFactory.parseMap(Map.of(KEY, number)))
            .withFallback(ConfigFactory.parseResources(SimulatedSystems.class, "jobs.conf"))
            .withFallback(
                ConfigFactory.parseResources(SimulatedSystems.class, "systems.conf")
                    .withoutPath("tagfabric.progress.mode"))
            .withFallback(application)
            .resolve();
    ActorSystem<?> system =
        draining(runtime, () -> create(guardian, config, environment, loader, runtime));
    SimulatedSystem simulated = new SimulatedSystem(system, runtime);
    if (hasFabric) {
      simulated.fabric();
    }
    runtime.executor().runAll();
    simulated.attach(scheduler, name);
    systems.add(simulated);
    return simulated;
  }

  private static <T> ActorSystem<T> create(
      Behavior<T> guardian,
      Config config,
      Environment environment,
      ClassLoader loader,
      SystemRuntime runtime) {
    ActorSystem<T> made =
        ActorSystem.create(
            guardian,
            Profiles.SYSTEM_NAME,
            ActorSystemSetup.create(
                BootstrapSetup.create(config).withClassloader(loader),
                new EnvironmentSetup(environment)));
    runtime.executor().runAll();
    return made;
  }

  private ActorSystemSetup setup(SystemRuntime runtime, Config config) {
    return ActorSystemSetup.create(
        BootstrapSetup.create(config).withClassloader(SimulatedSystems.class.getClassLoader()),
        new EnvironmentSetup(new SimulatedEnvironment(runtime, 1 + systems.size(), members)));
  }

  /** Where Akka blocks on the calling thread, as it does once at the start, its actors run. */
  private static <T> T draining(SystemRuntime runtime, Function0<T> task) {
    return BlockContext.withBlockContext(
        new BlockContext() {
          @Override
          public <R> R blockOn(Function0<R> wait, CanAwait permission) {
            runtime.executor().runAll();
            return wait.apply();
          }
        },
        task);
  }

  /** What a system with this configuration runs on. */
  static SystemRuntime runtimeOf(Config config) {
    SystemRuntime runtime = RUNTIMES.get(config.getInt(KEY));
    if (runtime == null) {
      throw new IllegalStateException(
          KEY + "=" + config.getInt(KEY) + " is no simulated system, let SimulatedSystems make it");
    }
    return runtime;
  }

  /** Ends all systems. */
  @Override
  public void close() {
    for (SimulatedSystem system : systems) {
      system.terminate();
    }
    systems.clear();
  }

  /** The systems there are. */
  public int size() {
    return systems.size();
  }

  static void forget(SystemRuntime runtime) {
    RUNTIMES.values().remove(runtime);
  }
}
