package io.tagfabric.processes;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.receptionist.Receptionist;
import akka.actor.typed.receptionist.ServiceKey;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.actor.FabricSetup;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * A node of an application that makes its cluster itself, with nothing of Tagfabric in its
 * configuration. Its arguments are its address and that of the first node. The first one answers
 * tagged messages and an actor's; the other asks both, says by which providers they went, and waits
 * until the first is lost.
 */
public final class ShopNode {
  private static final String NODE =
      """
      akka.loglevel = ERROR
      akka.actor.provider = cluster
      akka.remote.artery { transport = tcp, canonical { hostname = "%s", port = 25520 } }
      akka.cluster.seed-nodes = ["akka://shop@%s:25520"]
      akka.cluster.downing-provider-class = "akka.cluster.sbr.SplitBrainResolverProvider"
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String NAME = "orders";
  private static final long ORDER = 1;
  private static final int[] LENGTHS = {8, 1000, 300_000};
  private static final int ASKS = 20;

  @SuppressWarnings("unchecked") // a class has no type arguments
  private static final ServiceKey<ActorRef<String>> KEY =
      (ServiceKey<ActorRef<String>>) (ServiceKey<?>) ServiceKey.create(ActorRef.class, NAME);

  private final ActorSystem<Void> system;

  private ShopNode(String host, String first) {
    BootstrapSetup bootstrap =
        BootstrapSetup.create(
            ConfigFactory.parseString(NODE.formatted(host, first))
                .withFallback(ConfigFactory.load()));
    system =
        ActorSystem.create(
            Behaviors.empty(), "shop", ActorSystemSetup.create(bootstrap, FabricSetup.create()));
  }

  public static void main(String[] args) {
    ShopNode node = new ShopNode(args[0], args[1]);
    if (args[0].equals(args[1])) {
      node.answer();
    } else {
      node.ask();
    }
  }

  // ---- the first node ----

  private void answer() {
    Behavior<ActorRef<String>> answers =
        Behaviors.receiveMessage(
            asker -> {
              asker.tell("here");
              return Behaviors.same();
            });
    ActorRef<ActorRef<String>> actor = system.systemActorOf(answers, NAME, Props.empty());
    system.receptionist().tell(Receptionist.register(KEY, actor));
    Fabric fabric = Fabric.get(system);
    Endpoint endpoint = fabric.openDomain(NAME).openEndpoint(NAME);
    join(fabric.register(NAME, endpoint));
    System.out.println("ready");
    while (true) {
      TaggedMessage order = join(endpoint.futures().receiveTagged(TagSelector.any()));
      endpoint.futures().sendTagged(order.source(), order.payload().array(), order.tag());
    }
  }

  // ---- the other ----

  private void ask() {
    Domain domain = Fabric.get(system).openDomain(NAME);
    Endpoint endpoint = domain.openEndpoint("asks");
    int peer = join(domain.connect(NAME, PATIENCE));
    TagSelector answer = TagSelector.exact(ORDER).from(peer);
    for (int length : LENGTHS) {
      byte[] order = new byte[length];
      Arrays.fill(order, (byte) length);
      endpoint.futures().sendTagged(peer, order, ORDER);
      byte[] got = join(endpoint.futures().receiveTagged(answer)).payload().array();
      if (!Arrays.equals(got, order)) {
        throw new IllegalStateException("another answer to " + length + " bytes");
      }
    }
    askActor();
    for (Domain each : Fabric.get(system).domains()) {
      for (Endpoint its : each.endpoints()) {
        join(its.futures().flows())
            .flows()
            .forEach(flow -> System.out.println(each.name() + " by " + flow.provider()));
      }
    }
    System.out.println("exchanged");
    try {
      join(endpoint.futures().receiveTagged(answer));
    } catch (CompletionException lost) {
      System.out.println("at " + System.currentTimeMillis() + " " + lost.getCause().getMessage());
    }
    System.out.println("lost");
    system.terminate();
  }

  /** Asks until the fabric has carried all of some questions, as it does once it is known. */
  private void askActor() {
    ActorRef<ActorRef<String>> actor = find();
    FabricActors references = FabricActors.get(system);
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    long before = references.counters().sent();
    while (references.counters().sent() - before < ASKS) {
      String said =
          join(
              AskPattern.<ActorRef<String>, String>ask(
                  actor, asker -> asker, PATIENCE, system.scheduler()));
      if (!said.equals("here") || System.nanoTime() - deadlineNs > 0) {
        throw new IllegalStateException(said + ", " + references.counters());
      }
    }
  }

  private ActorRef<ActorRef<String>> find() {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - deadlineNs < 0) {
      Receptionist.Listing listing =
          join(
              AskPattern.<Receptionist.Command, Receptionist.Listing>ask(
                  system.receptionist(),
                  asker -> Receptionist.find(KEY, asker),
                  PATIENCE,
                  system.scheduler()));
      Set<ActorRef<ActorRef<String>>> found = listing.getServiceInstances(KEY);
      if (!found.isEmpty()) {
        return found.iterator().next();
      }
    }
    throw new IllegalStateException("no actor of that kind has become known");
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
