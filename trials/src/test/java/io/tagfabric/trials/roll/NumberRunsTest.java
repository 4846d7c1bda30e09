package io.tagfabric.trials.roll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class NumberRunsTest {
  @Property
  void shouldKeepNumbersInTheirOrder(@ForAll List<@IntRange(max = 20) Integer> numbers) {
    NumberRuns runs = new NumberRuns();
    numbers.forEach(runs::add);

    for (NumberRuns each : List.of(runs, NumberRuns.parse(runs.toString()))) {
      List<Integer> kept = new ArrayList<>();
      each.runs()
          .forEach(
              run -> {
                for (long number = run.first(); number <= run.last(); number++) {
                  kept.add((int) number);
                }
              });
      assertThat(kept).isEqualTo(numbers);
      assertThat(each.count()).isEqualTo(numbers.size());
      assertThat(each.isEmpty()).isEqualTo(numbers.isEmpty());
      for (int number = 0; number <= 21; number++) {
        assertThat(each.contains(number)).isEqualTo(numbers.contains(number));
      }
    }
  }

  @Test
  void shouldWriteRuns() {
    NumberRuns runs = new NumberRuns();
    List.of(0, 1, 2, 5, 4).forEach(runs::add);

    assertThat(runs).hasToString("0-2,5,4");
  }

  @Test
  void shouldRefuseARunThatEndsBeforeItBegins() {
    assertThatThrownBy(() -> NumberRuns.parse("1,5-3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5-3");
  }
}
