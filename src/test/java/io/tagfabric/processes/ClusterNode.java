package io.tagfabric.processes;

import akka.actor.AddressFromURIString;
import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.actor.FabricSetup;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** This JVM as a node of an Akka cluster, which may start another JVM to be the second node. */
final class ClusterNode {
  static final Duration PATIENCE = Duration.ofSeconds(80);
  private static final String NODE =
      """
      akka.loglevel = ERROR
      akka.logger-startup-timeout = 60 s
      akka.log-dead-letters = off
      akka.actor.provider = cluster
      akka.remote.artery { transport = tcp, canonical { hostname = "127.0.0.1", port = 0 } }
      akka.cluster.roles = [worker]
      akka.cluster.jmx.enabled = off
      akka.cluster.downing-provider-class = "akka.cluster.sbr.SplitBrainResolverProvider"
      akka.cluster.split-brain-resolver.stable-after = 40 s
      akka.coordinated-shutdown.exit-jvm = off
      tagfabric.provider.use = [%s]
      tagfabric.job.key = "%s"
      """;

  private final String provider;
  private final String key;
  private final ActorSystem<Void> system;
  private final Cluster cluster;

  ClusterNode(String name, String provider, String key) {
    this.provider = provider;
    this.key = key;
    BootstrapSetup bootstrap =
        BootstrapSetup.create(
            ConfigFactory.parseString(NODE.formatted(provider, key))
                .withFallback(ConfigFactory.load()));
    system =
        ActorSystem.create(
            Behaviors.empty(), name, ActorSystemSetup.create(bootstrap, FabricSetup.create()));
    cluster = Cluster.get(system);
  }

  ActorSystem<Void> system() {
    return system;
  }

  Cluster cluster() {
    return cluster;
  }

  /** Makes a cluster of this node alone. */
  void begin() {
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    awaitUp(1);
  }

  /** Joins the one that has started this JVM. */
  void join(String seed) {
    cluster.manager().tell(Join.create(AddressFromURIString.parse(seed)));
    awaitUp(2);
  }

  /** Waits until so many members are Up, and there are no others. */
  void awaitUp(int count) {
    until(
        () -> {
          int members = 0;
          int up = 0;
          for (var member : cluster.state().getMembers()) {
            members++;
            up += member.status().equals(MemberStatus.up()) ? 1 : 0;
          }
          return members == count && up == count;
        });
  }

  static void until(BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new IllegalStateException("waited in vain for " + PATIENCE);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  void end() throws Exception {
    system.terminate();
    get(system.getWhenTerminated());
  }

  /** Starts the second node, whose program is told the provider, the key and this node. */
  Process startOther(Class<?> program) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(program.getName());
    command.addAll(List.of(provider, key, cluster.selfMember().address().toString()));
    return new ProcessBuilder(command).inheritIO().start();
  }

  /** Waits for the end of the second node. */
  static int codeOf(Process other) throws Exception {
    if (!other.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("the other node does not end");
    }
    return other.exitValue();
  }

  static void signal(String name, Process process) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }
}
