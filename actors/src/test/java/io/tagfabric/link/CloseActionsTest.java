package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloseActionsTest {
  private final CloseActions actions = new CloseActions();
  private final List<String> done = new ArrayList<>();

  @Test
  void shouldRunEachActionOnceWhenTheCloseBegins() {
    actions.add(() -> done.add("a"));
    actions.add(() -> done.add("b"));
    assertThat(actions.hasBegun()).isFalse();
    assertThat(done).isEmpty();

    actions.run();
    actions.run();

    assertThat(actions.hasBegun()).isTrue();
    assertThat(done).containsExactly("a", "b");
  }

  @Test
  void shouldRunAnActionAtOnceWhenTheCloseHasBegun() {
    actions.begin();
    assertThat(actions.hasBegun()).isTrue();

    actions.add(() -> done.add("late"));

    assertThat(done).containsExactly("late");
  }

  @Test
  void shouldRunTheOthersWhenOneThrows() {
    actions.add(
        () -> {
          throw new IllegalStateException("on purpose");
        });
    actions.add(() -> done.add("b"));

    actions.run();

    assertThat(done).containsExactly("b");
  }
}
