package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.receptionist.Receptionist;
import akka.actor.typed.receptionist.ServiceKey;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.support.Await;
import io.tagfabric.support.TestCluster;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A member that is started again at its address. */
class RestartedNodeTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final ServiceKey<String> KEY = ServiceKey.create(String.class, "restarted");

  private final TestCluster cluster = new TestCluster();
  private final String key = UUID.randomUUID().toString();

  @AfterEach
  void stop() {
    cluster.close();
  }

  private ActorSystem<?> start(int port, String more) {
    Config config =
        ConfigFactory.parseString(
                "tagfabric.job.key = \""
                    + key
                    + "\"\ntagfabric.provider.use = [shm]\n"
                    + "akka.remote.artery.canonical.port = "
                    + port
                    + "\n"
                    + more)
            .withFallback(ConfigFactory.defaultApplication());
    return cluster.start(config, FabricSetup.create());
  }

  private static ActorRef<String> find(
      ActorSystem<?> near, ActorSystem<?> far, TestProbe<String> got) {
    far.receptionist().tell(Receptionist.register(KEY, got.getRef()));
    TestProbe<Receptionist.Listing> listings = TestProbe.create(near);
    near.receptionist().tell(Receptionist.subscribe(KEY, listings.getRef()));
    while (true) {
      Set<ActorRef<String>> found = listings.receiveMessage(LONG).getServiceInstances(KEY);
      for (ActorRef<String> each : found) {
        if (each.path().uid() == got.getRef().path().uid()) {
          return each;
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldBeReachedByTheFabricAgain(boolean hasSpoken) {
    ActorSystem<?> near = start(0, "");
    ActorSystem<?> old = start(0, "");
    cluster.awaitUp();
    Acquaintance.make(near, old);
    TestProbe<String> oldProbe = TestProbe.create(old);
    ActorRef<String> oldRef = find(near, old, oldProbe);
    if (hasSpoken) {
      oldRef.tell("hello");
      oldProbe.expectMessage(LONG, "hello");
    }
    int port = old.address().getPort().orElseThrow();
    cluster.stop(1);

    ActorSystem<?> again = start(port, "");
    cluster.awaitUp();
    Acquaintance.make(near, again);
    long byArtery = FabricActors.get(near).counters().byArtery();
    TestProbe<String> probe = TestProbe.create(again);
    ActorRef<String> ref = find(near, again, probe);
    ref.tell("hello again");

    probe.expectMessage(LONG, "hello again");
    assertThat(FabricActors.get(near).counters())
        .matches(counters -> counters.byArtery() == byArtery && counters.sent() > 0);
  }

  @Test
  void shouldBeReachedInUntrustedMode() {
    String untrusted =
        "akka.remote.artery.untrusted-mode = on\n"
            + "akka.remote.artery.trusted-selection-paths = [\"/system/cluster/core/daemon\","
            + " \"/system/cluster/heartbeatReceiver\", \"/system/clusterReceptionist/replicator\"]\n";
    ActorSystem<?> near = start(0, untrusted);
    ActorSystem<?> far = start(0, untrusted);
    cluster.awaitUp();
    Acquaintance.make(near, far);
    TestProbe<String> probe = TestProbe.create(far);
    ActorRef<String> ref = find(near, far, probe);

    ref.tell("hello");

    probe.expectMessage(LONG, "hello");
    Await.until("by the fabric", () -> FabricActors.get(near).counters().sent() == 1);
  }
}
