package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionRingTest {
  private final CompletionBatch batch = new CompletionBatch();
  private final List<Object> handled = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 1000})
  void shouldRefuseReservationsWhenCapacityIsAcceptedAndUnread(int capacity) {
    CompletionRing ring = new CompletionRing(capacity);
    reserve(ring, capacity);
    assertThat(ring.tryReserve()).isFalse();

    publish(ring, 0, capacity);
    assertThat(ring.tryReserve()).isFalse();
    assertThat(ring.size()).isEqualTo(capacity);

    assertThat(ring.read(entry -> handled.add(entry.context()), 1)).isEqualTo(1);
    assertThat(ring.tryReserve()).isTrue();
    assertThat(ring.tryReserve()).isFalse();
  }

  @Test
  void shouldHandOverInOrderAndNoMoreThanAsked() {
    CompletionRing ring = new CompletionRing(10);
    reserve(ring, 7);
    publish(ring, 0, 7);
    assertThat(batch.isEmpty()).isTrue();

    assertThat(ring.read(entry -> handled.add(entry.context()), 0)).isZero();
    assertThat(ring.read(entry -> handled.add(entry.context()), 3)).isEqualTo(3);
    assertThat(ring.read(entry -> handled.add(entry.context()), 100)).isEqualTo(4);

    assertThat(handled).containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(ring.isEmpty()).isTrue();
  }

  @Test
  void shouldFreeTheSlotBeforeTheHandlerRuns() {
    CompletionRing ring = new CompletionRing(1);
    reserve(ring, 1);
    publish(ring, 0, 1);

    for (int i = 1; i < 5; i++) {
      int next = i;
      ring.read(
          entry -> {
            assertThat(ring.tryReserve()).isTrue();
            publish(ring, next, 1);
            handled.add(entry.context());
          },
          1);
    }

    assertThat(handled).containsExactly(0, 1, 2, 3);
  }

  @Test
  void shouldLeaveAnEntryToItsHandlerWhileAllSlotsFill() {
    CompletionRing ring = new CompletionRing(16, null, 8);
    reserve(ring, 5);
    publish(ring, 0, 5);

    ring.read(
        entry -> {
          reserve(ring, 5);
          publish(ring, 5, 3);
          publish(ring, 8, 1);
          publish(ring, 9, 1);
          handled.add(entry.context());
        },
        1);
    ring.read(entry -> handled.add(entry.context()), 16);

    assertThat(handled).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  @Test
  void shouldLoseAndRepeatNothingWhenAHandlerThrows() {
    CompletionRing ring = new CompletionRing(4);
    reserve(ring, 4);
    publish(ring, 0, 4);

    assertThatThrownBy(
            () ->
                ring.read(
                    entry -> {
                      handled.add(entry.context());
                      if (handled.size() == 2) {
                        throw new IllegalArgumentException("a bug of the program");
                      }
                    },
                    4))
        .hasMessage("a bug of the program");
    ring.read(entry -> handled.add(entry.context()), 4);

    assertThat(handled).containsExactly(0, 1, 2, 3);
  }

  @Test
  void shouldFindTheRingBusyWhenTheHandlerReads() {
    CompletionRing ring = new CompletionRing(4);
    reserve(ring, 2);
    publish(ring, 0, 2);

    ring.read(entry -> assertThat(ring.read(inner -> handled.add(inner), 4)).isZero(), 1);

    assertThat(handled).isEmpty();
    assertThat(ring.size()).isEqualTo(1);
  }

  @Test
  void shouldPublishNothingWhenReservationsAreMissing() {
    CompletionRing ring = new CompletionRing(4);
    reserve(ring, 1);

    assertThatThrownBy(() -> publish(ring, 0, 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("batchSize=2 > openReservations=1, reserve before accepting");
    assertThat(ring.isEmpty()).isTrue();
    assertThat(batch.size()).isEqualTo(2);
    assertThat(ring.read(entry -> handled.add(entry), 4)).isZero();
  }

  @Test
  void shouldReleaseOnlyWhatIsReservedAndUnpublished() {
    CompletionRing ring = new CompletionRing(2);
    reserve(ring, 2);
    publish(ring, 0, 1);
    ring.release();
    assertThat(ring.tryReserve()).isTrue();
    ring.release();

    assertThatThrownBy(ring::release)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("openReservations=0, release only what was reserved");
    assertThat(ring.size()).isEqualTo(1);
  }

  @Test
  void shouldForgetContextsWhenRead() {
    CompletionRing ring = new CompletionRing(2);
    reserve(ring, 1);
    publish(ring, 0, 1);
    List<CompletionEntry> kept = new ArrayList<>();

    ring.read(kept::add, 1);

    assertThat(kept.get(0).kind()).isEqualTo(CompletionEntry.Kind.EMPTY);
    assertThat(kept.get(0).context()).isNull();
  }

  @Test
  void shouldRefuseCapacitiesAndLimitsOutsideTheirRange() {
    assertThatThrownBy(() -> new CompletionRing(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity=0 is outside 1..");
    CompletionRing ring = new CompletionRing(1);
    assertThatThrownBy(() -> ring.read(entry -> handled.add(entry), -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit=-1 < 0");
  }

  @Test
  void shouldNotAllocateOnceWarm() {
    CompletionRing ring = new CompletionRing(100);
    CompletionHandler handler = entry -> {};
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 2000; i++) {
      roundTrip(ring, handler, 1 + i % 100);
    }

    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    for (int i = 0; i < 2000; i++) {
      roundTrip(ring, handler, 1 + i % 100);
    }
    long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

    assertThat(allocated).isLessThan(4096);
  }

  @Test
  void shouldUseLittleMoreEntriesThanWait() {
    CompletionRing ring = new CompletionRing(1000);
    Set<CompletionEntry> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    for (int i = 0; i < 3000; i++) {
      roundTrip(ring, seen::add, 7);
    }

    assertThat(seen).hasSizeBetween(7, 16 + 7);
  }

  @Test
  void shouldUseFewEntriesAgainAfterABurst() {
    CompletionRing ring = new CompletionRing(1000);
    Set<CompletionEntry> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    roundTrip(ring, seen::add, 1000);
    assertThat(seen).hasSize(1000);

    for (int i = 0; i < 5 * 1024; i++) {
      roundTrip(ring, entry -> {}, 1);
    }
    seen.clear();
    for (int i = 0; i < 1024; i++) {
      roundTrip(ring, seen::add, 1);
    }

    assertThat(seen).hasSizeBetween(16, 16 + 1);
  }

  @Test
  void shouldAllocateNextToNothingForBurstsOnceWarm() {
    CompletionRing ring = new CompletionRing(1000);
    CompletionHandler handler = entry -> {};
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 100; i++) {
      roundTrip(ring, handler, 1000);
    }

    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    for (int i = 0; i < 100; i++) {
      roundTrip(ring, handler, 1000);
    }
    long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

    assertThat(allocated).isLessThan(100 * 200);
  }

  private void roundTrip(CompletionRing ring, CompletionHandler handler, int count) {
    for (int i = 0; i < count; i++) {
      if (!ring.tryReserve()) {
        throw new IllegalStateException("size=" + ring.size() + ", but every round ends empty");
      }
      batch.next().setSent("context", 0, i, i);
    }
    ring.publish(batch);
    ring.read(handler, count);
  }

  private static void reserve(CompletionRing ring, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(ring.tryReserve()).isTrue();
    }
  }

  private void publish(CompletionRing ring, int firstContext, int count) {
    for (int i = 0; i < count; i++) {
      batch.next().setSent(firstContext + i, 0, 0, 0);
    }
    ring.publish(batch);
  }
}
