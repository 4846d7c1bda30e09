package io.tagfabric.progress;

import static io.tagfabric.progress.CoreMove.CHANCE;
import static io.tagfabric.progress.CoreMove.CLOSE_NS;
import static io.tagfabric.progress.CoreMove.LEAST_PAUSE_NS;
import static io.tagfabric.progress.CoreMove.LEAST_WAITS;
import static io.tagfabric.progress.CoreMove.MOST_PAUSE_NS;
import static io.tagfabric.progress.CoreMove.MOST_YIELDS;
import static io.tagfabric.progress.CoreMove.WAITS_OF_PEACE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a waiting thread is moved to another core. */
class CoreMoveTest {
  private static final long START_NS = -5;

  private long nowNs = START_NS;
  private final List<Long> movedNs = new ArrayList<>();
  private boolean possible = true;
  private int chance;
  private final CoreMove move =
      new CoreMove(
          () -> {
            movedNs.add(nowNs);
            return possible;
          },
          bound -> {
            assertThat(bound).isEqualTo(CHANCE);
            return chance;
          });

  private void waits(int count, int yields) {
    for (int i = 0; i < count; i++) {
      move.ended(yields, nowNs);
    }
  }

  /** Waits of 1 us that a yield ends, for so long. */
  private void together(long forNs) {
    for (long endNs = nowNs + forNs; nowNs < endNs; nowNs += 1_000) {
      move.ended(1, nowNs);
    }
  }

  @Test
  void shouldMoveAfterSomeWaitsThatYieldsHaveEnded() {
    waits(LEAST_WAITS - 1, MOST_YIELDS);
    assertThat(movedNs).isEmpty();

    waits(1, 1);
    assertThat(movedNs).containsExactly(START_NS);
  }

  @Test
  void shouldNotMoveWhereSpinningBringsSomeOfIt() {
    for (int i = 0; i < 100; i++) {
      waits(LEAST_WAITS - 1, 1);
      waits(1, 0);
    }
    assertThat(movedNs).isEmpty();
  }

  @Test
  void shouldNotMoveWhereItTakesManyYields() {
    waits(1_000, MOST_YIELDS + 1);
    assertThat(movedNs).isEmpty();
  }

  @Test
  void shouldCountWaitsThatFollowOneAnotherClosely() {
    for (int i = 0; i < LEAST_WAITS; i++) {
      nowNs += CLOSE_NS;
      move.ended(1, nowNs);
    }
    assertThat(movedNs).containsExactly(nowNs);
  }

  @Test
  void shouldNotMoveWhereAMessageComesNowAndThen() {
    for (int i = 0; i < 1_000; i++) {
      nowNs += CLOSE_NS + 1;
      move.ended(1, nowNs);
    }
    assertThat(movedNs).isEmpty();
  }

  @Test
  void shouldCountTheFirstOfCloseWaits() {
    nowNs += 2 * CLOSE_NS;
    waits(LEAST_WAITS - 1, 1);
    assertThat(movedNs).isEmpty();
    waits(1, 1);
    assertThat(movedNs).hasSize(1);
  }

  @Test
  void shouldLeaveItToChanceHowLongItWaits() {
    chance = 5;
    waits(LEAST_WAITS, 1);
    assertThat(movedNs).hasSize(1);
    nowNs += LEAST_PAUSE_NS;

    waits(LEAST_WAITS + chance - 1, 1);
    assertThat(movedNs).hasSize(1);
    waits(1, 1);
    assertThat(movedNs).hasSize(2);
  }

  @Test
  void shouldMoveEverLessOftenWhereThatDoesNotHelp() {
    together(20 * MOST_PAUSE_NS);

    List<Long> pausesNs = new ArrayList<>();
    for (int i = 1; i < movedNs.size(); i++) {
      pausesNs.add(movedNs.get(i) - movedNs.get(i - 1));
    }
    for (int i = 1; i < pausesNs.size(); i++) {
      assertThat(pausesNs.get(i)).isGreaterThanOrEqualTo(pausesNs.get(i - 1) - 10_000);
    }
    assertThat(pausesNs.get(0)).isBetween(LEAST_PAUSE_NS, LEAST_PAUSE_NS + 10_000);
    assertThat(pausesNs.get(pausesNs.size() - 1)).isBetween(MOST_PAUSE_NS, MOST_PAUSE_NS + 10_000);
  }

  @Test
  void shouldMoveSoonAgainWhereItHasHelped() {
    together(100 * LEAST_PAUSE_NS);
    waits(WAITS_OF_PEACE, 0);
    movedNs.clear();

    together(LEAST_PAUSE_NS + 100_000);

    assertThat(movedNs).hasSize(2);
  }

  @Test
  void shouldNotTakeAFewLuckyWaitsForHelp() {
    together(100 * LEAST_PAUSE_NS);
    movedNs.clear();

    for (int i = 0; i < 30; i++) {
      together(LEAST_PAUSE_NS);
      waits(WAITS_OF_PEACE - 1, 0);
    }

    assertThat(movedNs).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void shouldNotTryAgainWhereItIsImpossible() {
    possible = false;
    together(MOST_PAUSE_NS);

    assertThat(movedNs).hasSize(1);
  }
}
