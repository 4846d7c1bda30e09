package io.tagfabric.provider.shm.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CopyChoiceTest {
  private static final int BYTES = 1000;
  private static final int MANY = 4000;

  private final CopyChoice choice = new CopyChoice();

  /** Copies that take so long each way; how many went the second way. */
  private int copy(int count, long firstNs, long secondNs) {
    int second = 0;
    for (int i = 0; i < count; i++) {
      boolean goesSecond = choice.second();
      second += goesSecond ? 1 : 0;
      choice.took(goesSecond, BYTES, goesSecond ? secondNs : firstNs);
    }
    return second;
  }

  @Test
  void shouldTryBothWaysFirst() {
    assertThat(copy(2, 100, 100)).isEqualTo(1);
  }

  @Test
  void shouldGoTheQuickerWayAndTryTheOtherNowAndThen() {
    assertThat(copy(MANY, 800, 250)).isBetween(MANY - MANY / 50, MANY - 1);
    assertThat(new CopyChoiceTest().copy(MANY, 250, 800)).isBetween(2, MANY / 50);
  }

  @Test
  void shouldChangeWhenTheOtherWayBecomesQuicker() {
    copy(MANY, 800, 250);

    copy(MANY, 100, 250);

    assertThat(copy(MANY, 100, 250)).isLessThan(MANY / 50);
  }

  @Test
  void shouldNotMindOneInterruption() {
    copy(MANY, 800, 250);

    choice.took(true, BYTES, 3_000_000);

    assertThat(copy(100, 800, 250)).isGreaterThanOrEqualTo(98);
  }

  @Test
  void shouldForgetThatTheFirstCopiesWereSlow() {
    copy(2, 1_000_000, 1_000_000);

    copy(200, 250, 100);

    assertThat(copy(MANY, 250, 100)).isGreaterThan(MANY - MANY / 50);
  }

  /** A clock may stand still between two looks. */
  @Test
  void shouldDoWithoutAnyTime() {
    assertThat(copy(MANY, 0, 0)).isBetween(1, MANY - 1);
  }
}
