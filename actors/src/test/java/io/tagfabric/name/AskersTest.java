package io.tagfabric.name;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AskersTest {
  private static final int MOST = 5;

  private final Askers<Integer> askers = new Askers<>(MOST);

  @Test
  void shouldGiveBackThoseWhoHaveAskedForANameOnce() {
    askers.add("bob", 1);
    askers.add("bob", 2);
    askers.add("bob", 1);
    askers.add("eve", 3);

    assertThat(askers.size()).isEqualTo(3);
    assertThat(askers.take("bob")).containsExactly(1, 2);
    assertThat(askers.take("bob")).isEmpty();
    assertThat(askers.size()).isEqualTo(1);
  }

  @Test
  void shouldKeepNoMoreThanThereIsRoomForWhateverIsAskedFor() {
    for (int i = 0; i < 10 * MOST; i++) {
      askers.add("name-" + i, i);
      askers.add("one", i);
    }

    assertThat(askers.size()).isEqualTo(MOST);
    assertThat(askers.take("one")).hasSize(2);
    askers.add("late", 7);
    assertThat(askers.take("late")).containsExactly(7);
  }

  @Test
  void shouldKeepNoTextThatCannotBeAName() {
    askers.add("x".repeat(256), 1);
    askers.add("", 1);

    assertThat(askers.size()).isZero();
    askers.add("x".repeat(255), 1);
    assertThat(askers.size()).isEqualTo(1);
  }

  @Test
  void shouldHaveRoomAgainWhenAllAreForgotten() {
    for (int i = 0; i < MOST; i++) {
      askers.add("bob", i);
    }
    askers.clear();

    assertThat(askers.take("bob")).isEmpty();
    askers.add("bob", 9);
    assertThat(askers.take("bob")).containsExactly(9);
  }
}
