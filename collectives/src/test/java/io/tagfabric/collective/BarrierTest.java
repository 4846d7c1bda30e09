package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.Done;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.run.CollectiveTags;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BarrierTest {
  private static ActorTestKit kit;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "barrier",
            ConfigFactory.parseString("akka.actor.provider=local")
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  private static Group group(int size) {
    return new Group(kit.system(), size);
  }

  private static FabricException failureOf(CompletableFuture<Done> future) {
    assertThat(future).isCompletedExceptionally();
    return (FabricException) catchThrowable(future::join).getCause();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 33})
  void shouldCompleteWithLogarithmicMessagesWhenAllHaveEntered(int size) {
    try (Group group = group(size)) {
      List<CompletableFuture<Done>> entered = group.enterAll();
      group.settle();

      assertThat(entered).allSatisfy(each -> assertThat(each).isCompleted());
      int rounds = (int) Math.ceil(Math.log(size) / Math.log(2));
      assertThat(group.messages()).isEqualTo((long) size * rounds);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 33})
  void shouldHoldEverybodyWhileOneIsMissing(int size) {
    for (int missing = 0; missing < size; missing += Math.max(1, size / 4)) {
      try (Group group = group(size)) {
        List<CompletableFuture<Done>> entered = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
          if (rank != missing) {
            entered.add(group.enter(rank));
          }
        }
        group.settle();
        assertThat(entered).noneMatch(CompletableFuture::isDone);

        entered.add(group.enter(missing));
        group.settle();
        assertThat(entered).allSatisfy(each -> assertThat(each).isCompleted());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 9})
  void shouldKeepBarriersApartWhenMembersRunAtTheirOwnPace(int size) {
    int epochs = 12;
    Random random = new Random(size);
    try (Group group = group(size)) {
      int[] entered = new int[size];
      List<List<CompletableFuture<Done>>> futures = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        futures.add(new ArrayList<>());
      }
      for (int left = size * epochs; left > 0; left--) {
        int rank = random.nextInt(size);
        while (entered[rank] == epochs) {
          rank = (rank + 1) % size;
        }
        futures.get(rank).add(group.enter(rank));
        entered[rank]++;
        group.settle();

        int slowest = epochs;
        for (int each : entered) {
          slowest = Math.min(slowest, each);
        }
        for (List<CompletableFuture<Done>> own : futures) {
          assertThat(own.stream().filter(CompletableFuture::isDone).count()).isEqualTo(slowest);
        }
      }
      assertThat(futures).allSatisfy(own -> assertThat(own).allMatch(each -> !failed(each)));
    }
  }

  private static boolean failed(CompletableFuture<?> future) {
    return future.isCompletedExceptionally();
  }

  @Test
  void shouldKeepTeamsApart() {
    try (Group group = group(3)) {
      List<Barrier> others = new ArrayList<>();
      for (Endpoint endpoint : group.endpoints) {
        others.add(Barrier.open(group.domain, endpoint, group.members, 2));
      }
      CompletableFuture<Done> first = group.enter(0);
      CompletableFuture<Done> second = group.enter(1);
      others.get(2).enter();
      group.settle();

      assertThat(first).isNotDone();
      assertThat(second).isNotDone();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 9, 33})
  void shouldFailEverybodyAndNameTheMemberWhenOneIsLost(int size) {
    int lost = size / 2;
    try (Group group = group(size)) {
      group.enterAll();
      group.settle();
      List<CompletableFuture<Done>> entered = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        if (rank != lost) {
          entered.add(group.enter(rank));
        }
      }
      group.settle();

      group.endpoints.get(lost).close(Duration.ofSeconds(5)).toCompletableFuture().join();
      group.settle();

      assertThat(entered)
          .allSatisfy(
              each -> {
                assertThat(failureOf(each).error()).isEqualTo(FabricError.SHUTDOWN);
                assertThat(failureOf(each))
                    .hasMessageContaining("member " + lost + " [member-" + lost + "@");
              });
      assertThat(failureOf(group.enter(0))).isSameAs(failureOf(entered.get(0)));
    }
  }

  @Test
  void shouldFailEverybodyWhenAMemberLeavesHalfWay() {
    try (Group group = group(4)) {
      List<CompletableFuture<Done>> entered =
          List.of(group.enter(0), group.enter(1), group.enter(2));
      group.settle();

      group.barriers.get(1).close();
      group.settle();

      assertThat(failureOf(entered.get(1)))
          .hasMessage("barrier of team=1 is closed")
          .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.CANCELED));
      assertThat(failureOf(entered.get(0))).hasMessageContaining("member 1 [member-1@");
      assertThat(failureOf(entered.get(2))).hasMessageContaining("member 1 [member-1@");
    }
  }

  @Test
  void shouldLeaveNothingBehindWhenMembersCloseAfterTheLastBarrier() {
    try (Group group = group(3)) {
      List<CompletableFuture<Done>> entered = group.enterAll();
      group.settle();

      group.barriers.forEach(Barrier::close);
      group.settle();

      assertThat(entered).noneMatch(BarrierTest::failed);
      assertThat(group.messages()).isEqualTo(6);
      for (Endpoint endpoint : group.endpoints) {
        var state = endpoint.futures().matcherState().toCompletableFuture().join();
        assertThat(state.postedReceives()).isZero();
        assertThat(state.unexpectedMessages()).isZero();
      }
    }
  }

  @Test
  void shouldFailWhenItsOwnEndpointCloses() {
    try (Group group = group(2)) {
      CompletableFuture<Done> entered = group.enter(0);
      group.settle();

      group.endpoints.get(0).close(Duration.ZERO).toCompletableFuture().join();
      group.settle();

      assertThat(failureOf(entered).error()).isEqualTo(FabricError.CANCELED);
      assertThat(failureOf(group.enter(0)).error()).isEqualTo(FabricError.CANCELED);
    }
  }

  @Test
  void shouldBreakWhenSomebodyElseUsesItsTags() {
    try (Group group = group(2)) {
      group
          .endpoints
          .get(1)
          .futures()
          .sendTagged(0, new byte[] {1, 2, 3}, CollectiveTags.broken(1))
          .toCompletableFuture()
          .join();
      group.settle();

      assertThat(failureOf(group.enter(0)))
          .hasMessageContaining("leave tags of collectives alone: lengthBytes=3 is not 8");
    }
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldKeepThreadsInStepWhenEachWaitsForItsOwn(ProgressMode mode) throws Exception {
    int size = 3;
    int epochs = 100;
    List<Domain> domains = new ArrayList<>();
    List<Endpoint> endpoints = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      domains.add(Fabric.get(kit.system()).openDomain("own-" + mode + "-" + rank, mode));
      endpoints.add(domains.get(rank).openEndpoint("own"));
    }
    int[] entered = new int[size];
    ExecutorService threads = Executors.newFixedThreadPool(size);
    try {
      List<CompletableFuture<Void>> running = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        int self = rank;
        Barrier barrier =
            Barrier.open(
                domains.get(rank),
                endpoints.get(rank),
                endpoints.stream().map(Endpoint::address).toList(),
                7);
        running.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int epoch = 1; epoch <= epochs; epoch++) {
                    entered[self] = epoch;
                    barrier.enter().toCompletableFuture().join();
                    // The barrier orders these plain reads after the others' writes.
                    for (int each : entered) {
                      assertThat(each).isBetween(epoch, epoch + 1);
                    }
                  }
                },
                threads));
      }
      for (CompletableFuture<Void> each : running) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
      domains.forEach(domain -> domain.close(Duration.ZERO));
    }
  }

  @Test
  void shouldRefuseAGroupThatIsNone() {
    try (Group group = group(2)) {
      Endpoint endpoint = group.endpoints.get(0);
      assertThatThrownBy(() -> Barrier.open(group.domain, endpoint, group.members.subList(1, 2), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not among the members");
      assertThatThrownBy(
              () ->
                  Barrier.open(
                      group.domain, endpoint, List.of(endpoint.address(), endpoint.address()), 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("members 0 and 1 are both");
      assertThatThrownBy(() -> Barrier.open(group.domain, endpoint, group.members, -1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("team=-1 is outside");
      try (Group stranger = group(1)) {
        assertThatThrownBy(() -> Barrier.open(stranger.domain, endpoint, group.members, 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("is not of domain");
      }
    }
  }
}
