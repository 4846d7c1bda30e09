package io.tagfabric.complete;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Posters, one loop and readers at once.
 *
 * <p>Permitted: a reservation is refused; a read returns nothing; any reader gets any entry.
 * Required: each accepted operation that was not released is read exactly once, each reader sees
 * rising positions, what one poster posted is read in that order, an entry's fields belong
 * together, and at most {@code capacity} operations are open at any moment. Anything else fails.
 */
class CompletionRingStressTest {
  private static final int OPERATIONS = 60_000;
  private static final int BATCH = 7;

  /** So few slots at first that the ring grows and shrinks all the time. */
  private static final int FIRST_LENGTH = 2;

  private static final int RELEASE_EVERY = 5;
  private static final long DEADLINE_SECONDS = 120;

  private record Operation(int poster, int number) {}

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "1, 2, 2", "3, 2, 2", "8, 3, 2", "1000, 2, 3"})
  void shouldReadEachPublishedEntryExactlyOnce(int capacity, int posters, int readers)
      throws Exception {
    Stress stress = new Stress(capacity, posters);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> posting = new ArrayList<>();
      for (int i = 0; i < posters; i++) {
        int poster = i;
        posting.add(threads.submit(() -> stress.post(poster)));
      }
      Future<?> loop = threads.submit(stress::publish);
      List<Future<List<long[]>>> reading = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        reading.add(threads.submit(stress::read));
      }
      for (Future<?> future : posting) {
        future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      }
      loop.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      List<long[]> all = new ArrayList<>();
      for (Future<List<long[]>> future : reading) {
        List<long[]> seen = future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        assertThat(seen.stream().map(row -> row[0])).isSorted();
        all.addAll(seen);
      }
      stress.check(all);
    } finally {
      threads.shutdownNow();
    }
  }

  /** There are more threads than cores, and spinning alone would wait out whole time slices. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void letOthersRun() {
    Thread.yield();
  }

  private static final class Stress {
    private final CompletionRing ring;
    private final int posters;
    private final ConcurrentLinkedQueue<Operation> accepted = new ConcurrentLinkedQueue<>();
    private final AtomicInteger postersDone = new AtomicInteger();
    private volatile long published;
    private volatile boolean loopDone;
    private final AtomicInteger readCount = new AtomicInteger();
    private final AtomicInteger openHighest = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();

    Stress(int capacity, int posters) {
      this.ring = new CompletionRing(capacity, null, FIRST_LENGTH);
      this.posters = posters;
    }

    /** Releases each fifth reservation, as a refused post does. */
    void post(int poster) {
      for (int number = 0; number < OPERATIONS; number++) {
        while (!ring.tryReserve()) {
          letOthersRun();
        }
        if (number % RELEASE_EVERY == 0) {
          ring.release();
        } else {
          openHighest.accumulateAndGet(open.incrementAndGet(), Math::max);
          accepted.add(new Operation(poster, number));
        }
      }
      postersDone.incrementAndGet();
    }

    void publish() {
      CompletionBatch batch = new CompletionBatch();
      long position = 0;
      while (true) {
        boolean last = postersDone.get() == posters;
        Operation operation;
        while (batch.size() < BATCH && (operation = accepted.poll()) != null) {
          long tag = position++;
          batch
              .next()
              .setReceived(operation, operation.poster(), tag, operation.number())
              .setData(~tag);
        }
        if (batch.isEmpty()) {
          if (last) {
            break;
          }
          letOthersRun();
        }
        ring.publish(batch);
      }
      published = position;
      loopDone = true;
    }

    /** Rows of position, poster, number, in the order this reader saw them. */
    List<long[]> read() {
      List<long[]> seen = new ArrayList<>();
      while (!(loopDone && readCount.get() == published)) {
        int before = seen.size();
        int count = ring.read(entry -> seen.add(row(entry)), 1 + before % BATCH);
        if (seen.size() - before != count) {
          throw new AssertionError("returned=" + count + " but handled=" + (seen.size() - before));
        }
        readCount.addAndGet(count);
        if (count == 0) {
          letOthersRun();
        }
      }
      return seen;
    }

    private long[] row(CompletionEntry entry) {
      open.decrementAndGet();
      Operation operation = (Operation) entry.context();
      if (entry.peer() != operation.poster()
          || entry.length() != operation.number()
          || entry.data() != ~entry.tag()) {
        throw new AssertionError("mixed fields: " + entry);
      }
      return new long[] {entry.tag(), operation.poster(), operation.number()};
    }

    void check(List<long[]> rows) {
      rows.sort((a, b) -> Long.compare(a[0], b[0]));
      int expected = posters * (OPERATIONS - OPERATIONS / RELEASE_EVERY);
      assertThat(rows).hasSize(expected);
      long[] lastNumber = new long[posters];
      for (int i = 0; i < expected; i++) {
        long[] row = rows.get(i);
        assertThat(row[0]).isEqualTo(i);
        assertThat(row[2]).isGreaterThan(lastNumber[(int) row[1]]);
        lastNumber[(int) row[1]] = row[2];
      }
      assertThat(ring.isEmpty()).isTrue();
      // One more than capacity: the slot of an entry is free while its handler runs.
      assertThat(openHighest.get()).isBetween(1, ring.capacity() + 1);
      for (int i = 0; i < ring.capacity(); i++) {
        assertThat(ring.tryReserve()).isTrue();
      }
      assertThat(ring.tryReserve()).isFalse();
    }
  }
}
