package io.tagfabric.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.ActorNotFound;
import akka.actor.Address;
import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.remote.RemoteActorRefProvider;
import akka.remote.testkit.Blackhole$;
import akka.remote.testkit.Direction;
import akka.remote.testkit.SetThrottle;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.support.Await;
import io.tagfabric.support.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.jdk.javaapi.FutureConverters;

/** Networks that split while the cluster still takes its nodes for joining. */
class JoiningResolverTest {
  /** Waits for a role that nobody has, so that none is ever up; and no patience. */
  private static final Config NEVER_UP =
      ConfigFactory.parseString(
          """
          akka.cluster {
            role.nobody.min-nr-of-members = 1
            failure-detector { heartbeat-interval = 200 ms, acceptable-heartbeat-pause = 2 s }
            split-brain-resolver.stable-after = 1 s
          }
          akka.remote.artery.advanced.test-mode = on
          """);

  @ParameterizedTest
  @CsvSource({"2, 1, true", "1, 3, false", "1, 2, false", "2, 3, true", "3, 3, true"})
  void shouldStayWithMoreThanHalf(int reachable, int living, boolean stays) {
    assertThat(JoiningResolver.staysWith(reachable, living, false)).isEqualTo(stays);
  }

  @Test
  void shouldStayWithRankZeroIfBothSidesAreOfOneSize() {
    assertThat(JoiningResolver.staysWith(2, 4, true)).isTrue();
    assertThat(JoiningResolver.staysWith(2, 4, false)).isFalse();
  }

  @Tag("exhaustive")
  @Test
  void shouldEndTheSmallerSide() {
    try (TestCluster cluster = started(3)) {
      cut(cluster, List.of(0), List.of(1, 2));

      Await.get(cluster.system(0).getWhenTerminated());
      for (int node : List.of(1, 2)) {
        awaitGone(cluster, node, 0);
        assertThat(cluster.system(node).getWhenTerminated()).isNotCompleted();
      }
    }
  }

  @Test
  void shouldEndTheSideWithoutRankZeroIfTheyAreOfOneSize() {
    try (TestCluster cluster = started(2)) {
      cut(cluster, List.of(0), List.of(1));

      Await.get(cluster.system(1).getWhenTerminated());
      awaitGone(cluster, 0, 1);
      assertThat(cluster.system(0).getWhenTerminated()).isNotCompleted();
    }
  }

  @Tag("exhaustive")
  @Test
  void shouldTakeThoseItNeverHeardOfForUnreachable() {
    try (TestCluster cluster = joining(3)) {
      for (int node = 0; node < 3; node++) {
        JoiningResolver.start(cluster.system(node), 6, cluster.system(2).address());
      }
      cut(cluster, List.of(0), List.of(1, 2));

      for (int node = 0; node < 3; node++) {
        Await.get(cluster.system(node).getWhenTerminated());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "split-brain-resolver.active-strategy = keep-majority, true",
    "split-brain-resolver.active-strategy = keep-oldest, false",
    "downing-provider-class = \"\", false"
  })
  void shouldLeaveItToWhatAnApplicationHasChosen(String setting, boolean starts) {
    try (TestCluster cluster = new TestCluster()) {
      Config chosen = ConfigFactory.parseString("akka.cluster." + setting).withFallback(NEVER_UP);
      ActorSystem<?> system = cluster.start(chosen);

      JoiningResolver.start(system, 2, system.address());

      CompletionStage<?> found =
          Adapter.toClassic(system)
              .actorSelection("/system/" + JoiningResolver.NAME)
              .resolveOne(Duration.ofSeconds(10));
      if (starts) {
        assertThat(Await.get(found)).isNotNull();
      } else {
        assertThat(Await.failure(found)).isInstanceOf(ActorNotFound.class);
      }
    }
  }

  /** Nodes that know each other and are joining, each with a resolver. */
  private static TestCluster started(int size) {
    TestCluster cluster = joining(size);
    Address seed = cluster.system(0).address();
    for (int node = 0; node < size; node++) {
      JoiningResolver.start(cluster.system(node), size, seed);
    }
    return cluster;
  }

  private static TestCluster joining(int size) {
    TestCluster cluster = new TestCluster();
    for (int node = 0; node < size; node++) {
      cluster.start(NEVER_UP);
    }
    cluster.awaitMet();
    for (int node = 0; node < size; node++) {
      assertThat(Cluster.get(cluster.system(node)).selfMember().status())
          .isEqualTo(MemberStatus.joining());
    }
    return cluster;
  }

  private static void awaitGone(TestCluster cluster, int node, int other) {
    Address gone = cluster.system(other).address();
    Await.until(
        "node " + node + " knows that node " + other + " is gone",
        () ->
            StreamSupport.stream(
                    Cluster.get(cluster.system(node)).state().getMembers().spliterator(), false)
                .noneMatch(member -> member.address().equals(gone)));
  }

  /** Nothing passes between two sides any more. */
  private static void cut(TestCluster cluster, List<Integer> first, List<Integer> second) {
    for (int here : first) {
      for (int there : second) {
        block(cluster.system(here), cluster.system(there).address());
        block(cluster.system(there), cluster.system(here).address());
      }
    }
  }

  private static void block(ActorSystem<?> system, Address to) {
    ExtendedActorSystem classic = (ExtendedActorSystem) Adapter.toClassic(system);
    RemoteActorRefProvider provider = (RemoteActorRefProvider) classic.provider();
    SetThrottle blocked = new SetThrottle(to, Direction.Both$.MODULE$, Blackhole$.MODULE$);
    Object done =
        Await.get(FutureConverters.asJava(provider.transport().managementCommand(blocked)));
    assertThat(done).isEqualTo(true);
  }
}
