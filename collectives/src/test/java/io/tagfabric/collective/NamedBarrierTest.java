package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.collective.NamedBarrier.Name;
import io.tagfabric.collective.NamedBarrier.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NamedBarrierTest {
  private static final Name ANY = Name.anonymous();
  private static final Name ONE = Name.of(1);
  private static final Name TWO = Name.of(2);
  private static final Name BAD = Name.mismatch();

  private static ActorTestKit kit;
  private Crew crew;
  private List<NamedBarrier> barriers;

  @BeforeAll
  static void start() {
    kit =
        ActorTestKit.create(
            "named-barrier",
            ConfigFactory.parseString("akka.actor.provider=local")
                .withFallback(ConfigFactory.load()));
  }

  @AfterAll
  static void stop() {
    kit.shutdownTestKit();
  }

  @BeforeEach
  void open() {
    crew = new Crew(kit.system(), 3, settings -> settings.withSharedCell(false));
    barriers = crew.teams.stream().map(NamedBarrier::new).toList();
  }

  @AfterEach
  void close() {
    crew.close();
  }

  static Stream<Arguments> matrix() {
    return Stream.of(
        Arguments.of(ONE, ONE, ONE, Outcome.OK),
        Arguments.of(ONE, ANY, ANY, Outcome.OK),
        Arguments.of(ANY, ONE, ONE, Outcome.OK),
        Arguments.of(ANY, ANY, ANY, Outcome.OK),
        Arguments.of(ONE, TWO, ONE, Outcome.MISMATCH),
        Arguments.of(ANY, ONE, TWO, Outcome.MISMATCH),
        Arguments.of(BAD, ONE, ONE, Outcome.MISMATCH),
        Arguments.of(ANY, ANY, BAD, Outcome.MISMATCH));
  }

  @ParameterizedTest
  @MethodSource("matrix")
  void shouldCompareTheNamesOfAllMembersWhenTheyCross(
      Name first, Name second, Name third, Outcome expected) {
    List<Name> names = List.of(first, second, third);
    for (int rank = 0; rank < 3; rank++) {
      barriers.get(rank).notify(names.get(rank));
    }
    List<CompletableFuture<Outcome>> crossed = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      crossed.add(barriers.get(rank).await(names.get(rank)).toCompletableFuture());
    }
    crew.settle();

    assertThat(crossed).allSatisfy(each -> assertThat(each.join()).isEqualTo(expected));
  }

  @Test
  void shouldHoldAnAwaitedNameAgainstTheOutcomeAtThisMemberAlone() {
    barriers.forEach(barrier -> barrier.notify(ANY));
    var named = barriers.get(0).await(ONE).toCompletableFuture();
    crew.settle();
    assertThat(named.join()).isEqualTo(Outcome.OK);

    barriers.get(1).await(ANY);
    barriers.get(2).await(ANY);
    barriers.forEach(barrier -> barrier.notify(ONE));
    var wrong = barriers.get(0).await(TWO).toCompletableFuture();
    var right = barriers.get(1).await(ANY).toCompletableFuture();
    crew.settle();
    assertThat(wrong.join()).isEqualTo(Outcome.MISMATCH);
    assertThat(right.join()).isEqualTo(Outcome.OK);
    assertThat(barriers.get(1).result()).hasValue(1);
  }

  @Test
  void shouldStayInTheBarrierWhenTriedTooEarly() {
    barriers.get(0).notify(ANY);
    barriers.get(1).notify(ANY);
    crew.settle();
    assertThat(barriers.get(0).tryAwait(ANY)).isNull();

    barriers.get(2).notify(ANY);
    crew.settle();

    assertThat(IntStream.range(0, 3).mapToObj(rank -> barriers.get(rank).tryAwait(ANY)))
        .containsExactly(Outcome.OK, Outcome.OK, Outcome.OK);
    assertThat(barriers.get(0).result()).isEmpty();
  }

  @Test
  void shouldRefusePhasesOutOfTurn() {
    NamedBarrier barrier = barriers.get(0);
    assertThatThrownBy(() -> barrier.await(ANY))
        .hasMessage("awaited without a notify, notify first");
    barrier.notify(ANY);
    assertThatThrownBy(() -> barrier.notify(ANY))
        .hasMessage("notified twice in a row, await the barrier between");
  }
}
