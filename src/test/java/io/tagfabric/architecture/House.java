package io.tagfabric.architecture;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The lists behind the architecture tests; the one place to extend when the project grows. */
final class House {
  static final String BASE = "io.tagfabric";

  /** Each module and the modules it may use. */
  static final Map<String, Set<String>> MODULES =
      Map.ofEntries(
          Map.entry("cluster-config", Set.of()),
          Map.entry("launcher", Set.of("cluster-config")),
          Map.entry("kryo", Set.of("cluster-config")),
          Map.entry("actors", Set.of("kryo", "cluster-config")),
          Map.entry("collectives", Set.of("actors", "kryo", "cluster-config")),
          Map.entry("simulation", Set.of("collectives", "actors", "kryo", "cluster-config")),
          Map.entry(
              "testkit", Set.of("simulation", "collectives", "actors", "kryo", "cluster-config")),
          Map.entry(
              "benchmarks", Set.of("collectives", "actors", "kryo", "launcher", "cluster-config")),
          Map.entry(
              "demos",
              Set.of("benchmarks", "collectives", "actors", "kryo", "launcher", "cluster-config")),
          Map.entry(
              "trials",
              Set.of(
                  "simulation",
                  "demos",
                  "benchmarks",
                  "collectives",
                  "actors",
                  "kryo",
                  "launcher",
                  "cluster-config")),
          Map.entry(
              "cli",
              Set.of(
                  "trials",
                  "simulation",
                  "demos",
                  "benchmarks",
                  "collectives",
                  "actors",
                  "kryo",
                  "launcher",
                  "cluster-config")));

  /** Modules that run inside somebody else's program. */
  static final List<String> LIBRARIES =
      List.of("cluster-config", "kryo", "actors", "collectives", "simulation", "testkit");

  /** Modules that print through what they are given, and leave the end of the JVM to others. */
  static final List<String> QUIET =
      Stream.concat(LIBRARIES.stream(), Stream.of("launcher")).toList();

  /**
   * Packages (with those below them) that never import Akka, and the top-level classes in them that
   * may because they are the actor around the core.
   */
  static final Map<String, Set<String>> PLAIN_PACKAGES =
      Map.ofEntries(
          Map.entry("io.tagfabric.annotation", Set.of()),
          Map.entry("io.tagfabric.cluster", Set.of()),
          Map.entry("io.tagfabric.launch", Set.of()),
          Map.entry("io.tagfabric.report", Set.of()),
          Map.entry("io.tagfabric.error", Set.of()),
          Map.entry("io.tagfabric.exit", Set.of()),
          Map.entry("io.tagfabric.tag", Set.of()),
          Map.entry("io.tagfabric.match", Set.of("TagMatcher", "TagMatcherActor")),
          Map.entry(
              "io.tagfabric.complete",
              Set.of(
                  "CompletionQueue",
                  "CompletionQueueActor",
                  "CompletionOutbox",
                  "Counter",
                  "CounterActor")),
          Map.entry("io.tagfabric.wire", Set.of()),
          Map.entry("io.tagfabric.trace", Set.of()),
          Map.entry("io.tagfabric.flow", Set.of()),
          Map.entry("io.tagfabric.path", Set.of()),
          Map.entry(
              "io.tagfabric.runtime",
              Set.of(
                  "Environment",
                  "EnvironmentSetup",
                  "Mail",
                  "AkkaMail",
                  "DeadlineScheduler",
                  "Membership",
                  "ClusterMembership",
                  "ClusterNews",
                  "JoiningResolver")),
          Map.entry("io.tagfabric.simulation.choice", Set.of()),
          Map.entry("io.tagfabric.memory", Set.of("Region", "RegionActor", "RegionTable")),
          Map.entry("io.tagfabric.collective.schedule", Set.of()),
          Map.entry("io.tagfabric.collective.algorithm", Set.of()),
          Map.entry("io.tagfabric.collective.host", Set.of()),
          Map.entry("io.tagfabric.collective.reduce", Set.of()),
          Map.entry("io.tagfabric.collective.choose", Set.of()));

  /** Classes of quiet modules that may print or end the JVM, and why. */
  static final Map<String, String> MAY_PRINT_OR_EXIT =
      Map.of(
          "io.tagfabric.runtime.JvmProcess", "is the JVM for those who end it or print",
          "io.tagfabric.simulation.ranks.RanksMain", "the main class of a JVM with several ranks",
          "io.tagfabric.launch.HostAgent", "ends when its launcher is silent",
          "io.tagfabric.launch.MediaDriverMain", "a process that ends when it is broken",
          "io.tagfabric.job.ProcessExit", "flushes what a rank that ends has printed");

  /** A package, with those below it, and the packages it must not use. */
  static final Map<String, Set<String>> NEVER =
      Map.of(
          "io.tagfabric.collective",
          // of provider only what a program gets from Domain.allocate
          Set.of("io.tagfabric.flow", "io.tagfabric.wire", "io.tagfabric.provider.*"),
          "io.tagfabric.provider",
          Set.of(
              "io.tagfabric.link",
              "io.tagfabric.receive",
              "io.tagfabric.access",
              "io.tagfabric.active",
              "io.tagfabric.endpoint",
              "io.tagfabric.fabric",
              "io.tagfabric.exit"));

  /** Classes that name several providers though a list of them asks the providers, and why. */
  static final Map<String, String> MAY_LIST_PROVIDERS =
      Map.of(
          "io.tagfabric.bench.ours.Providers", "what benchmarks measure unless another is named",
          "io.tagfabric.bench.ours.LocalSystem", "one of them, and a transport of Artery",
          "io.tagfabric.bench.compare.MpiLibrary", "transports of Open MPI",
          "io.tagfabric.trials.soak.SoakOptions", "within a JVM, and whose connections can be cut");

  /** Classes that import Akka Cluster though a job, which may be simulated, has no use for them. */
  static final Set<String> KNOWS_AKKA_CLUSTER = Set.of("io.tagfabric.collective.ClusterTeam");

  /** The packages that name Akka's internal types, and these. */
  static final Set<String> NAMES_INTERNAL_OF_AKKA =
      Set.of("io.tagfabric.actor.twin", "io.tagfabric.simulation.remote");

  static final Set<String> INTERNAL_OF_AKKA =
      Set.of(
          "akka.actor.InternalActorRef",
          "akka.actor.ActorRefScope",
          "akka.actor.ActorSystemImpl",
          "akka.actor.EmptyLocalActorRef",
          "akka.actor.LocalActorRefProvider",
          "akka.actor.SerializedActorRef",
          "akka.dispatch.sysmsg.SystemMessage",
          "akka.dispatch.sysmsg.Watch",
          "akka.dispatch.sysmsg.Unwatch",
          "akka.dispatch.sysmsg.DeathWatchNotification",
          "akka.serialization.Serialization$");

  /**
   * Classes of nodes that reach past the environment, and the types that they reach there. Whatever
   * decides anything is not among them.
   */
  static final Map<String, Set<String>> MAY_REACH_PAST_THE_ENVIRONMENT =
      Map.ofEntries(
          // They are the real ones.
          Map.entry("io.tagfabric.progress.TimeSource", Set.of("System", "LockSupport")),
          Map.entry("io.tagfabric.runtime.RandomSource", Set.of("Random")),
          Map.entry(
              "io.tagfabric.runtime.Environment",
              Set.of(
                  "System",
                  "InstantSource",
                  "TimeSource",
                  "RandomSource",
                  "ProcessControl",
                  "JvmThreads")),
          Map.entry("io.tagfabric.runtime.JvmThreads", Set.of("System", "Thread")),
          Map.entry(
              "io.tagfabric.runtime.JvmProcess", Set.of("System", "Runtime", "Thread", "UUID")),
          Map.entry("io.tagfabric.runtime.ThreadEnvironment", Set.of("Environment")),
          Map.entry("io.tagfabric.runtime.AkkaMail", Set.of("ActorSelection")),
          Map.entry("io.tagfabric.runtime.ClusterMembership", Set.of("Cluster")),
          Map.entry("io.tagfabric.runtime.ClusterNews", Set.of("Cluster")),
          Map.entry("io.tagfabric.runtime.JoiningResolver", Set.of("Cluster")),
          // It joins what Akka Cluster has joined, and no job.
          Map.entry(
              "io.tagfabric.collective.ClusterTeam",
              Set.of("Cluster", "Thread", "Executors", "CompletableFuture")),
          // The scheduler of real time; a simulation names another in
          // akka.scheduler.implementation.
          Map.entry(
              "io.tagfabric.runtime.DeadlineScheduler", Set.of("TimeSource", "ThreadPoolExecutor")),
          // Their seed is a setting.
          Map.entry("io.tagfabric.provider.faults.FaultyWire", Set.of("SplittableRandom")),
          Map.entry("io.tagfabric.provider.faults.FaultyChannel", Set.of("SplittableRandom")),
          // So is that of a test.
          Map.entry("io.tagfabric.provider.faults.Links", Set.of("SplittableRandom")),
          // Limits how often a warning is logged; it knows no ActorSystem's environment.
          Map.entry("io.tagfabric.progress.Guards", Set.of("TimeSource")),
          // Sleeps in a selector, of sockets that no simulation has.
          Map.entry("io.tagfabric.progress.ChannelWatch", Set.of("LockSupport")),
          // Has equals and so hashCode, in a heap that never asks for it.
          Map.entry("io.tagfabric.progress.LoopTimers", Set.of("System")),
          // Tells hosts apart where the system does not.
          Map.entry("io.tagfabric.provider.LoopbackScope", Set.of("UUID")),
          // Looked up by key, never iterated.
          Map.entry("io.tagfabric.link.FlowWaiters", Set.of("IdentityHashMap")));

  private House() {}
}
