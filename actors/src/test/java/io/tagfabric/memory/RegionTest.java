package io.tagfabric.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import io.tagfabric.error.FabricException;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.progress.ProgressMode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How regions open and close. */
class RegionTest {
  /** For tables whose regions need no actor. */
  static final Function<Behavior<Region.Command>, ActorRef<Region.Command>> NO_ACTOR =
      behavior -> {
        throw new AssertionError("no actor was to be started of " + behavior);
      };

  private static final Duration LONG = Duration.ofHours(1);

  private static ActorSystem<Void> system;

  private Domain domain;
  private RegionTable table;

  @BeforeAll
  static void start() {
    system = ActorSystem.create(Behaviors.empty(), "region");
  }

  @AfterAll
  static void stop() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @BeforeEach
  void open() {
    domain = Fabric.get(system).openDomain("region", ProgressMode.MANUAL);
    long[] keys = {100}; // the lowest bit of a generation is not random
    table =
        new RegionTable(
            domain.loop(), domain.futures(), () -> keys[0] += 2, 1, LONG, RegionTest.NO_ACTOR);
  }

  @AfterEach
  void close() {
    domain.close(Duration.ZERO);
  }

  private Region region() {
    return table.register(
        new UnsafeBuffer(new byte[8]), RegionRight.all(), RegionOptions.DEFAULT.withKey(5));
  }

  private void awaitDone(CompletableFuture<?> future) {
    assertThat(domain.await(future::isDone, Duration.ofSeconds(100))).isTrue();
  }

  @Test
  void shouldCloseAfterTheShortestTimeThatWasGiven() {
    Region region = region();
    region.enter();
    CompletableFuture<Void> closed = region.close(LONG).toCompletableFuture();
    assertThat(domain.await(closed::isDone, Duration.ofMillis(1))).isFalse();
    assertThat(region.isCut()).isFalse();
    region.close(Duration.ofMillis(2));
    region.close(LONG);
    awaitDone(closed);
    assertThat(region.isCut()).isTrue();
  }

  @Test
  void shouldCloseWhenTheLastAccessHasEnded() {
    Region region = region();
    region.enter();
    region.enter();
    CompletableFuture<Void> closed = region.close().toCompletableFuture();
    region.leave();
    assertThat(domain.await(closed::isDone, Duration.ofMillis(1))).isFalse();
    region.leave();
    awaitDone(closed);
  }

  @Test
  void shouldFreeTheKeyAtOnceWhileAccessesAreUnderWay() {
    Region region = region();
    region.enter();
    region.close(LONG);
    Region next = region();
    assertThat(table.find(5, 0)).isSameAs(next);
    assertThat(table.find(5, region.descriptor().generation())).isNull();
  }

  @Test
  void shouldRefuseWritesToABufferThatIsReadOnly() {
    for (ByteBuffer bytes :
        new ByteBuffer[] {ByteBuffer.allocate(8), ByteBuffer.allocateDirect(8)}) {
      UnsafeBuffer readOnly = new UnsafeBuffer(bytes.asReadOnlyBuffer());
      for (RegionRight right : Set.of(RegionRight.LOCAL_WRITE, RegionRight.REMOTE_WRITE)) {
        assertThatIllegalArgumentException()
            .isThrownBy(
                () -> table.register(readOnly, Set.of(right), RegionOptions.DEFAULT.withKey(5)))
            .withMessageContaining("read-only");
      }
      Set<RegionRight> reads = Set.of(RegionRight.LOCAL_READ, RegionRight.REMOTE_READ);
      Region region = table.register(readOnly, reads, RegionOptions.DEFAULT.withKey(5));
      awaitDone(region.close().toCompletableFuture());
    }
  }

  @Test
  void shouldRegisterNothingOnceTheDomainCloses() {
    Region region = region();
    table.end();
    assertThat(domain.await(() -> !region.isOpen(), Duration.ofSeconds(100))).isTrue();
    assertThatIllegalStateException().isThrownBy(this::region).withMessageContaining("closed");
  }

  @Test
  void shouldUseOneOutboxForAllRegionsOfAQueue() {
    CompletionQueue queue = domain.openCompletionQueue(4);
    CompletionQueue other = domain.openCompletionQueue(4);
    Region first =
        table.register(
            new UnsafeBuffer(new byte[8]), RegionRight.all(), RegionOptions.DEFAULT.to(queue));
    Region second =
        table.register(
            new UnsafeBuffer(new byte[8]), RegionRight.all(), RegionOptions.DEFAULT.to(queue));
    Region third =
        table.register(
            new UnsafeBuffer(new byte[8]), RegionRight.all(), RegionOptions.DEFAULT.to(other));
    assertThat(first.outbox()).isNotNull().isSameAs(second.outbox()).isNotSameAs(third.outbox());
    assertThat(region().outbox()).isNull();
  }

  @Test
  void shouldLeaveTheCounterAloneWhenItRefuses() {
    region();
    Counter counter = domain.openCounter();
    RegionOptions options = RegionOptions.DEFAULT.withKey(5).counting(counter);
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(
            () -> table.register(new UnsafeBuffer(new byte[8]), RegionRight.all(), options));
    counter.close(); // would be refused while something is bound to it
    assertThat(counter.isClosed()).isTrue();
  }
}
