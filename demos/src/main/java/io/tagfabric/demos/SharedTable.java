package io.tagfabric.demos;

import io.tagfabric.access.MemoryFutures;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.collective.Team;
import io.tagfabric.collective.TeamMemory;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.job.Job;
import io.tagfabric.memory.AtomicOp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One hash table over all ranks, which count words in it. A rank finds a word's slot in the memory
 * of the rank that has it: it takes an empty one by compare-and-swap, and counts by fetch-and-add.
 * No rank does anything for the others. The first rank reads the table and checks every count.
 *
 * <p>If a rank is killed, what it has of the table is gone: the others go on without, and their
 * parts have all that was counted in them.
 *
 * <p>Run it: {@code tagfabric run -n 4 shared-table}
 */
@Command(
    name = "shared-table",
    description = {
      "One hash table over all ranks, by updates of each other's memory.",
      "With --kill, run it with --on-failure continue: the others finish, and say that their words are"
          + " right. The job ends with 137 then, the code of the rank that was killed."
    })
public final class SharedTable extends HelpOption {
  private static final int SLOT_BYTES = 2 * Long.BYTES;
  private static final int SLOTS_PER_WORD = 4;
  private static final int NOBODY = -1;

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

  @Option(
      names = "--kill",
      paramLabel = "RANK",
      description = "This rank ends itself by kill -9 when it has counted half of its words.")
  private int killed = NOBODY;

  private Job job;
  private Team team;
  private int slots;
  private TeamMemory table;
  private boolean told;

  private SharedTable() {}

  public static void main(String[] args) {
    SharedTable table = new SharedTable();
    Arguments.parse(table, args, table::complaint);
    Job.run(args, table::run);
  }

  private String complaint(int size) {
    if (words < 1 || words > 1 << 20 || counts < 1) {
      return "--words must be 1 to 1048576, --counts at least 1";
    }
    return killed == NOBODY || size > 1 && killed >= 0 && killed < size
        ? null
        : "--kill must be one of several ranks, 0.." + (size - 1);
  }

  private int run(Job started) {
    job = started;
    team = Team.world(job);
    // Each part could hold all words, so a probe always finds a slot.
    slots = SLOTS_PER_WORD * words;
    table = team.allocate(slots * SLOT_BYTES).toCompletableFuture().join();

    long beginNs = System.nanoTime();
    Words random = new Words(job.rank());
    int swaps = 0;
    int lost = 0;
    for (int i = 0; i < counts; i++) {
      if (i == counts / 2 && job.rank() == killed) {
        killSelf();
      }
      int probes = countUnlessLost(random.next());
      swaps += probes;
      lost += probes == 0 ? 1 : 0;
    }
    long elapsedNs = System.nanoTime() - beginNs;
    meet();

    System.out.printf(
        Locale.ROOT,
        "rank %d: %d words counted with %d compare-and-swaps, %.1f us a word%s%n",
        job.rank(),
        counts - lost,
        swaps,
        elapsedNs / 1e3 / counts,
        lost == 0 ? "" : ", " + lost + " lost with rank " + killed);
    if (team.rank() == 0) {
      System.out.println(check() + " words are right");
    }
    meet();
    return ExitCode.OK;
  }

  /** Waits for the others; if one was killed, for those that are left. */
  private void meet() {
    try {
      team.barrier().toCompletableFuture().join();
    } catch (CompletionException e) {
      tell(requireLoss(e));
      team = team.shrink().toCompletableFuture().join();
      team.barrier().toCompletableFuture().join();
    }
  }

  /** Passes on what is not the end of the rank that was to be killed. */
  private FabricException requireLoss(CompletionException e) {
    if (killed == NOBODY
        || !(e.getCause() instanceof FabricException failure)
        || failure.error() != FabricError.CONNECTION_RESET) {
      throw e;
    }
    return failure;
  }

  /** Once; memory on this host can be accessed until somebody has seen that its owner is gone. */
  private void tell(FabricException loss) {
    if (!told) {
      told = true;
      System.out.println("rank " + job.rank() + ": " + loss.getMessage());
    }
  }

  private static void killSelf() {
    System.out.flush();
    try {
      new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    while (true) {
      LockSupport.park(); // it counts nothing more
    }
  }

  /** The words that a rank counts, in order. */
  private final class Words {
    private final SplittableRandom random;

    Words(int rank) {
      random = new SplittableRandom(rank);
    }

    long next() {
      return 1L + random.nextInt(words);
    }
  }

  private static long hash(long word) {
    return new SplittableRandom(word).nextLong() >>> 1;
  }

  private int homeOf(long word) {
    return (int) (hash(word) % job.size());
  }

  /** Counts a word; returns how many slots it looked at, 0 if the rank that has it is lost. */
  private int countUnlessLost(long word) {
    try {
      return count(word);
    } catch (CompletionException e) {
      FabricException loss = requireLoss(e);
      if (homeOf(word) != killed) {
        throw e;
      }
      tell(loss);
      return 0;
    }
  }

  private int count(long word) {
    MemoryFutures memory = job.endpoint().memory().futures();
    long hash = hash(word);
    RemoteRegion part = table.at(homeOf(word));
    for (int i = 0; ; i++) {
      long at = (hash / job.size() + i) % slots * SLOT_BYTES;
      long there = memory.compareAndSwap(part, at, 0, word).toCompletableFuture().join();
      if (there == 0 || there == word) {
        memory.fetch(part, at + Long.BYTES, AtomicOp.SUM, 1).toCompletableFuture().join();
        return i + 1;
      }
    }
  }

  /** What all ranks have counted in the parts that are left. */
  private Map<Long, Long> expected() {
    Map<Long, Long> expected = new HashMap<>();
    for (int rank = 0; rank < job.size(); rank++) {
      Words random = new Words(rank);
      for (int i = 0; i < (rank == killed ? counts / 2 : counts); i++) {
        long word = random.next();
        if (homeOf(word) != killed) {
          expected.merge(word, 1L, Long::sum);
        }
      }
    }
    return expected;
  }

  /** Compares the table with what all ranks have counted; returns how many words it has. */
  private int check() {
    Map<Long, Long> expected = expected();
    Map<Long, Long> found = new HashMap<>();
    MemoryFutures memory = job.endpoint().memory().futures();
    for (int rank = 0; rank < job.size(); rank++) {
      if (rank == killed) {
        continue;
      }
      UnsafeBuffer part = new UnsafeBuffer(new byte[slots * SLOT_BYTES]);
      memory.read(table.at(rank), 0, part).toCompletableFuture().join();
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
