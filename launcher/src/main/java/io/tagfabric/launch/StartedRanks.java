package io.tagfabric.launch;

import io.tagfabric.launch.output.RankSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The ranks of a job that have been started, in the order of their numbers. Thread: any. */
final class StartedRanks {
  /** A killed process ends at once, where its host answers. */
  private static final long KILL_S = 5;

  /** A rank, and what a report of it needs. */
  record Started(
      RankHandle handle, RankHost host, RankCommand command, RankSink out, RankSink errors) {
    /** The end of what it printed, its errors if there are any. */
    List<String> lastLines() {
      List<String> lines = errors.lastLines();
      return lines.isEmpty() ? out.lastLines() : lines;
    }
  }

  private final List<Started> ranks = new ArrayList<>();

  synchronized void add(Started rank) {
    ranks.add(rank);
  }

  synchronized Started get(int rank) {
    return ranks.get(rank);
  }

  private synchronized List<Started> all() {
    return List.copyOf(ranks);
  }

  List<RankHandle> living() {
    return all().stream().map(Started::handle).filter(RankHandle::isAlive).toList();
  }

  /** Those that live, as the subject of a sentence in the singular. */
  String names() {
    List<String> numbers = living().stream().map(rank -> Integer.toString(rank.rank())).toList();
    return (numbers.size() == 1 ? "rank " : "each of ranks ") + String.join(", ", numbers);
  }

  /** Whether all have ended and all that they have printed was passed on. */
  boolean areDrained() {
    boolean drained = true;
    for (Started rank : all()) {
      drained &= rank.handle().isDrained(); // each, as its silence counts from the first look on
    }
    return drained;
  }

  void signal(Consumer<RankHandle> signal) {
    living().forEach(signal);
  }

  /** Kills those that live and waits for their end; a sentence for each that does not end. */
  List<String> kill() {
    signal(RankHandle::kill);
    List<String> stubborn = new ArrayList<>();
    for (Started rank : all()) {
      try {
        rank.handle().onExit().toCompletableFuture().get(KILL_S, TimeUnit.SECONDS);
      } catch (TimeoutException | ExecutionException hostDoesNotAnswer) {
        stubborn.add(
            "rank " + rank.handle().rank() + rank.host().suffix() + " does not end by SIGKILL");
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return stubborn;
      }
    }
    return stubborn;
  }
}
