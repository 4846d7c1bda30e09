package io.tagfabric.processes;

import akka.actor.AddressFromURIString;
import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import akka.pattern.Patterns;
import akka.util.ByteString;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.actor.FabricSetup;
import io.tagfabric.collective.ClusterTeam;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Two nodes of an Akka cluster, each a JVM. The first one stops the other until the cluster calls
 * it unreachable and some seconds more, and lets it go on. Twins, tagged messages and a team must
 * work then, also by what was called meanwhile.
 *
 * <p>Arguments: the provider, and how long the other node stands still beyond that, in ms.
 */
public final class PausedNode {
  private static final String NAME = "answers";
  private static final int PHASES = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(80);
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

  private PausedNode(String provider, String key) {
    this.provider = provider;
    this.key = key;
    BootstrapSetup bootstrap =
        BootstrapSetup.create(
            ConfigFactory.parseString(NODE.formatted(provider, key))
                .withFallback(ConfigFactory.load()));
    system =
        ActorSystem.create(
            Behaviors.empty(), "paused", ActorSystemSetup.create(bootstrap, FabricSetup.create()));
    cluster = Cluster.get(system);
  }

  /** The other node answers whoever it is told of. */
  @SuppressWarnings("unchecked") // a class has no type arguments
  private static final Class<ActorRef<String>> ASKER =
      (Class<ActorRef<String>>) (Class<?>) ActorRef.class;

  public static void main(String[] args) throws Exception {
    if (args.length == 2) {
      new PausedNode(args[0], UUID.randomUUID().toString()).ask(Long.parseLong(args[1]));
    } else {
      new PausedNode(args[0], args[1]).answer(args[2]);
    }
  }

  private void join(String seed) {
    cluster.manager().tell(Join.create(AddressFromURIString.parse(seed)));
    until(() -> countUp() == 2);
  }

  private int countUp() {
    int up = 0;
    for (var member : cluster.state().getMembers()) {
      up += member.status().equals(akka.cluster.MemberStatus.up()) ? 1 : 0;
    }
    return up;
  }

  private static void until(BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new IllegalStateException("waited in vain for " + PATIENCE);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private void end() throws Exception {
    system.terminate();
    get(system.getWhenTerminated());
  }

  // ---- the node that is stopped ----

  private void answer(String seed) throws Exception {
    join(seed);
    Behavior<ActorRef<String>> answers =
        Behaviors.receiveMessage(
            asker -> {
              asker.tell("here");
              return Behaviors.same();
            });
    get(
        FabricActors.get(system)
            .expose(NAME, system.systemActorOf(answers, NAME, Props.empty()), ASKER));
    Domain domain = Fabric.get(system).openDomain(NAME, ProgressMode.AUTO);
    Endpoint endpoint = domain.openEndpoint(NAME);
    get(Fabric.get(system).register(NAME, endpoint));
    try (ClusterTeam nodes = ClusterTeam.of(system, "worker", 2)) {
      Team team = get(nodes.form());
      for (int phase = 0; phase < PHASES; phase++) {
        TaggedMessage message = get(endpoint.futures().receiveTagged(TagSelector.any()));
        get(
            endpoint
                .futures()
                .sendTagged(message.source(), message.payload().array(), message.tag()));
        get(team.allreduce(new long[] {1}, Reduction.SUM));
      }
    }
    end();
  }

  // ---- the node that stops it ----

  private void ask(long pauseMs) throws Exception {
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    until(() -> countUp() == 1);
    Process other = startOther();
    try {
      until(() -> countUp() == 2);
      ActorRef<ActorRef<String>> answers = get(FabricActors.get(system).ref(NAME, ASKER));
      Domain domain = Fabric.get(system).openDomain(NAME, ProgressMode.AUTO);
      Endpoint endpoint = domain.openEndpoint("asks");
      int peer = get(domain.connect(NAME));
      try (ClusterTeam nodes = ClusterTeam.of(system, "worker", 2)) {
        Team team = get(nodes.form());
        CompletionStage<?> before = phase(answers, endpoint, peer, team, 1);
        get(before);
        say("before");
        signal("STOP", other);
        CompletionStage<?> meanwhile = phase(answers, endpoint, peer, team, 2);
        until(() -> !cluster.state().getUnreachable().isEmpty());
        say("unreachable");
        get(
            Patterns.after(
                Duration.ofMillis(pauseMs),
                system.classicSystem(),
                () -> CompletableFuture.completedFuture(true)));
        signal("CONT", other);
        get(meanwhile);
        say("meanwhile");
        until(() -> cluster.state().getUnreachable().isEmpty());
        get(phase(answers, endpoint, peer, team, PHASES));
        say("after");
      }
      say("by Akka's remoting: " + FabricActors.get(system).counters().byArtery());
      if (!other.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("the other node does not end");
      }
      say("other " + other.exitValue());
    } finally {
      other.destroyForcibly();
    }
    end();
  }

  /** An ask, a tagged message and its answer, and a step of the team. */
  private CompletionStage<?> phase(
      ActorRef<ActorRef<String>> answers, Endpoint endpoint, int peer, Team team, int tag) {
    CompletableFuture<String> answer =
        AskPattern.<ActorRef<String>, String>ask(
                answers, asker -> asker, PATIENCE, system.scheduler())
            .toCompletableFuture();
    endpoint.futures().sendTagged(peer, ByteString.fromString("phase"), tag);
    CompletableFuture<TaggedMessage> echo =
        endpoint.futures().receiveTagged(TagSelector.exact(tag).from(peer)).toCompletableFuture();
    CompletableFuture<long[]> sum =
        team.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture();
    return CompletableFuture.allOf(answer, echo, sum);
  }

  private Process startOther() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(PausedNode.class.getName());
    command.addAll(List.of(provider, key, cluster.selfMember().address().toString()));
    return new ProcessBuilder(command).inheritIO().start();
  }

  private static void signal(String name, Process process) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
