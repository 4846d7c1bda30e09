package io.tagfabric.launch;

import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.StartPhase;
import io.tagfabric.launch.output.TextSink;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/** Where ranks of a job run: as children of this process, or of an agent on another host. */
interface RankHost extends AutoCloseable {
  /** The host's name behind a blank and {@code on}, empty for this one. */
  String suffix();

  /**
   * Starts a rank.
   *
   * @param input whether it reads this process' standard input; else its own is empty
   * @throws LaunchException if it cannot be started
   */
  RankHandle start(RankCommand command, boolean input, TextSink out, TextSink err);

  /**
   * Waits until the host has what its ranks need.
   *
   * @throws LaunchException if it will not
   */
  void awaitReady() throws InterruptedException;

  /** Completes with a sentence when the ranks here cannot go on. */
  CompletionStage<String> failure();

  /** Tells the ranks of this host that a rank, here or elsewhere, has ended. */
  void noteEnded(int rank, int code);

  /** Whether a rank of this host has met all others. */
  boolean isFormed();

  /** The code the ranks have agreed to end the job with, as far as this host knows. */
  OptionalInt endingCode();

  /** How far the start of ranks here has come; those missing have not said anything. */
  Map<Integer, StartPhase> phases();

  /** Ends what is left and removes the job's files. Idempotent. */
  @Override
  void close();

  /** Closes hosts side by side: each may need seconds. */
  static void closeAll(List<? extends RankHost> hosts) {
    if (hosts.size() == 1) {
      hosts.get(0).close();
      return;
    }
    List<Thread> closers = hosts.stream().map(host -> new Thread(host::close)).toList();
    closers.forEach(Thread::start);
    for (Thread closer : closers) {
      try {
        closer.join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
