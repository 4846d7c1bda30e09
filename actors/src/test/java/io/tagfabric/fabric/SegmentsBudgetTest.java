package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.ProgressMode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Memory in segments takes of the budget what all of it has, and gives all of that back. */
class SegmentsBudgetTest {
  private static final int LIMIT = 10_000;
  private static final int SEGMENT = 1_000;

  private final ActorSystem<Void> system =
      ActorSystem.create(
          Behaviors.empty(),
          "segments-budget",
          ConfigFactory.parseString(
                  """
                  tagfabric.provider.use = [local]
                  tagfabric.memory.budget = %d
                  akka.loglevel = ERROR
                  """
                      .formatted(LIMIT))
              .withFallback(ConfigFactory.load()));
  private final Fabric fabric = Fabric.get(system);
  private final Domain domain = fabric.openDomain("budget", ProgressMode.MANUAL);

  @AfterEach
  void stop() throws Exception {
    domain.close();
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private void requireRefused(long bytes) {
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> domain.allocateSegments(bytes, SEGMENT))
        .withMessageContaining("tagfabric.memory.budget=" + LIMIT)
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.NO_MEMORY));
  }

  @Test
  void shouldGiveBackEachSegment() {
    for (int i = 0; i < 5; i++) {
      try (FabricSegments memory = domain.allocateSegments(LIMIT - 500, SEGMENT)) {
        assertThat(memory.segments()).hasSize(10);
        assertThat(fabric.memoryBudget().taken()).isEqualTo(LIMIT - 500);
      }
      assertThat(fabric.memoryBudget().taken()).isZero();
    }
  }

  @Test
  void shouldGiveBackTheSegmentsBeforeTheOneThatDoesNotFit() {
    for (int i = 0; i < 5; i++) {
      requireRefused(LIMIT + 1);
      assertThat(fabric.memoryBudget().taken()).isZero();
    }
    try (FabricSegments all = domain.allocateSegments(LIMIT, SEGMENT)) {
      requireRefused(1);
      assertThat(all.lengthBytes()).isEqualTo(LIMIT);
      assertThat(fabric.memoryBudget().taken()).isEqualTo(LIMIT);
    }
  }

  @Test
  void shouldGiveBackWithTheDomainWhatNobodyHasClosed() {
    domain.allocateSegments(LIMIT, SEGMENT);

    domain.close();

    assertThat(fabric.memoryBudget().taken()).isZero();
  }
}
