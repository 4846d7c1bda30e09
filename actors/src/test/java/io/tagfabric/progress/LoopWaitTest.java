package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How often a wait looks at the transports before it looks at what it waits for. */
class LoopWaitTest {
  private static final long LONG_NS = 1_000_000_000_000L;
  private static final int LOOKS = 16;
  private static final int ROUNDS = 5;

  private final ManualTime time = new ManualTime(1_000);
  private final ProgressLoop loop = new ProgressLoop(time);
  private int polls;
  private int workAt = -1;
  private int lastPolls;

  /** The polls between one look at the condition and the next, of a wait that ends at last. */
  private List<Integer> pollsOfRounds(IdlePolicy idle) {
    loop.addPoll(() -> polls++ == workAt ? 1 : 0);
    List<Integer> rounds = new ArrayList<>();
    boolean held =
        loop.await(
            () -> {
              if (polls > 0) {
                rounds.add(polls - lastPolls);
                lastPolls = polls;
              }
              return rounds.size() == ROUNDS;
            },
            time.nanoTime() + LONG_NS,
            idle);
    assertThat(held).isTrue();
    return rounds;
  }

  @Test
  void shouldYieldAtOnceFirstAndThenLookLonger() {
    assertThat(pollsOfRounds(new IdlePolicy(0, LONG_NS, LONG_NS)))
        .containsExactly(1, 1 + LOOKS, 1 + LOOKS, 1 + LOOKS, 1 + LOOKS);
  }

  @Test
  void shouldBeginAnewWhenSomethingHasCome() {
    workAt = 2 + LOOKS; // the first poll of the third round

    assertThat(pollsOfRounds(new IdlePolicy(0, LONG_NS, LONG_NS)))
        .containsExactly(1, 1 + LOOKS, 1, 1, 1 + LOOKS);
  }

  @Test
  void shouldEndItsLooksWhenOneOfThemHasBroughtSomething() {
    workAt = 1 + 5;

    assertThat(pollsOfRounds(new IdlePolicy(0, LONG_NS, LONG_NS)))
        .containsExactly(1, 1 + 5, 1, 1 + LOOKS, 1 + LOOKS);
  }

  /** Waits of which each ends with so many yields; how often the thread was moved. */
  private int moves(int waits, int yields, IdlePolicy idle) {
    AtomicInteger moves = new AtomicInteger();
    loop.moveWaiters(() -> moves.incrementAndGet() > 0, bound -> bound - 1);
    for (int i = 0; i < waits; i++) {
      AtomicInteger asked = new AtomicInteger();
      // Asked before the wait, after the pass that idles first, and after each spin or yield.
      int needed = 2 + yields + (yields > 0 && idle.spinNs() > 0 ? 1 : 0);
      loop.await(
          () -> {
            time.advance(1_000);
            return asked.incrementAndGet() > needed;
          },
          time.nanoTime() + LONG_NS,
          idle);
    }
    return moves.get();
  }

  @Test
  void shouldMoveWhereOnlyYieldsBringWhatItWaitsFor() {
    assertThat(moves(30, 1, new IdlePolicy(1, LONG_NS, LONG_NS))).isPositive();
  }

  @Test
  void shouldStayWhereItFindsItWithoutAYieldOrWithMany() {
    assertThat(moves(30, 0, new IdlePolicy(1, LONG_NS, LONG_NS))).isZero();
    assertThat(moves(30, 10, new IdlePolicy(1, LONG_NS, LONG_NS))).isZero();
  }

  @Test
  void shouldStayWhereItNeverSpins() {
    assertThat(moves(30, 1, new IdlePolicy(0, LONG_NS, LONG_NS))).isZero();
  }

  /** How often a wait that finds nothing at its first looks gives its core away. */
  private int yields(IdlePolicy idle) {
    int before = time.yields.get();
    AtomicInteger asked = new AtomicInteger();
    loop.await(() -> asked.incrementAndGet() > 3, time.nanoTime() + LONG_NS, idle);
    return time.yields.get() - before;
  }

  @Test
  void shouldGiveItsCoreAwayOnceWhereItHasWokenAThreadThatWillAnswer() {
    IdlePolicy spinning = new IdlePolicy(LONG_NS, 1, LONG_NS);
    assertThat(yields(spinning)).isZero();

    loop.wokeAnother();

    assertThat(yields(spinning)).isEqualTo(1);
    assertThat(yields(spinning)).isZero();
  }

  @Test
  void shouldKeepItsCoreWhereItHasOneForItself() {
    loop.wokeAnother();

    assertThat(yields(new IdlePolicy(LONG_NS, 0, LONG_NS))).isZero();
  }

  @Test
  void shouldLookLongFromTheFirstWhenItSpins() {
    assertThat(pollsOfRounds(new IdlePolicy(LONG_NS, 0, LONG_NS)))
        .containsExactly(1 + LOOKS, 1 + LOOKS, 1 + LOOKS, 1 + LOOKS, 1 + LOOKS);
  }
}
