package io.tagfabric.runtime;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Adapter;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.Protocols;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.progress.TimeSource;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a node gets from outside. Each method gives the real thing unless it is overridden; a
 * simulation, or a JVM that holds several ranks, overrides what it has to.
 *
 * <p>An ActorSystem has the environment of the {@link EnvironmentSetup} in its setup, which {@link
 * #of} finds. Code that has no ActorSystem yet, such as a program that starts its rank, has that of
 * its thread: {@link #current()}. Thread: any.
 */
@InternalApi
public interface Environment {
  /** The machine: its clocks, its random numbers, threads, this JVM, Akka Cluster. */
  Environment REAL = new Environment() {};

  /** The environment of an ActorSystem; {@link #REAL} unless its setup has another. */
  static Environment of(ActorSystem<?> system) {
    return of(Adapter.toClassic(system));
  }

  /** The same for code that has the system as Akka's classic actors do. */
  static Environment of(akka.actor.ActorSystem system) {
    return system
        .settings()
        .setup()
        .get(EnvironmentSetup.class)
        .map(EnvironmentSetup::environment)
        .orElse(REAL);
  }

  /** The environment that the calling thread runs in; {@link #REAL} unless {@link #within} is. */
  static Environment current() {
    return ThreadEnvironment.get();
  }

  /**
   * Runs something in an environment: on this thread, and on threads that it starts meanwhile, the
   * environment is the {@link #current()} one.
   *
   * @return what the task returns
   */
  static <T> T within(Environment environment, Supplier<T> task) {
    return ThreadEnvironment.within(environment, task);
  }

  /** The monotonic clock, of all that waits, repeats or gives up; and how a thread sleeps by it. */
  default TimeSource time() {
    return TimeSource.SYSTEM;
  }

  /** The time of day, for what people read and for what ranks compare. */
  default InstantSource wallClock() {
    return InstantSource.system();
  }

  /** Random numbers. */
  default RandomSource random() {
    return RandomSource.SYSTEM;
  }

  /** The process around the node. */
  default ProcessControl process() {
    return ProcessControl.JVM;
  }

  /** Threads for what blocks, and how code waits that has no loop to drive. */
  default Threads threads() {
    return JvmThreads.INSTANCE;
  }

  /**
   * Tells which nodes reach each other by the provider {@code local}: those with the same text.
   * Unlike that of any other JVM.
   */
  default String vm() {
    return JvmProcess.VM;
  }

  /**
   * What drives the loops of domains instead of threads; empty for a thread each in AUTO mode and
   * the application's own in MANUAL mode.
   */
  default Optional<LoopDriver> loopDriver() {
    return Optional.empty();
  }

  /**
   * How a node learns of the others. Asked once for each ActorSystem.
   *
   * @param system of the node
   */
  default Membership membership(ActorSystem<?> system) {
    return new ClusterMembership(system);
  }

  /**
   * How actors reach those of other nodes. Asked more than once for an ActorSystem, for the same.
   *
   * @param system of the node
   */
  default Mail mail(ActorSystem<?> system) {
    return new AkkaMail(system);
  }

  /** The protocols that the node speaks. */
  default Protocols protocols() {
    return Protocols.OWN;
  }

  /** The number of the node's first endpoint; each one takes the next. */
  default int firstEndpoint() {
    return 0;
  }

  /** The process's environment variables, which win over all settings. */
  default Map<String, String> variables() {
    return System.getenv();
  }

  /** Settings over those of the application, for a rank that is started in this environment. */
  default Config settings() {
    return ConfigFactory.empty();
  }

  /**
   * Makes the ActorSystem of a rank that is started in this environment. The rank has then neither
   * a launcher nor files, and looks for no ports.
   *
   * @param guardian the behavior at its top
   * @param application the application's configuration under {@link #settings}
   * @return empty to have it made as for a process of its own
   */
  default Optional<ActorSystem<?>> createSystem(
      Behavior<?> guardian, JobSpec spec, Config application) {
    return Optional.empty();
  }
}
