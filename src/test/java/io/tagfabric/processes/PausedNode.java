package io.tagfabric.processes;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import akka.pattern.Patterns;
import akka.util.ByteString;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.collective.ClusterTeam;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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

  private final ClusterNode node;
  private final ActorSystem<Void> system;

  private PausedNode(String provider, String key) {
    node = new ClusterNode("paused", provider, key);
    system = node.system();
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

  // ---- the node that is stopped ----

  private void answer(String seed) throws Exception {
    node.join(seed);
    Behavior<ActorRef<String>> answers =
        Behaviors.receiveMessage(
            asker -> {
              asker.tell("here");
              return Behaviors.same();
            });
    ClusterNode.get(
        FabricActors.get(system)
            .expose(NAME, system.systemActorOf(answers, NAME, Props.empty()), ASKER));
    Domain domain = Fabric.get(system).openDomain(NAME, ProgressMode.AUTO);
    Endpoint endpoint = domain.openEndpoint(NAME);
    ClusterNode.get(Fabric.get(system).register(NAME, endpoint));
    try (ClusterTeam nodes = ClusterTeam.of(system, "worker", 2)) {
      Team team = ClusterNode.get(nodes.form());
      for (int phase = 0; phase < PHASES; phase++) {
        TaggedMessage message =
            ClusterNode.get(endpoint.futures().receiveTagged(TagSelector.any()));
        ClusterNode.get(
            endpoint
                .futures()
                .sendTagged(message.source(), message.payload().array(), message.tag()));
        ClusterNode.get(team.allreduce(new long[] {1}, Reduction.SUM));
      }
    }
    node.end();
  }

  // ---- the node that stops it ----

  private void ask(long pauseMs) throws Exception {
    node.begin();
    Cluster cluster = node.cluster();
    Process other = node.startOther(PausedNode.class);
    try {
      node.awaitUp(2);
      ActorRef<ActorRef<String>> answers =
          ClusterNode.get(FabricActors.get(system).ref(NAME, ASKER));
      Domain domain = Fabric.get(system).openDomain(NAME, ProgressMode.AUTO);
      Endpoint endpoint = domain.openEndpoint("asks");
      int peer = ClusterNode.get(domain.connect(NAME));
      try (ClusterTeam nodes = ClusterTeam.of(system, "worker", 2)) {
        Team team = ClusterNode.get(nodes.form());
        CompletionStage<?> before = phase(answers, endpoint, peer, team, 1);
        ClusterNode.get(before);
        say("before");
        ClusterNode.signal("STOP", other);
        CompletionStage<?> meanwhile = phase(answers, endpoint, peer, team, 2);
        ClusterNode.until(() -> !cluster.state().getUnreachable().isEmpty());
        say("unreachable");
        ClusterNode.get(
            Patterns.after(
                Duration.ofMillis(pauseMs),
                system.classicSystem(),
                () -> CompletableFuture.completedFuture(true)));
        ClusterNode.signal("CONT", other);
        ClusterNode.get(meanwhile);
        say("meanwhile");
        ClusterNode.until(() -> cluster.state().getUnreachable().isEmpty());
        ClusterNode.get(phase(answers, endpoint, peer, team, PHASES));
        say("after");
      }
      say("by Akka's remoting: " + FabricActors.get(system).counters().byArtery());
      say("other " + ClusterNode.codeOf(other));
    } finally {
      other.destroyForcibly();
    }
    node.end();
  }

  /** An ask, a tagged message and its answer, and a step of the team. */
  private CompletionStage<?> phase(
      ActorRef<ActorRef<String>> answers, Endpoint endpoint, int peer, Team team, int tag) {
    CompletableFuture<String> answer =
        AskPattern.<ActorRef<String>, String>ask(
                answers, asker -> asker, ClusterNode.PATIENCE, system.scheduler())
            .toCompletableFuture();
    endpoint.futures().sendTagged(peer, ByteString.fromString("phase"), tag);
    CompletableFuture<TaggedMessage> echo =
        endpoint.futures().receiveTagged(TagSelector.exact(tag).from(peer)).toCompletableFuture();
    CompletableFuture<long[]> sum =
        team.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture();
    return CompletableFuture.allOf(answer, echo, sum);
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
