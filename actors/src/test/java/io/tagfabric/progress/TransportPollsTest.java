package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransportPollsTest {
  private final List<String> ran = new ArrayList<>();
  private final TransportPolls polls = new TransportPolls();

  private int ran(String what) {
    ran.add(what);
    return 1;
  }

  @Test
  void shouldReleaseAtOnceWhenNoPollIsUnderWay() {
    polls.afterwards(() -> ran("release"));

    assertThat(ran).containsExactly("release");
  }

  @Test
  void shouldReleaseWhenAllPollsHaveReturned() {
    polls
        .steps()
        .add(
            () -> {
              polls.afterwards(() -> ran("release"));
              return ran("first");
            });
    polls.steps().add(() -> ran("second"));

    assertThat(polls.run()).isEqualTo(2);
    assertThat(ran).containsExactly("first", "second", "release");
  }

  @Test
  void shouldReleaseAllWhenAPollAndAReleaseThrow() {
    polls
        .steps()
        .add(
            () -> {
              polls.afterwards(
                  () -> {
                    throw new IllegalStateException("a release");
                  });
              polls.afterwards(() -> ran("release"));
              throw new IllegalStateException("a poll");
            });

    assertThatIllegalStateException().isThrownBy(polls::run);
    assertThat(ran).containsExactly("release");
    polls.afterwards(() -> ran("later"));
    assertThat(ran).containsExactly("release", "later");
  }
}
