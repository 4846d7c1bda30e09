package io.tagfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operations that the members of a team have agreed on. */
class AtomicsDomainTest {
  private static final Set<AtomicOp> ALLOWED =
      EnumSet.of(AtomicOp.SUM, AtomicOp.READ, AtomicOp.CSWAP);

  @TempDir Path directory;

  private ActorTestKit kit;
  private Crew crew;

  @BeforeEach
  void start() {
    kit = Crew.kitWithHostDirectory(directory);
    crew = new Crew(kit.system(), 3, settings -> settings);
  }

  @AfterEach
  void stop() {
    crew.close();
    kit.shutdownTestKit();
  }

  private static UnsafeBuffer ints(int... values) {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[4 * values.length]);
    for (int i = 0; i < values.length; i++) {
      buffer.putInt(4 * i, values[i], ByteOrder.LITTLE_ENDIAN);
    }
    return buffer;
  }

  @Test
  void shouldDoWhatWasAgreedOn() {
    List<AtomicsDomain> domains = crew.all(team -> team.atomics(AtomicKind.INT32, ALLOWED));
    List<TeamMemory> memories = crew.all(team -> team.allocate(64));
    List<CompletableFuture<?>> updates = new ArrayList<>();
    for (AtomicsDomain domain : domains) {
      assertThat(domain.kind()).isEqualTo(AtomicKind.INT32);
      assertThat(domain.operations()).isEqualTo(ALLOWED);
      var at = memories.get(domain.team().rank()).at(1);
      updates.add(domain.update(at, 4, AtomicOp.SUM, ints(1, 10)).toCompletableFuture());
    }
    crew.settle();
    assertThat(updates).allSatisfy(each -> assertThat(each).isCompleted());
    UnsafeBuffer old = ints(0, 0);
    var there = memories.get(0).at(1);
    var read = domains.get(0).fetch(there, 4, AtomicOp.READ, null, old).toCompletableFuture();
    crew.settle();
    assertThat(read).isCompleted();
    assertThat(old).isEqualTo(ints(3, 30));
    var swap =
        domains
            .get(0)
            .compare(there, 4, AtomicOp.CSWAP, ints(3, 0), ints(7, 8), old)
            .toCompletableFuture();
    crew.settle();
    assertThat(swap).isCompleted();
    assertThat(memories.get(1).buffer().getInt(4, ByteOrder.LITTLE_ENDIAN)).isEqualTo(7);
    assertThat(memories.get(1).buffer().getInt(8, ByteOrder.LITTLE_ENDIAN)).isEqualTo(30);
  }

  @Test
  void shouldRefuseEverythingElse() {
    AtomicsDomain domain = crew.all(team -> team.atomics(AtomicKind.INT32, ALLOWED)).get(0);
    TeamMemory memory = crew.all(team -> team.allocate(64)).get(0);
    for (AtomicOp op : EnumSet.complementOf(EnumSet.copyOf(ALLOWED))) {
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> domain.fetch(memory.at(1), 0, op, ints(1), ints(0)))
          .withMessageContaining(op + " is none of operations=[SUM, READ, CSWAP] of INT32")
          .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED));
    }
    domain.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> domain.update(memory.at(1), 0, AtomicOp.SUM, ints(1)));
  }

  @Test
  void shouldUpdateNowOrNotAtAll() {
    AtomicsDomain domain = crew.all(team -> team.atomics(AtomicKind.INT32, ALLOWED)).get(0);
    List<TeamMemory> memories = crew.all(team -> team.allocate(64));
    var there = memories.get(0).at(1);
    AtomicsDomain now = domain.now();
    assertThat(now.operations()).isEqualTo(ALLOWED);
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> now.update(there, 0, AtomicOp.MAX, ints(1)));
    // There is no flow to the member yet.
    CompletableFuture<?> refused =
        now.update(there, 0, AtomicOp.SUM, ints(1)).toCompletableFuture();
    assertThat(catchThrowable(refused::join).getCause())
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.AGAIN));
    crew.settle();
    assertThat(memories.get(1).buffer().getInt(0, ByteOrder.LITTLE_ENDIAN)).isZero();
    domain.update(there, 0, AtomicOp.SUM, ints(1));
    crew.settle();
    var accepted = now.update(there, 0, AtomicOp.SUM, ints(1)).toCompletableFuture();
    crew.settle();
    assertThat(accepted).isCompleted();
    assertThat(memories.get(1).buffer().getInt(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(2);
    domain.close();
    assertThatIllegalStateException().isThrownBy(() -> now.update(there, 0, AtomicOp.SUM, ints(1)));
  }

  @Test
  void shouldFailAtAllMembersWhenOneWantsSomethingElse() {
    List<CompletableFuture<AtomicsDomain>> making =
        crew.start(
            team ->
                team.atomics(
                    team.rank() == 1 ? AtomicKind.INT64 : AtomicKind.INT32, Set.of(AtomicOp.SUM)));
    crew.settle();
    for (CompletableFuture<AtomicsDomain> each : making) {
      assertThat(each).isCompletedExceptionally();
      assertThat(catchThrowable(each::join).getCause())
          .hasMessageContaining("rank 1 [")
          .hasMessageContaining("asks for [SUM] of INT64 where rank 0 asks for [SUM] of INT32");
    }
    making =
        crew.start(
            team ->
                team.atomics(
                    AtomicKind.INT32, Set.of(team.rank() == 2 ? AtomicOp.MAX : AtomicOp.SUM)));
    crew.settle();
    assertThat(catchThrowable(making.get(0)::join)).hasMessageContaining("rank 2 [");
  }

  @Test
  void shouldRefuseWhatThereIsNot() {
    Team team = crew.team(0);
    assertThatIllegalArgumentException().isThrownBy(() -> team.atomics(AtomicKind.INT32, Set.of()));
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> team.atomics(AtomicKind.DOUBLE, Set.of(AtomicOp.SUM, AtomicOp.BOR)))
        .withMessageContaining("BOR of DOUBLE");
  }
}
