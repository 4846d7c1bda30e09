package io.tagfabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.progress.ProgressLoop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What leaves when channels have room again, under a clock moved by hand. */
class WaitingGreetingsTest {
  private static final long MS = 1_000_000L;
  private static final int MANY = 10 * WaitingGreetings.REFUSALS_PER_LOOK;

  private long nowNs = 5 * MS;
  private final ProgressLoop loop = new ProgressLoop(() -> nowNs);
  private final List<Integer> left = new ArrayList<>();
  private final WaitingGreetings waiting =
      new WaitingGreetings(
          new EndpointTimers(
              loop.timers(),
              loop.steps(),
              defect -> {
                throw defect;
              }),
          () -> nowNs);
  private boolean full = true;
  private int offers;

  private void sleep(long ns) {
    long endNs = nowNs + ns;
    while (loop.timers().nextDeadlineNs() <= endNs) {
      nowNs = Math.max(nowNs, loop.timers().nextDeadlineNs());
      loop.timers().poll(nowNs);
    }
    nowNs = endNs;
  }

  private void addMany() {
    for (int i = 0; i < MANY; i++) {
      int number = i;
      waiting.add(
          () -> {
            offers++;
            return !full && left.add(number);
          });
    }
  }

  @Test
  void shouldLetAllLeaveInTheirOrderOnceThereIsRoom() {
    addMany();
    full = false;
    sleep(MS);

    assertThat(left).hasSize(MANY).isSorted();
    assertThat(loop.timers().isEmpty()).as("nothing is looked after any more").isTrue();
  }

  @Test
  void shouldOfferFewOfThemAtATimeWhileNothingLeaves() {
    addMany();
    sleep(1_000 * MS);

    assertThat(offers).isLessThan(150 * WaitingGreetings.REFUSALS_PER_LOOK);
    full = false;
    sleep(20 * MS);
    assertThat(left).hasSize(MANY);
  }

  @Test
  void shouldComeToThoseWhoseChannelHasRoomBehindThoseWhoseHasNot() {
    addMany();
    waiting.add(() -> left.add(MANY));

    sleep(100 * MS);

    assertThat(left).containsExactly(MANY);
  }
}
