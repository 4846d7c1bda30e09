package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopTimersTest {
  private final LoopTimers timers = new LoopTimers();
  private final List<String> fired = new ArrayList<>();

  private LoopTimers.Timer at(long deadlineNs, String name) {
    return timers.schedule(deadlineNs, () -> fired.add(name));
  }

  @Test
  void shouldFireByDeadlineAndThenByOrderOfScheduling() {
    at(30, "late");
    at(10, "first of ten");
    at(20, "twenty");
    at(10, "second of ten");

    assertThat(timers.poll(9)).isZero();
    assertThat(timers.poll(20)).isEqualTo(3);

    assertThat(fired).containsExactly("first of ten", "second of ten", "twenty");
    assertThat(timers.nextDeadlineNs()).isEqualTo(30);
  }

  @Test
  void shouldNotFireWhenCancelled() {
    LoopTimers.Timer first = at(10, "first");
    at(20, "second");

    assertThat(first.cancel()).isTrue();
    assertThat(first.cancel()).isFalse();

    assertThat(timers.nextDeadlineNs()).isEqualTo(20);
    assertThat(timers.poll(100)).isEqualTo(1);
    assertThat(fired).containsExactly("second");
    assertThat(timers.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    assertThat(timers.isEmpty()).isTrue();
  }

  @Test
  void shouldFireNothingWhenCleared() {
    LoopTimers.Timer first = at(10, "first");
    timers.clear();

    assertThat(timers.isEmpty()).isTrue();
    assertThat(timers.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    assertThat(first.cancel()).isFalse();
    assertThat(timers.poll(100)).isZero();
    assertThat(fired).isEmpty();
  }

  @Test
  void shouldRefuseToCancelWhenFired() {
    LoopTimers.Timer timer = at(10, "timer");
    timers.poll(10);

    assertThat(timer.cancel()).isFalse();
  }

  @Test
  void shouldLeaveNewTimersForTheNextPollWhenOneSchedulesAnother() {
    timers.schedule(10, () -> at(5, "added"));

    assertThat(timers.poll(10)).isEqualTo(1);
    assertThat(fired).isEmpty();
    assertThat(timers.poll(10)).isEqualTo(1);
    assertThat(fired).containsExactly("added");
  }

  @Test
  void shouldFireADueTimerWhenANewEarlierOneLiesBeforeIt() {
    timers.schedule(10, () -> at(5, "added"));
    at(11, "due");

    timers.poll(20);

    assertThat(fired).contains("due");
  }

  @Test
  void shouldFireTheRestLaterWhenAnActionThrows() {
    timers.schedule(
        10,
        () -> {
          throw new IllegalStateException("broken");
        });
    at(11, "rest");

    assertThatIllegalStateException().isThrownBy(() -> timers.poll(20));

    assertThat(timers.isEmpty()).isFalse();
    assertThat(timers.nextDeadlineNs()).isEqualTo(11);
    assertThat(timers.poll(12)).isEqualTo(1);
    assertThat(fired).containsExactly("rest");
  }

  @Test
  void shouldKeepTheOrderWhenTheClockWrapsAround() {
    at(Long.MAX_VALUE - 5, "before");
    at(Long.MIN_VALUE + 5, "after");

    assertThat(timers.poll(Long.MAX_VALUE)).isEqualTo(1);
    assertThat(fired).containsExactly("before");
    assertThat(timers.poll(Long.MIN_VALUE + 5)).isEqualTo(1);
  }
}
