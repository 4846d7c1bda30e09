package io.tagfabric.job;

import io.tagfabric.cluster.host.ProcessId;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.runtime.Environment;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Notices the death of a rank's process for ranks that no launcher watches: each looks five times a
 * second whether the next living one of its host still runs. All ranks together look at each other
 * once, and the rank that finds a death tells the cluster, which tells all.
 */
final class ProcessWatch {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);

  private final int rank;
  private final List<String> processes;
  private final BitSet dead = new BitSet();

  private ProcessWatch(int rank, List<String> processes) {
    this.rank = rank;
    this.processes = processes;
  }

  /**
   * Begins to watch, on a thread of its own.
   *
   * @param environment whose threads and time it takes
   * @param ranks by {@link RankMap#processes}
   * @param over asked before each look
   * @param onDeath runs for each rank whose process is dead
   */
  static void start(
      Environment environment, int rank, RankMap ranks, BooleanSupplier over, IntConsumer onDeath) {
    ProcessWatch watch = new ProcessWatch(rank, ranks.processes());
    if (next(rank, watch.processes, watch.dead) < 0) {
      return;
    }
    environment.threads().start("rank-watch", () -> watch.run(environment.time(), over, onDeath));
  }

  private void run(TimeSource time, BooleanSupplier over, IntConsumer onDeath) {
    int watched = next(rank, processes, dead);
    while (watched >= 0 && !over.getAsBoolean()) {
      if (identity(processes.get(watched)).filter(ProcessId::isAlive).isPresent()) {
        time.park(this, LOOK_NS);
      } else {
        dead.set(watched);
        onDeath.accept(watched);
        watched = next(rank, processes, dead);
      }
    }
  }

  /** The next rank in another process that this one can see; -1 if there is none. */
  static int next(int rank, List<String> processes, BitSet dead) {
    String own = processes.get(rank);
    for (int step = 1; step < processes.size() && !own.isEmpty(); step++) {
      int other = (rank + step) % processes.size();
      String theirs = processes.get(other);
      if (!dead.get(other) && !theirs.equals(own) && namespace(theirs).equals(namespace(own))) {
        return other;
      }
    }
    return -1;
  }

  private static String namespace(String process) {
    return process.replaceFirst(" .*", "");
  }

  private static Optional<ProcessId> identity(String process) {
    return ProcessId.parse(process.substring(process.indexOf(' ') + 1));
  }
}
