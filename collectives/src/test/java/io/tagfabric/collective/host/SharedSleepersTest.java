package io.tagfabric.collective.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.ReduceOp;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Members that fall asleep and are woken, each stopped between two steps while others go on. */
class SharedSleepersTest {
  private static final int MEMBERS = 5;
  private static final ReduceOp NONE = ReduceOp.ofLongs("none", true, (a, b) -> a);

  private final SharedLayout layout = SharedLayout.of(MEMBERS, 2, 64);
  private final ByteBuffer memory =
      ByteBuffer.allocateDirect((int) layout.fileBytes() + 128).alignedSlice(64);
  private final List<Integer> woken = new ArrayList<>();
  private final List<SharedBoard> boards = new ArrayList<>();
  private final List<Stops> stops = new ArrayList<>();

  /** One member's view of the memory; something else happens after a step of it. */
  private static final class Stops extends UnsafeBuffer {
    private IntPredicate after = index -> false;
    private Runnable meanwhile;

    Stops(ByteBuffer memory) {
      super(memory);
    }

    /** Once, after the next access to this place that reads or replaces a 0. */
    void stopAt(int place, Runnable task) {
      after = index -> index == place;
      meanwhile = task;
    }

    private void stepped(int index) {
      if (meanwhile != null && after.test(index)) {
        Runnable task = meanwhile;
        meanwhile = null;
        task.run();
      }
    }

    @Override
    public int getIntVolatile(int index) {
      int value = super.getIntVolatile(index);
      if (value == 0) {
        stepped(index);
      }
      return value;
    }

    @Override
    public boolean compareAndSetInt(int index, int expected, int updated) {
      boolean done = super.compareAndSetInt(index, expected, updated);
      if (done && expected == 0) {
        stepped(index);
      }
      return done;
    }
  }

  private void enter() {
    Trial trial = new Trial(Collective.BARRIER, MEMBERS, 0, 0, NONE, false, new Random(1));
    for (int rank = 0; rank < MEMBERS; rank++) {
      Stops view = new Stops(memory);
      SharedSegment segment = new SharedSegment(layout, view);
      SharedBoard board = new SharedBoard(segment, rank, woken::add);
      board.begin(SharedWork.of(trial.call(rank), segment));
      stops.add(view);
      boards.add(board);
    }
  }

  private boolean sleep(int rank) {
    return boards.get(rank).announce();
  }

  @Test
  void shouldWakeWhoFallsAsleepWhileAnotherIsWokenThatHasJustSaidIt() {
    enter();
    int last = 0;
    int raiser = 1;
    int sleeper = 2;
    int justNow = 3;
    int early = 4;
    for (int rank : new int[] {sleeper, justNow, early}) {
      boards.get(rank).advance();
    }
    assertThat(sleep(early)).isTrue();

    stops.get(raiser).stopAt(layout.asleepAt(sleeper), () -> assertThat(sleep(sleeper)).isTrue());
    stops
        .get(justNow)
        .stopAt(
            layout.asleepAt(justNow),
            () -> {
              boards.get(raiser).advance();
              assertThat(woken).containsExactly(justNow, early);
              boards.get(last).advance();
            });
    sleep(justNow);

    assertThat(woken).contains(sleeper);
  }

  @Test
  void shouldCountAsManySleepersAsThereAre() {
    enter();
    for (int rank = 1; rank < MEMBERS; rank++) {
      boards.get(rank).advance();
    }
    for (int rank = 1; rank < MEMBERS; rank++) {
      sleep(rank);
      sleep(rank);
    }
    assertThat(sleepers()).isEqualTo(MEMBERS - 1);

    boards.get(2).withdraw();
    boards.get(2).withdraw();
    assertThat(sleepers()).isEqualTo(MEMBERS - 2);

    boards.get(0).advance();
    assertThat(woken).containsExactly(1, 3, 4);
    assertThat(sleepers()).isZero();
  }

  @Test
  void shouldNotSleepWhenWhoShouldRaiseTheFlagHasLeftMeanwhile() {
    enter();
    boards.get(1).advance();
    boards.get(0).leave();

    assertThat(sleep(1)).as("nobody will raise the flag of 0").isFalse();

    assertThatThrownBy(boards.get(1)::advance).isInstanceOf(MemberLeftException.class);
    assertThat(sleepers()).isZero();
  }

  @Test
  void shouldNotSleepWhenWhoShouldFreeTheSlotHasLeftMeanwhile() {
    Trial trial = new Trial(Collective.BROADCAST, MEMBERS, 0, 200, NONE, false, new Random(1));
    SharedSegment segment = new SharedSegment(layout, new Stops(memory));
    SharedBoard root = new SharedBoard(segment, 0, woken::add);
    root.begin(SharedWork.of(trial.call(0), segment));
    root.advance();
    assertThat(root.isBusy()).as("more stages than slots").isTrue();
    new SharedBoard(segment, 1, woken::add).leave();

    assertThat(root.announce()).isFalse();

    assertThatThrownBy(root::advance).isInstanceOf(MemberLeftException.class);
  }

  private long sleepers() {
    return new UnsafeBuffer(memory).getLongVolatile(SharedLayout.SLEEPERS_AT);
  }
}
