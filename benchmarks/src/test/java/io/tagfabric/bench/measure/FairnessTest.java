package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FairnessTest {
  @Test
  void shouldBeOneWhenAllHaveTheSame() {
    assertThat(Fairness.jain(3, 3, 3, 3)).isEqualTo(1, within(1e-12));
    assertThat(Fairness.jain(7)).isEqualTo(1, within(1e-12));
  }

  @Test
  void shouldBeThePartOfThoseWhoHaveSomethingWhenTheyHaveTheSame() {
    assertThat(Fairness.jain(0, 5, 0, 0)).isEqualTo(0.25, within(1e-12));
    assertThat(Fairness.jain(5, 5, 0, 0)).isEqualTo(0.5, within(1e-12));
  }

  @Test
  void shouldNotDependOnTheUnit() {
    assertThat(Fairness.jain(1, 2)).isEqualTo(0.9, within(1e-12));
    assertThat(Fairness.jain(1_000_000, 2_000_000)).isEqualTo(0.9, within(1e-12));
  }

  @Test
  void shouldCallNothingEven() {
    assertThat(Fairness.jain(0, 0)).isEqualTo(1);
  }
}
