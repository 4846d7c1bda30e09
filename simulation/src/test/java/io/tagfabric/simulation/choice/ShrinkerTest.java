package io.tagfabric.simulation.choice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
  private static final int RUNS = 5_000;

  @Test
  void shouldKeepJustTheChoicesThatMatter() {
    int[] record = new int[200];
    Arrays.setAll(record, i -> 1 + i % 50);
    // fails if a 7 comes anywhere before a number of at least 40
    Shrinker shrinker = new Shrinker(ShrinkerTest::fails, RUNS);

    assertThat(shrinker.shrink(record)).containsExactly(7, 40);
    assertThat(shrinker.runs()).isLessThanOrEqualTo(RUNS);
  }

  private static boolean fails(int[] record) {
    boolean seven = false;
    for (int number : record) {
      if (seven && number >= 40) {
        return true;
      }
      seven |= number == 7;
    }
    return false;
  }

  @Test
  void shouldReplayWhatWasDrawn() {
    Choices drawn = Choices.of(42);
    int[] numbers = new int[100];
    Arrays.setAll(numbers, i -> i % 3 == 0 ? drawn.happens(500) ? 1 : 0 : drawn.below(2 + i));
    Choices replayed = Choices.replaying(drawn.taken());
    int[] again = new int[100];
    Arrays.setAll(again, i -> i % 3 == 0 ? replayed.happens(500) ? 1 : 0 : replayed.below(2 + i));

    assertThat(again).isEqualTo(numbers);
    assertThat(replayed.below(10)).as("after the record").isZero();
    assertThat(Choices.replaying(new int[] {99}).below(10)).as("beyond the bound").isEqualTo(9);
  }

  @Test
  void shouldNameTheFirstStepThatDiffers() {
    TraceHash one = hash(1, 2, 3);
    assertThat(TraceHash.firstDifference(one, hash(1, 2, 3))).isEqualTo(-1);
    assertThat(TraceHash.firstDifference(one, hash(1, 5, 3))).isEqualTo(1);
    assertThat(TraceHash.firstDifference(one, hash(1, 2))).isEqualTo(2);
  }

  private static TraceHash hash(int... steps) {
    TraceHash hash = new TraceHash();
    for (int step : steps) {
      hash.add(step);
      hash.endStep();
    }
    return hash;
  }
}
