package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Compares the ring with a queue and a count of open reservations. */
class CompletionRingModelTest {
  private enum Kind {
    RESERVE,
    RELEASE,
    PUBLISH,
    READ,
    READ_THROWING,
    READ_POSTING
  }

  private record Step(Kind kind, int amount) {}

  @Provide
  Arbitrary<Step> steps() {
    return Combinators.combine(Arbitraries.of(Kind.class), Arbitraries.integers().between(0, 30))
        .as(Step::new);
  }

  @Property(tries = 3000)
  void shouldAnswerAsAQueueWithReservations(
      @ForAll @IntRange(min = 1, max = 40) int capacity,
      @ForAll @IntRange(min = 1, max = 4) int firstLength,
      @ForAll @Size(max = 300) List<@From("steps") Step> steps) {
    Model model = new Model(capacity, 1 << firstLength);

    steps.forEach(model::run);

    assertThat(model.ring.capacity()).isEqualTo(capacity);
    assertThat(model.accepted)
        .isEqualTo(model.released + model.ended + model.open() + model.unread());
  }

  private static final class Model {
    final CompletionRing ring;
    final CompletionBatch batch = new CompletionBatch();
    final ArrayDeque<Long> published = new ArrayDeque<>();
    final int capacity;
    long accepted;
    long released;
    long ended;
    private int open;
    private long nextContext;

    Model(int capacity, int firstLength) {
      this.capacity = capacity;
      this.ring = new CompletionRing(capacity, null, firstLength);
    }

    int open() {
      return open;
    }

    int unread() {
      return ring.size();
    }

    void run(Step step) {
      switch (step.kind()) {
        case RESERVE -> reserve(step.amount());
        case RELEASE -> release(step.amount());
        case PUBLISH -> publish(step.amount());
        case READ -> read(step.amount());
        case READ_THROWING -> readThrowing(step.amount());
        case READ_POSTING -> readPosting(step.amount());
      }
      assertThat(ring.size()).isEqualTo(published.size());
      assertThat(ring.isEmpty()).isEqualTo(published.isEmpty());
    }

    private void reserve(int amount) {
      for (int i = 0; i < amount; i++) {
        boolean room = open + published.size() < capacity;
        assertThat(ring.tryReserve()).isEqualTo(room);
        if (room) {
          open++;
          accepted++;
        }
      }
    }

    private void release(int amount) {
      for (int i = 0; i < Math.min(amount, open); i++) {
        ring.release();
        released++;
      }
      open -= Math.min(amount, open);
    }

    private void publish(int amount) {
      int count = Math.min(amount, open);
      for (int i = 0; i < count; i++) {
        batch.next().setReceived(nextContext, 1, nextContext, 8);
        published.add(nextContext++);
      }
      ring.publish(batch);
      open -= count;
    }

    private void read(int limit) {
      int expected = Math.min(limit, published.size());
      assertThat(ring.read(this::take, limit)).isEqualTo(expected);
    }

    private void readThrowing(int limit) {
      RuntimeException failure = new RuntimeException("a bug of the program");
      int before = published.size();
      try {
        ring.read(
            entry -> {
              take(entry);
              throw failure;
            },
            limit);
      } catch (RuntimeException e) {
        assertThat(e).isSameAs(failure);
      }
      assertThat(published).hasSize(before - Math.min(1, Math.min(limit, before)));
    }

    /** Each handler starts what there is room for, and it ends before the handler does. */
    private void readPosting(int limit) {
      int expected = Math.min(limit, published.size());
      int read =
          ring.read(
              entry -> {
                Object context = entry.context();
                take(entry);
                for (int i = 0; i < 2; i++) { // what the first leaves in the batch the second fills
                  reserve(limit);
                  publish(limit);
                }
                assertThat(entry.context()).isEqualTo(context);
                assertThat(entry.tag()).isEqualTo(context);
              },
              limit);
      assertThat(read).isEqualTo(expected);
    }

    private void take(CompletionEntry entry) {
      assertThat(entry.context()).isEqualTo(published.poll());
      assertThat(entry.tag()).isEqualTo(entry.context());
      ended++;
    }
  }
}
