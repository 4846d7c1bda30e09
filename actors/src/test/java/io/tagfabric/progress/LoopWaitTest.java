package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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

  @Test
  void shouldLookLongFromTheFirstWhenItSpins() {
    assertThat(pollsOfRounds(new IdlePolicy(LONG_NS, 0, LONG_NS)))
        .containsExactly(1 + LOOKS, 1 + LOOKS, 1 + LOOKS, 1 + LOOKS, 1 + LOOKS);
  }
}
