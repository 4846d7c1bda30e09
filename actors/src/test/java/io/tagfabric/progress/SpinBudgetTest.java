package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpinBudgetTest {
  private static final long POLICY_NS = 50_000;

  private final SpinBudget budget = new SpinBudget();

  private void waste(int waits) {
    for (int i = 0; i < waits; i++) {
      budget.wasted(budget.next(POLICY_NS));
    }
  }

  @Test
  void shouldSpinAsThePolicySaysWhenNothingIsKnown() {
    assertThat(budget.next(POLICY_NS)).isEqualTo(POLICY_NS);
  }

  @Test
  void shouldSpinEverLessWhenItBringsNothing() {
    waste(1);
    assertThat(budget.next(POLICY_NS)).isEqualTo(25_000);

    waste(10);

    assertThat(budget.next(POLICY_NS)).isEqualTo(500);
  }

  @Test
  void shouldSpinFullyOnceInAWhileWhenItBringsNothing() {
    waste(63);

    assertThat(budget.next(POLICY_NS)).isEqualTo(POLICY_NS);
  }

  @Test
  void shouldSpinFullyAgainWhenItPays() {
    waste(10);

    budget.paid();

    assertThat(budget.next(POLICY_NS)).isEqualTo(POLICY_NS);
  }

  @Test
  void shouldNeverSpinWhenThePolicyDoesNot() {
    waste(5);

    assertThat(budget.next(0)).isZero();
  }
}
