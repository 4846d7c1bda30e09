package io.tagfabric.docs;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.AddressFromURIString;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.job.JobSpec;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.job.Job;
import io.tagfabric.jvms.TestPorts;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An application with its own ActorSystems, actors and cluster makes some of them ranks. */
class JoinTest {
  private static final long PATIENCE_S = 60;

  private final List<ActorSystem<?>> systems = new ArrayList<>();
  private final UUID key = UUID.randomUUID();
  private final int seedPort = TestPorts.next();

  /** An actor of the application that has nothing to do with ranks. */
  private static final class Till {
    record Count(ActorRef<Integer> replyTo) {}

    static Behavior<Count> create() {
      return Behaviors.receiveMessage(
          count -> {
            count.replyTo().tell(42);
            return Behaviors.same();
          });
    }
  }

  /** What an application has by itself: no profile of ours. */
  private ActorSystem<Till.Count> shop(String role, int port, int rank) {
    Config own =
        ConfigFactory.parseString(
            """
            akka {
              actor.provider = cluster
              remote.artery.canonical { hostname = 127.0.0.1, port = %d }
              cluster { roles = [%s], jmx.enabled = off }
              loglevel = ERROR
            }
            """
                .formatted(port, role));
    Config ofRank =
        ConfigFactory.parseString(
            """
            tagfabric.job { key = "%s", size = 2, rank = %d, seed-port = %d, profile = tcp }
            """
                .formatted(key, Math.max(rank, 0), seedPort));
    ActorSystem<Till.Count> system =
        ActorSystem.create(
            Till.create(),
            "shop",
            (rank < 0 ? own : own.withFallback(ofRank)).withFallback(ConfigFactory.load()));
    systems.add(system);
    return system;
  }

  @AfterEach
  void stop() throws Exception {
    systems.forEach(ActorSystem::terminate);
    for (ActorSystem<?> system : systems) {
      get(system.getWhenTerminated().toCompletableFuture());
    }
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PATIENCE_S, TimeUnit.SECONDS);
  }

  // #join
  /** Makes an ActorSystem of the application a rank of the job that its configuration names. */
  static Job join(ActorSystem<?> system) {
    return Job.join(system, JobSpec.fromSettings(Settings.of(system.settings().config())));
  }

  // #join

  @Test
  void shouldMakeSystemsOfAnApplicationRanks() throws Exception {
    ActorSystem<Till.Count> zero = shop("counter", seedPort, 0);
    ActorSystem<Till.Count> one = shop("counter", 0, 1);
    ActorSystem<Till.Count> other = shop("front", 0, -1);
    CompletableFuture<Job> second = CompletableFuture.supplyAsync(() -> join(one));
    Job first = join(zero);
    Cluster.get(other)
        .manager()
        .tell(Join.create(AddressFromURIString.parse(zero.address().toString())));

    get(second).endpoint().futures().sendTagged(get(second).peer(0), new byte[] {7}, 1);
    assertThat(
            get(first
                    .endpoint()
                    .futures()
                    .receiveTagged(TagSelector.exact(1))
                    .toCompletableFuture())
                .payload()
                .array())
        .containsExactly(7);
    awaitUp(other, 3);
    assertThat(first.size()).isEqualTo(2);

    first.close();
    get(second).close();
    for (ActorSystem<Till.Count> system : List.of(zero, one, other)) {
      assertThat(
              get(
                  AskPattern.<Till.Count, Integer>ask(
                          system, Till.Count::new, Duration.ofSeconds(10), system.scheduler())
                      .toCompletableFuture()))
          .isEqualTo(42);
    }
    awaitUp(zero, 3);
    assertThat(zero.getWhenTerminated()).isNotCompleted();
  }

  private static void awaitUp(ActorSystem<?> system, int members) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (count(system) != members) {
      assertThat(System.nanoTime() - deadlineNs).as("%d members are up", members).isNegative();
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static int count(ActorSystem<?> system) {
    int count = 0;
    for (var member : Cluster.get(system).state().getMembers()) {
      count += member.status().equals(MemberStatus.up()) ? 1 : 0;
    }
    return count;
  }
}
