package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicOp;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory of a team, whose members are all in one MANUAL domain. */
class TeamMemoryTest {
  private static final int SIZE = 4;

  @TempDir Path directory;

  private ActorTestKit kit;
  private Crew crew;

  @BeforeEach
  void start() {
    kit = Crew.kitWithHostDirectory(directory);
    crew = new Crew(kit.system(), SIZE, settings -> settings);
  }

  @AfterEach
  void stop() {
    crew.close();
    kit.shutdownTestKit();
  }

  private static UnsafeBuffer value(long value) {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[Long.BYTES]);
    bytes.putLong(0, value, ByteOrder.LITTLE_ENDIAN);
    return bytes;
  }

  private static FabricException failure(CompletableFuture<?> future) {
    assertThat(future).isCompletedExceptionally();
    return (FabricException) catchThrowable(future::join).getCause();
  }

  @Test
  void shouldShowEachMemberThePartsOfAll() {
    List<TeamMemory> memories = crew.all(team -> team.allocate(64 + team.rank()));
    for (TeamMemory memory : memories) {
      assertThat(memory.region().lengthBytes()).isEqualTo(64 + memory.team().rank());
      for (int rank = 0; rank < SIZE; rank++) {
        assertThat(memory.descriptor(rank)).isEqualTo(memories.get(rank).region().descriptor());
      }
    }
    // Each member writes its rank into the parts of all, and counts there.
    List<CompletableFuture<?>> accesses = new ArrayList<>();
    for (TeamMemory memory : memories) {
      for (int rank = 0; rank < SIZE; rank++) {
        var futures = memory.memory().futures();
        int from = memory.team().rank();
        accesses.add(
            futures.writeValue(memory.at(rank), 8L + 8L * from, 100 + from).toCompletableFuture());
        accesses.add(futures.fetch(memory.at(rank), 0, AtomicOp.SUM, 1).toCompletableFuture());
      }
    }
    crew.settle();
    assertThat(accesses).allSatisfy(each -> assertThat(each).isCompleted());
    for (TeamMemory memory : memories) {
      assertThat(memory.buffer().getLong(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(SIZE);
      for (int rank = 0; rank < SIZE; rank++) {
        assertThat(memory.buffer().getLong(8 + 8 * rank, ByteOrder.LITTLE_ENDIAN))
            .isEqualTo(100 + rank);
      }
    }
    crew.all(team -> memories.get(team.rank()).close());
  }

  @Test
  void shouldHaveDoneAllBeforeAFenceAndCloseExactly() {
    List<TeamMemory> memories = crew.all(team -> team.allocate(200_000));
    UnsafeBuffer source = new UnsafeBuffer(new byte[200_000]);
    source.setMemory(0, source.capacity(), (byte) 7);
    for (TeamMemory memory : memories) {
      int next = (memory.team().rank() + 1) % SIZE;
      memory
          .memory()
          .write(memory.at(next), 0, source, 0, source.capacity(), SendOptions.DEFAULT, "bulk");
    }
    crew.all(team -> memories.get(team.rank()).fence());
    for (TeamMemory memory : memories) {
      assertThat(memory.buffer().getByte(0)).isEqualTo((byte) 7);
      assertThat(memory.buffer().getByte(199_999)).isEqualTo((byte) 7);
    }
    memories.get(0).memory().write(memories.get(0).at(1), 0, source, 0, 8, SendOptions.DEFAULT, 1);
    crew.all(team -> memories.get(team.rank()).close());
    for (TeamMemory memory : memories) {
      assertThat(memory.region().isOpen()).isFalse();
    }
    CompletableFuture<?> late =
        memories
            .get(0)
            .memory()
            .futures()
            .writeValue(memories.get(0).at(1), 0, 9)
            .toCompletableFuture();
    crew.settle();
    assertThat(failure(late).error()).isEqualTo(FabricError.NO_KEY);
    assertThat(memories.get(0).close()).isSameAs(memories.get(0).close());
  }

  @Test
  void shouldNotDisturbTheCallsOfTheTeam() {
    List<CompletableFuture<TeamMemory>> making = crew.start(team -> team.allocate(8));
    List<CompletableFuture<long[]>> sums =
        crew.start(team -> team.allreduce(new long[] {1}, Reduction.SUM));
    crew.settle();
    assertThat(sums).allSatisfy(each -> assertThat(each.join()).containsExactly(SIZE));
    List<CompletableFuture<?>> calls = new ArrayList<>();
    for (CompletableFuture<TeamMemory> each : making) {
      TeamMemory memory = each.join();
      Team team = memory.team();
      boolean fenceFirst = team.rank() % 2 == 0;
      if (fenceFirst) {
        calls.add(memory.fence().toCompletableFuture());
      }
      calls.add(team.allreduce(new long[] {1}, Reduction.SUM).toCompletableFuture());
      if (!fenceFirst) {
        calls.add(memory.fence().toCompletableFuture());
      }
    }
    crew.settle();
    assertThat(calls).allSatisfy(each -> assertThat(each).isCompleted());
  }

  @Test
  void shouldFailAtAllMembersWhenOneCannotAllocate() {
    for (int round = 0; round < 2; round++) {
      List<CompletableFuture<TeamMemory>> making =
          crew.start(team -> team.allocate(team.rank() == 2 ? -5 : 4096));
      crew.settle();
      for (CompletableFuture<TeamMemory> each : making) {
        FabricException failure = failure(each);
        assertThat(failure.error()).isEqualTo(FabricError.INVALID);
        assertThat(failure)
            .hasMessageContaining("rank 2 [")
            .hasMessageContaining("member-2@")
            .hasMessageContaining("bytes=-5 < 1");
      }
    }
    assertThat(crew.all(team -> team.allocate(8))).hasSize(SIZE);
  }

  @Test
  void shouldFailAtTheOthersWhenAMemberHasGone() {
    List<TeamMemory> memories = crew.all(team -> team.allocate(64));
    CompletableFuture<?> closing = crew.endpoints.get(3).close(Duration.ZERO).toCompletableFuture();
    crew.settle();
    assertThat(closing).isDone();
    List<CompletableFuture<?>> ended = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      ended.add(memories.get(rank).close().toCompletableFuture());
      ended.add(crew.team(rank).allocate(8).toCompletableFuture());
    }
    crew.settle();
    for (CompletableFuture<?> each : ended) {
      assertThat(failure(each)).hasMessageContaining("member-3@");
    }
    for (int rank = 0; rank < 3; rank++) {
      assertThat(memories.get(rank).region().isOpen()).isFalse();
    }
  }

  @Test
  void shouldTellARefusalByTheFence() {
    List<TeamMemory> memories = crew.all(team -> team.allocate(64));
    CompletableFuture<Void> closed = memories.get(1).region().close().toCompletableFuture();
    crew.settle();
    assertThat(closed).isCompleted();
    memories
        .get(0)
        .memory()
        .write(
            memories.get(0).at(1),
            0,
            value(1),
            0,
            8,
            SendOptions.DEFAULT.at(CompletionLevel.INJECT),
            "lost");
    List<CompletableFuture<?>> fences = new ArrayList<>();
    for (TeamMemory memory : memories) {
      fences.add(memory.fence().toCompletableFuture());
    }
    crew.settle();
    assertThat(failure(fences.get(0)).error()).isEqualTo(FabricError.NO_KEY);
    for (int rank = 1; rank < SIZE; rank++) {
      assertThat(fences.get(rank)).isCompleted();
    }
  }

  @Test
  void shouldRefuseRanksThatAreNotThere() {
    TeamMemory memory = crew.all(team -> team.allocate(8)).get(0);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> memory.at(SIZE));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> memory.at(-1));
  }
}
