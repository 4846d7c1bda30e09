package io.tagfabric.demos;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.job.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Counts words as a shuffle does: each rank makes words, counts its own, and sends each count to
 * the rank that owns the word, all at once. Every word then has one owner with the count of all.
 *
 * <p>Run it: {@code tagfabric run -n 4 shuffle}
 */
@Command(
    name = "shuffle",
    description = "Ranks count words and send each count to the word's owner.")
public final class Shuffle extends HelpOption {
  private static final long SEED = 42;

  @Option(
      names = "--words",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Words that each rank makes (default: ${DEFAULT-VALUE}).")
  private int words;

  @Option(
      names = "--different",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Different words there are (default: ${DEFAULT-VALUE}).")
  private int different;

  private Shuffle() {}

  public static void main(String[] args) {
    Shuffle shuffle = new Shuffle();
    Arguments.parse(
        shuffle,
        args,
        size ->
            shuffle.words < 1 || shuffle.different < 1
                ? "--words and --different must be at least 1"
                : null);
    Job.run(args, shuffle::run);
  }

  private int run(Job job) {
    try (Team team = Team.world(job)) {
      Map<String, Integer> own = count(team.rank());
      List<String> parts = new ArrayList<>(); // one for each rank, of any length
      for (int owner = 0; owner < team.size(); owner++) {
        parts.add(partOf(own, owner, team.size()));
      }
      List<String> got = team.objects().alltoall(parts, String.class).toCompletableFuture().join();
      Map<String, Integer> sums = new TreeMap<>();
      for (String part : got) {
        part.lines().forEach(line -> add(sums, line));
      }
      check(team, sums);
      long[] totals = {sums.size(), sums.values().stream().mapToLong(count -> count).sum()};
      long[] all = team.allreduce(totals, Reduction.SUM).toCompletableFuture().join();
      if (all[1] != (long) words * team.size()) {
        throw new IllegalStateException(all[1] + " words came of " + (long) words * team.size());
      }
      if (team.rank() == 0) {
        System.out.println(all[1] + " words, " + all[0] + " different, each with one owner");
      }
      return 0;
    }
  }

  private Map<String, Integer> count(int rank) {
    SplittableRandom random = new SplittableRandom(SEED + rank);
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < words; i++) {
      counts.merge("word-" + random.nextInt(different), 1, Integer::sum);
    }
    return counts;
  }

  private static int ownerOf(String word, int ranks) {
    return Math.floorMod(word.hashCode(), ranks);
  }

  private static String partOf(Map<String, Integer> counts, int owner, int ranks) {
    StringBuilder part = new StringBuilder();
    counts.forEach(
        (word, count) -> {
          if (ownerOf(word, ranks) == owner) {
            part.append(word).append(' ').append(count).append('\n');
          }
        });
    return part.toString();
  }

  private static void add(Map<String, Integer> sums, String line) {
    int space = line.indexOf(' ');
    sums.merge(line.substring(0, space), Integer.parseInt(line.substring(space + 1)), Integer::sum);
  }

  /** Every rank can make the words of all, and so knows what its own must be. */
  private void check(Team team, Map<String, Integer> sums) {
    Map<String, Integer> expected = new TreeMap<>();
    for (int rank = 0; rank < team.size(); rank++) {
      count(rank)
          .forEach(
              (word, count) -> {
                if (ownerOf(word, team.size()) == team.rank()) {
                  expected.merge(word, count, Integer::sum);
                }
              });
    }
    if (!expected.equals(sums)) {
      throw new IllegalStateException("rank " + team.rank() + " has other counts than it must");
    }
  }
}
