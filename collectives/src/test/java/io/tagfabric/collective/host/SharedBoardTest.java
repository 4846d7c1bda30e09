package io.tagfabric.collective.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.ReduceOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SharedBoardTest {
  private static final int CHUNK_BYTES = 64;
  private static final int CALLS = 12;

  private static final Collective[] KINDS = {
    Collective.BARRIER,
    Collective.BROADCAST,
    Collective.REDUCE,
    Collective.ALLREDUCE,
    Collective.GATHER,
    Collective.SCATTER,
    Collective.ALLGATHER,
    Collective.ALLTOALL,
    Collective.REDUCE_SCATTER,
    Collective.SCAN,
    Collective.EXSCAN
  };

  /** x -> a*x + b, in one long: not commutative. */
  private static final ReduceOp COMPOSE =
      ReduceOp.ofLongs(
          "compose",
          false,
          (f, g) -> (f >> 32) * (g >> 32) << 32 | (int) ((g >> 32) * (int) f + (int) g));

  @Property(tries = 400)
  void shouldGiveWhatTheDefinitionSaysWhateverTheOrderOfSteps(
      @ForAll @IntRange(min = 1, max = 9) int size,
      @ForAll @IntRange(min = 2, max = 5) int slots,
      @ForAll long seed) {
    Random random = new Random(seed);
    List<Trial> trials = new ArrayList<>();
    for (int call = 0; call < CALLS; call++) {
      Collective collective = KINDS[random.nextInt(KINDS.length)];
      int count = random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(6);
      boolean inPlace = random.nextInt(3) == 0;
      trials.add(
          new Trial(collective, size, random.nextInt(size), count, COMPOSE, inPlace, random));
    }

    new Players(size, slots, CHUNK_BYTES, random).play(trials);

    trials.forEach(Trial::check);
  }

  @Test
  void shouldNotGetFurtherAheadThanThereAreSlots() {
    SharedSegment segment = SharedSegment.inMemory(2, 3, CHUNK_BYTES);
    SharedBoard root = new SharedBoard(segment, 0, member -> {});
    SharedBoard other = new SharedBoard(segment, 1, member -> {});
    Trial trial = new Trial(Collective.BROADCAST, 2, 0, 200, COMPOSE, false, new Random(1));

    root.begin(SharedWork.of(trial.call(0), segment));
    root.advance();
    assertThat(root.isBusy()).as("16 longs a stage, 3 slots, 200 longs").isTrue();

    other.begin(SharedWork.of(trial.call(1), segment));
    while (other.isBusy()) {
      boolean moved = other.advance();
      moved |= root.advance();
      assertThat(moved).isTrue();
    }
    trial.check();
  }

  @Test
  void shouldNameWhoCallsSomethingElse() {
    SharedSegment segment = SharedSegment.inMemory(2, 2, CHUNK_BYTES);
    SharedBoard one = new SharedBoard(segment, 0, member -> {});
    SharedBoard other = new SharedBoard(segment, 1, member -> {});
    one.begin(
        SharedWork.of(
            new Trial(Collective.ALLREDUCE, 2, 0, 3, COMPOSE, false, new Random(1)).call(0),
            segment));
    other.begin(
        SharedWork.of(
            new Trial(Collective.BARRIER, 2, 0, 0, COMPOSE, false, new Random(1)).call(1),
            segment));

    one.advance();

    assertThatThrownBy(other::advance)
        .isInstanceOf(CallMismatchException.class)
        .hasMessage("member 0 has called something else")
        .extracting(failure -> ((CallMismatchException) failure).member())
        .isEqualTo(0);
  }

  @Test
  void shouldWakeOnlyWhoSleeps() {
    List<Integer> woken = new ArrayList<>();
    SharedSegment segment = SharedSegment.inMemory(3, 2, CHUNK_BYTES);
    List<SharedBoard> boards = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      boards.add(new SharedBoard(segment, rank, woken::add));
    }
    Trial trial = new Trial(Collective.BARRIER, 3, 0, 0, COMPOSE, false, new Random(1));
    for (int rank = 0; rank < 2; rank++) {
      boards.get(rank).begin(SharedWork.of(trial.call(rank), segment));
      boards.get(rank).advance();
    }

    assertThat(boards.get(0).announce()).as("rank 1 has come after its last look").isFalse();
    boards.get(0).advance();
    assertThat(boards.get(0).announce()).as("rank 2 has not come").isTrue();
    boards.get(2).begin(SharedWork.of(trial.call(2), segment));
    boards.get(2).advance();

    assertThat(woken).containsExactly(0);
    assertThat(boards.get(1).announce()).as("all have come").isFalse();
    boards.get(0).withdraw();
    boards.get(0).advance();
    assertThat(boards.get(0).isBusy()).isFalse();
  }

  @Test
  void shouldNotWaitForWhoHasEndedWithoutAWord() {
    SharedSegment segment = SharedSegment.inMemory(3, 2, CHUNK_BYTES);
    List<SharedBoard> boards = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      boards.add(new SharedBoard(segment, rank, member -> {}));
    }
    Trial first = new Trial(Collective.BARRIER, 3, 0, 0, COMPOSE, false, new Random(1));
    for (int rank = 2; rank >= 0; rank--) {
      boards.get(rank).begin(SharedWork.of(first.call(rank), segment));
      boards.get(rank).advance();
    }
    boards.get(0).absent(2);
    boards.get(1).advance();
    assertThat(boards.get(1).isBusy()).as("it had raised its flag").isFalse();

    Trial second = new Trial(Collective.BARRIER, 3, 0, 0, COMPOSE, false, new Random(1));
    for (int rank = 0; rank < 2; rank++) {
      SharedBoard board = boards.get(rank);
      board.begin(SharedWork.of(second.call(rank), segment));
      if (rank == 1) {
        assertThatThrownBy(board::advance)
            .isInstanceOfSatisfying(
                MemberLeftException.class, left -> assertThat(left.member()).isEqualTo(2));
      } else {
        board.advance();
      }
    }
    assertThatThrownBy(boards.get(0)::advance).isInstanceOf(MemberLeftException.class);
  }

  @Test
  void shouldNameWhoHasLeftOnlyIfItIsWaitedFor() {
    SharedSegment segment = SharedSegment.inMemory(2, 2, CHUNK_BYTES);
    SharedBoard one = new SharedBoard(segment, 0, member -> {});
    SharedBoard other = new SharedBoard(segment, 1, member -> {});
    Trial first = new Trial(Collective.BARRIER, 2, 0, 0, COMPOSE, false, new Random(1));
    one.begin(SharedWork.of(first.call(0), segment));
    other.begin(SharedWork.of(first.call(1), segment));
    one.advance();
    other.advance();
    one.leave();

    other.advance();
    assertThat(other.isBusy()).isFalse();
    other.begin(SharedWork.of(first.call(1), segment));

    assertThatThrownBy(other::advance)
        .isInstanceOf(MemberLeftException.class)
        .extracting(failure -> ((MemberLeftException) failure).member())
        .isEqualTo(0);
  }

  /** Moves members in random order; one that calls late is part of it. */
  private record Players(int size, int slots, int chunkBytes, Random random) {
    void play(List<Trial> trials) {
      SharedSegment segment = SharedSegment.inMemory(size, slots, chunkBytes);
      List<SharedBoard> boards = new ArrayList<>();
      int[] begun = new int[size];
      for (int rank = 0; rank < size; rank++) {
        boards.add(new SharedBoard(segment, rank, member -> {}));
      }
      int idle = 0;
      int left = size;
      while (left > 0) {
        int rank = random.nextInt(size);
        SharedBoard board = boards.get(rank);
        boolean moved = board.advance();
        if (!board.isBusy() && begun[rank] < trials.size()) {
          board.begin(SharedWork.of(trials.get(begun[rank]++).call(rank), segment));
          moved = true;
        } else if (!board.isBusy() && begun[rank] == trials.size()) {
          begun[rank]++;
          left--;
        }
        idle = moved ? 0 : idle + 1;
        assertThat(idle).as("members wait for each other").isLessThan(1000 * size);
      }
    }
  }
}
