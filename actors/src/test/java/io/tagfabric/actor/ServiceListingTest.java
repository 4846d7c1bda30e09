package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.receptionist.Receptionist;
import akka.actor.typed.receptionist.ServiceKey;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.support.Await;
import io.tagfabric.support.TestCluster;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ServiceListingTest {
  private static final ServiceKey<String> KEY = ServiceKey.create(String.class, "printer");

  private static TestCluster cluster() {
    TestCluster cluster = new TestCluster();
    UUID key = UUID.randomUUID();
    for (int i = 0; i < 2; i++) {
      cluster.start(
          ConfigFactory.parseString(
                  "tagfabric.job.key = \"" + key + "\"\ntagfabric.provider.use = [shm]\n")
              .withFallback(ConfigFactory.defaultApplication()));
    }
    cluster.awaitUp();
    return cluster;
  }

  private static ActorRef<String> register(
      ActorSystem<?> system, String name, Behavior<String> behavior) {
    ActorRef<String> actor = system.systemActorOf(behavior, name, Props.empty());
    system.receptionist().tell(Receptionist.register(KEY, actor));
    return actor;
  }

  private static Behavior<String> printer(TestProbe<String> printed) {
    return Behaviors.receiveMessage(
        text -> {
          printed.getRef().tell(text);
          return text.equals("stop") ? Behaviors.stopped() : Behaviors.same();
        });
  }

  @Test
  void shouldListActorsThatTheReceptionistKnowsAndReachThemByTheFabric() {
    try (TestCluster cluster = cluster()) {
      ActorSystem<?> near = cluster.system(0);
      ActorSystem<?> far = cluster.system(1);
      TestProbe<String> printed = TestProbe.create(far);
      FabricActors.get(far);
      List<Integer> sizes = new CopyOnWriteArrayList<>();

      ServiceListing<String> listing = FabricActors.get(near).ref(KEY);
      listing.onChange(refs -> sizes.add(refs.size()));
      register(far, "printer-1", printer(printed));
      ActorRef<String> own = register(near, "printer-0", Behaviors.ignore());
      Set<ActorRef<String>> refs = Await.get(listing.atLeast(2));

      assertThat(refs).contains(own).isEqualTo(listing.refs());
      ActorRef<String> twin = refs.stream().filter(ref -> !ref.equals(own)).findFirst().get();
      twin.tell("hello");
      printed.expectMessage("hello");
      assertThat(FabricActors.get(near).counters())
          .matches(counters -> counters.sent() == 1 && counters.byArtery() == 0);

      twin.tell("stop");
      Await.until("one is left", () -> listing.refs().equals(Set.of(own)));
      assertThat(sizes).startsWith(0).endsWith(1).contains(2);
      listing.close();
    }
  }
}
