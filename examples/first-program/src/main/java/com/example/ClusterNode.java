package com.example;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import akka.util.ByteString;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One node of an Akka Cluster that the application makes itself: no launcher and no ranks. Its
 * arguments are its number, from 0, and how many nodes there are.
 */
public final class ClusterNode {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long ORDER = 1; // the tag of these messages

  private ClusterNode() {}

  public static void main(String[] args) {
    int number = Integer.parseInt(args[0]);
    int nodes = Integer.parseInt(args[1]);
    // #system
    ActorSystem<Void> system =
        ActorSystem.create(Behaviors.empty(), "shop", ConfigFactory.load("cluster-node"));
    // #system
    try {
      run(system, number, nodes);
    } finally {
      system.terminate(); // leaves the cluster and closes the domain
      join(system.getWhenTerminated());
    }
  }

  private static void run(ActorSystem<?> system, int number, int nodes) {
    // #open
    Fabric fabric = Fabric.get(system);
    Domain domain = fabric.openDomain("orders");
    Endpoint endpoint = domain.openEndpoint("orders-" + number);
    join(fabric.register("orders-" + number, endpoint)); // other nodes find it by this name
    // #open

    // #message
    int next = join(domain.connect("orders-" + (number + 1) % nodes, PATIENCE));
    ByteString order = ByteString.fromString("order of node " + number);
    endpoint.futures().sendTagged(next, order, ORDER);
    TaggedMessage got = join(endpoint.futures().receiveTagged(TagSelector.exact(ORDER)));
    // #message
    System.out.println(new String(got.payload().array(), StandardCharsets.UTF_8));

    // #team
    List<EndpointAddress> members = new ArrayList<>(); // the same list at every node
    for (int node = 0; node < nodes; node++) {
      members.add(join(fabric.resolve("orders-" + node, PATIENCE)));
    }
    try (Team team = Team.open(domain, endpoint, members, 1)) {
      double[] sums = join(team.allreduce(new double[] {1, number}, Reduction.SUM));
      System.out.println("sums of all nodes: " + Arrays.toString(sums));
      join(team.barrier()); // nobody leaves before all have the sums
    }
    // #team
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
