package io.tagfabric.provider;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The ActorSystems of a contract test: one, or two that reach each other in a certain way. */
final class ContractSystems {
  private static final String COMMON =
      """
      akka.loglevel = ERROR
      akka.log-dead-letters = off
      akka.actor.allow-java-serialization = off
      akka.coordinated-shutdown.run-by-actor-system-terminate = on
      """;
  private static final String REMOTE =
      """
      akka.actor.provider = remote
      akka.remote.artery {
        transport = tcp
        canonical { hostname = "127.0.0.1", port = 0 }
        advanced { inbound-lanes = 1, outbound-lanes = 1 }
      }
      """;

  private static final String FAULTS =
      "tagfabric.faults { drop = 1%, duplicate = 2%, delay = 2%, reorder = 5%, seed = 20240607 }";

  private final String provider;
  private final boolean two;
  private final String more;
  private final List<ActorSystem<Void>> systems = new ArrayList<>();

  private ContractSystems(String provider, boolean two, String more) {
    this.provider = provider;
    this.two = two;
    this.more = more;
  }

  static ContractSystems one(String provider) {
    return new ContractSystems(provider, false, "");
  }

  static ContractSystems two(String provider) {
    return new ContractSystems(provider, true, "");
  }

  /** Two that reach each other through a bad network. */
  static ContractSystems faulty(String provider) {
    return new ContractSystems(provider, true, FAULTS);
  }

  /** One, or two, whose cores hand over by mailbox. */
  static ContractSystems mailbox(String provider, boolean two) {
    return new ContractSystems(provider, two, "tagfabric.progress.hand-over = mailbox");
  }

  /** One, or two, whose progress threads make progress in a certain way. */
  static ContractSystems progress(String provider, boolean two, String settings) {
    return new ContractSystems(provider, two, "tagfabric.progress { " + settings + " }");
  }

  /** Two that write into each other's shared ring: no sender has a lane. */
  static ContractSystems sharedRing() {
    return new ContractSystems("shm", true, "tagfabric.provider.shm.lanes = 0");
  }

  /** Two whose domains have one lane each: whoever comes second shares the ring. */
  static ContractSystems oneLane() {
    return new ContractSystems("shm", true, "tagfabric.provider.shm.lanes = 1");
  }

  /** Two that give a peer credit for one message at a time. */
  static ContractSystems oneCredit(String provider) {
    return new ContractSystems(provider, true, "tagfabric.flow.message-credits = 1");
  }

  /** Two that reach each other through a network that loses or holds back four packets of ten. */
  static ContractSystems hopeless(String provider) {
    return new ContractSystems(
        provider, true, "tagfabric.faults { drop = 20%, reorder = 20%, seed = 20240607 }");
  }

  /** Two that reach each other by eight paths; with artery each is a lane. */
  static ContractSystems paths(String provider, String selection) {
    return new ContractSystems(
        provider,
        true,
        "tagfabric.path { lmc = 3, selection = "
            + selection
            + " }\nakka.remote.artery.advanced { inbound-lanes = 8, outbound-lanes = 8 }");
  }

  /** Whether packets are lost in earnest, not only when a queue overflows. */
  boolean losesPackets() {
    return more.equals(FAULTS);
  }

  /** Whether peers access regions in fabric memory themselves. */
  boolean accessDirectly() {
    return !losesPackets() && (provider.equals("shm") || provider.equals("local"));
  }

  /** Endpoints that a test may open to talk to each other, all to all. */
  int crowd() {
    if (provider.equals("aeron")) {
      // Its driver keeps log buffers for each path of each pair of endpoints.
      return more.contains("tagfabric.path") ? 4 : 20;
    }
    // The work grows with the square of it, so one provider has many in every build.
    boolean many = Boolean.getBoolean("tests.exhaustive") || !two && more.isEmpty();
    return many ? 100 : 40;
  }

  void start() {
    systems.add(start(provider, "near", more));
    if (two) {
      systems.add(start(provider, "far", more));
    }
  }

  /** The providers of this build by name; those that tests add decorate one of them. */
  static List<String> providers() {
    return Provider.installed().stream()
        .filter(provider -> !(provider instanceof ProviderDecorator))
        .map(Provider::name)
        .toList();
  }

  private static boolean needsRemoting(String provider) {
    return Provider.installed().stream()
        .filter(each -> each.name().equals(provider))
        .anyMatch(each -> each.capabilities().reach() == Reach.REMOTING);
  }

  /** Starts a system with more configuration; the caller stops it with {@link #stop(List)}. */
  static ActorSystem<Void> start(String provider, String name, String more) {
    Config config =
        ConfigFactory.parseString(more)
            .withFallback(ConfigFactory.parseString("tagfabric.provider.use = [" + provider + "]"))
            .withFallback(ConfigFactory.parseString(needsRemoting(provider) ? REMOTE : ""))
            .withFallback(ConfigFactory.parseString(COMMON))
            .withFallback(ConfigFactory.load());
    return ActorSystem.create(Behaviors.empty(), name, config);
  }

  ActorSystem<Void> near() {
    return systems.get(0);
  }

  ActorSystem<Void> far() {
    return systems.get(systems.size() - 1);
  }

  void stop() {
    stop(systems);
    systems.clear();
  }

  /** Ends systems and waits until none of their threads, nor of the fabric's, is left. */
  static void stop(List<ActorSystem<Void>> systems) {
    systems.forEach(ActorSystem::terminate);
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    for (ActorSystem<Void> system : systems) {
      system.getWhenTerminated().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }
    List<String> left = threads(systems);
    while (!left.isEmpty()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError("threads left: " + left);
      }
      LockSupport.parkNanos(1_000_000);
      left = threads(systems);
    }
  }

  private static List<String> threads(List<ActorSystem<Void>> systems) {
    List<String> names = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      String name = thread.getName();
      boolean ours = name.startsWith("tagfabric-");
      for (ActorSystem<Void> system : systems) {
        ours |= name.startsWith(system.name() + "-");
      }
      if (ours) {
        names.add(name);
      }
    }
    return names;
  }
}
