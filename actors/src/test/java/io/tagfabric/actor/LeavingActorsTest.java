package io.tagfabric.actor;

import static org.assertj.core.api.Assertions.assertThat;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.support.Await;
import io.tagfabric.support.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What actors of a node tell while it ends arrives at another one, in order. */
class LeavingActorsTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int EACH = 50;

  private final TestCluster cluster = new TestCluster();

  @AfterEach
  void stop() {
    cluster.close();
  }

  /** Tells its target something at the end of its life. */
  private static Behavior<ActorRef<Integer>> lastWords(int first) {
    return Behaviors.receive(
        (context, target) ->
            Behaviors.receiveSignal(
                (same, signal) -> {
                  if (signal instanceof PostStop) {
                    tell(target, first);
                  }
                  return Behaviors.same();
                }));
  }

  private static void tell(ActorRef<Integer> target, int first) {
    IntStream.range(first, first + EACH).forEach(target::tell);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "artery"})
  void shouldBringWhatIsToldUntilTheEnd(String provider) {
    Config config =
        ConfigFactory.parseString(
                "tagfabric.job.key = \"%s\"\ntagfabric.provider.use = [%s]\n"
                    .formatted(UUID.randomUUID(), provider))
            .withFallback(ConfigFactory.defaultApplication());
    ActorSystem<Void> stays = cluster.start(Behaviors.<Void>empty(), config, FabricSetup.create());
    ActorSystem<ActorRef<Integer>> leaves =
        cluster.start(lastWords(3 * EACH), config, FabricSetup.create());
    cluster.awaitUp();
    TestProbe<Integer> probe = TestProbe.create(stays);
    Await.get(FabricActors.get(stays).expose("target", probe.getRef(), Integer.class));
    ActorRef<Integer> target = Await.get(FabricActors.get(leaves).ref("target", Integer.class));
    leaves.tell(target);
    atEnd(leaves, CoordinatedShutdown.PhaseClusterShutdown(), target, EACH);
    atEnd(leaves, CoordinatedShutdown.PhaseBeforeActorSystemTerminate(), target, 2 * EACH);
    tell(target, 0);

    leaves.terminate();

    List<Integer> all = IntStream.range(0, 4 * EACH).boxed().toList();
    assertThat(all).allSatisfy(each -> assertThat(probe.receiveMessage(LONG)).isEqualTo(each));
    Await.get(leaves.getWhenTerminated());
    assertThat(FabricActors.get(stays).counters().received()).as("by the fabric").isPositive();
  }

  private static void atEnd(
      ActorSystem<?> system, String phase, ActorRef<Integer> target, int first) {
    CoordinatedShutdown.get(system)
        .addTask(
            phase,
            "tell-" + first,
            () -> {
              tell(target, first);
              return CompletableFuture.completedFuture(Done.getInstance());
            });
  }
}
