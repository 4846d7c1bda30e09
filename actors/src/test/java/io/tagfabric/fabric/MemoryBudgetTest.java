package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.provider.FabricMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static final int LIMIT = 1000;

  private final MemoryBudget budget = new MemoryBudget(LIMIT);
  private final DomainMemories memories = new DomainMemories(budget);

  private FabricMemory allocate(int bytes) {
    return memories.allocate(bytes, () -> new PrivateMemory(bytes));
  }

  @Test
  void shouldRefuseWhatDoesNotFitWithBothNumbers() {
    allocate(600);

    assertThatThrownBy(() -> allocate(401))
        .isInstanceOfSatisfying(
            FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.NO_MEMORY))
        .hasMessageContaining("bytes=401")
        .hasMessageContaining("taken=600")
        .hasMessageContaining("tagfabric.memory.budget=1000");
    assertThat(budget.taken()).as("a refusal takes nothing").isEqualTo(600);
    allocate(400);
  }

  @Test
  void shouldTakeAnythingWithoutALimit() {
    MemoryBudget none = new MemoryBudget(0);

    none.take(Long.MAX_VALUE / 2);
    none.take(Long.MAX_VALUE / 2);

    assertThat(none.taken()).isEqualTo(Long.MAX_VALUE - 1);
  }

  @Test
  void shouldGiveBackOnceHoweverOftenMemoryIsClosed() {
    FabricMemory memory = allocate(LIMIT);

    memory.close();
    memory.close();

    assertThat(budget.taken()).isZero();
    allocate(LIMIT);
  }

  @Test
  void shouldGiveBackWhenThereIsNoMemory() {
    assertThatThrownBy(
            () ->
                memories.allocate(
                    10,
                    () -> {
                      throw new IllegalStateException("no room");
                    }))
        .hasMessage("no room");

    assertThat(budget.taken()).isZero();
  }

  @Test
  void shouldGiveBackAllWithTheDomain() {
    allocate(10);
    allocate(20);

    memories.closeAll();

    assertThat(budget.taken()).isZero();
  }

  @Test
  void shouldCountAsASimpleModelDoes() {
    Random random = new Random(7);
    List<FabricMemory> open = new ArrayList<>();
    int due = 0;
    for (int step = 0; step < 2_000; step++) {
      int bytes = 1 + random.nextInt(300);
      if (random.nextBoolean() && !open.isEmpty()) {
        FabricMemory closed = open.remove(random.nextInt(open.size()));
        due -= closed.buffer().capacity();
        closed.close();
      } else if (due + bytes <= LIMIT) {
        open.add(allocate(bytes));
        due += bytes;
      } else {
        assertThatThrownBy(() -> allocate(bytes)).isInstanceOf(FabricException.class);
      }
      assertThat(budget.taken()).isEqualTo(due);
    }
  }
}
