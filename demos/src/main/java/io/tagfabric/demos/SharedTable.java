package io.tagfabric.demos;

import io.tagfabric.endpoint.MemoryFutures;
import io.tagfabric.endpoint.RemoteRegion;
import io.tagfabric.job.Job;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionOptions;
import io.tagfabric.memory.RegionRight;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One hash table over all ranks, which count words in it. A rank finds a word's slot in the memory
 * of the rank that has it: it takes an empty one by compare-and-swap, and counts by fetch-and-add.
 * No rank does anything for the others. Rank 0 reads the table and checks every count.
 *
 * <p>Run it: {@code tagfabric run -n 4 shared-table}
 */
@Command(
    name = "shared-table",
    description = "One hash table over all ranks, by updates of each other's memory.")
public final class SharedTable extends HelpOption {
  /** All ranks open their part by this key, so that no descriptor has to travel. */
  private static final long KEY = 0x7AB1E;

  private static final int SLOT_BYTES = 2 * Long.BYTES;
  private static final int SLOTS_PER_WORD = 4;

  @Option(
      names = "--words",
      paramLabel = "N",
      defaultValue = "500",
      description = "How many different words there are (default: ${DEFAULT-VALUE}).")
  private int words;

  @Option(
      names = "--counts",
      paramLabel = "N",
      defaultValue = "2000",
      description = "How many words each rank counts (default: ${DEFAULT-VALUE}).")
  private int counts;

  private SharedTable() {}

  public static void main(String[] args) {
    SharedTable table = new SharedTable();
    Arguments.parse(
        table,
        args,
        size ->
            table.words < 1 || table.words > 1 << 20 || table.counts < 1
                ? "--words must be 1 to 1048576, --counts at least 1"
                : null);
    Job.run(args, table::run);
  }

  private int run(Job job) {
    // Each part could hold all words, so a probe always finds a slot.
    int slots = SLOTS_PER_WORD * words;
    UnsafeBuffer own = new UnsafeBuffer(new byte[slots * SLOT_BYTES]);
    job.domain().register(own, RegionRight.all(), RegionOptions.DEFAULT.withKey(KEY));
    job.barrier();

    long beginNs = System.nanoTime();
    SplittableRandom random = new SplittableRandom(job.rank());
    int swaps = 0;
    for (int i = 0; i < counts; i++) {
      swaps += count(job, 1 + random.nextInt(words), slots);
    }
    long elapsedNs = System.nanoTime() - beginNs;
    job.barrier();

    System.out.printf(
        Locale.ROOT,
        "rank %d: %d words counted with %d compare-and-swaps, %.1f us a word%n",
        job.rank(),
        counts,
        swaps,
        elapsedNs / 1e3 / counts);
    if (job.rank() == 0) {
      System.out.println(check(job, slots) + " words are right");
    }
    job.barrier();
    return 0;
  }

  private static RegionDescriptor part(int slots) {
    return RegionDescriptor.agreed(KEY, (long) slots * SLOT_BYTES);
  }

  /** Counts a word; returns how many slots it looked at. */
  private int count(Job job, long word, int slots) {
    MemoryFutures memory = job.endpoint().memory().futures();
    RegionDescriptor part = part(slots);
    long hash = new SplittableRandom(word).nextLong() >>> 1;
    int peer = job.peer((int) (hash % job.size()));
    for (int i = 0; ; i++) {
      long at = (hash / job.size() + i) % slots * SLOT_BYTES;
      long there =
          memory
              .compareAndSwap(new RemoteRegion(peer, part), at, 0, word)
              .toCompletableFuture()
              .join();
      if (there == 0 || there == word) {
        memory
            .fetch(new RemoteRegion(peer, part), at + Long.BYTES, AtomicOp.SUM, 1)
            .toCompletableFuture()
            .join();
        return i + 1;
      }
    }
  }

  /** Compares the table with what all ranks have counted; returns how many words it has. */
  private int check(Job job, int slots) {
    Map<Long, Long> expected = new HashMap<>();
    for (int rank = 0; rank < job.size(); rank++) {
      SplittableRandom random = new SplittableRandom(rank);
      for (int i = 0; i < counts; i++) {
        expected.merge(1L + random.nextInt(words), 1L, Long::sum);
      }
    }
    Map<Long, Long> found = new HashMap<>();
    for (int rank = 0; rank < job.size(); rank++) {
      UnsafeBuffer part = new UnsafeBuffer(new byte[slots * SLOT_BYTES]);
      job.endpoint()
          .memory()
          .futures()
          .read(new RemoteRegion(job.peer(rank), part(slots)), 0, part)
          .toCompletableFuture()
          .join();
      for (int at = 0; at < part.capacity(); at += SLOT_BYTES) {
        long word = part.getLong(at, ByteOrder.LITTLE_ENDIAN);
        long count = part.getLong(at + Long.BYTES, ByteOrder.LITTLE_ENDIAN);
        if (word != 0 && found.put(word, count) != null) {
          throw new IllegalStateException("word=" + word + " has two slots");
        }
      }
    }
    if (!found.equals(expected)) {
      throw new IllegalStateException("the table has " + found + " instead of " + expected);
    }
    return found.size();
  }
}
