package io.tagfabric.simulation.job;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.choice.Sites;
import io.tagfabric.simulation.network.SimulatedNetwork;
import io.tagfabric.simulation.world.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What goes wrong in a simulated job, as a person writes it: {@code
 * drop=1%,crash=1@20ms,partition=0+1@1s}. A time that is left out is the seed's.
 *
 * @param perMille of packets, by site
 * @param crashes the ranks that are killed
 * @param partition the ranks that are cut off from all others
 */
public record JobFaults(
    Map<Site, Integer> perMille, List<Crash> crashes, Optional<Partition> partition) {
  /** A rank is killed at a time, or when the seed says. */
  public record Crash(int rank, Optional<Duration> at) {}

  /** Ranks are cut off, for good; which and when the seed says where that is left out. */
  public record Partition(Set<Integer> ranks, Optional<Duration> at) {
    public Partition {
      ranks = new TreeSet<>(ranks);
    }
  }

  private static final Map<String, Site> SITES =
      Map.of(
          "drop", Site.DROP,
          "duplicate", Site.DUPLICATE,
          "reorder", Site.DELAY,
          "refuse", Site.REFUSE);

  /** In the first seconds a job meets and works. */
  private static final int LATEST_MS = 3_000;

  public JobFaults {
    perMille = new LinkedHashMap<>(perMille);
    crashes = List.copyOf(crashes);
  }

  /** Nothing goes wrong. */
  public static JobFaults none() {
    return new JobFaults(Map.of(), List.of(), Optional.empty());
  }

  /**
   * Reads the text of an option.
   *
   * @param size number of ranks
   * @throws IllegalArgumentException with a sentence that says what is wrong
   */
  public static JobFaults parse(String text, int size) {
    Map<Site, Integer> perMille = new LinkedHashMap<>();
    List<Crash> crashes = new ArrayList<>();
    Optional<Partition> partition = Optional.empty();
    for (String word : text.split(",", -1)) {
      String name = word.replaceFirst("=.*", "").strip();
      String value = word.contains("=") ? word.substring(word.indexOf('=') + 1).strip() : "";
      if (SITES.containsKey(name)) {
        perMille.put(SITES.get(name), perMille(name, value));
      } else if (name.equals("crash")) {
        crashes.add(new Crash(rank(placeOf(value), size), timeOf(value)));
      } else if (name.equals("partition")) {
        Set<Integer> ranks = new TreeSet<>();
        for (String each : placeOf(value).split("\\+", -1)) {
          if (!each.isEmpty()) {
            ranks.add(rank(each, size));
          }
        }
        partition = Optional.of(new Partition(ranks, timeOf(value)));
      } else {
        throw new IllegalArgumentException(
            "'"
                + word
                + "' is no fault, write drop=1%, duplicate=1%, reorder=1%, refuse=1%,"
                + " crash=RANK[@TIME] or partition[=RANK+RANK][@TIME]");
      }
    }
    return new JobFaults(perMille, crashes, partition);
  }

  private static int perMille(String name, String value) {
    try {
      double percent = Double.parseDouble(value.replaceFirst("%$", ""));
      if (value.endsWith("%") && percent >= 0 && percent <= 100) {
        return (int) Math.round(10 * percent);
      }
    } catch (NumberFormatException noNumber) {
      // refused below
    }
    throw new IllegalArgumentException(
        name + "=" + value + " is no share, write for example " + name + "=1%");
  }

  private static String placeOf(String value) {
    return value.replaceFirst("@.*", "");
  }

  private static Optional<Duration> timeOf(String value) {
    int at = value.indexOf('@');
    return at < 0 ? Optional.empty() : Optional.of(ConfigDurations.parse(value.substring(at + 1)));
  }

  private static int rank(String text, int size) {
    try {
      int rank = Integer.parseInt(text);
      if (rank >= 0 && rank < size) {
        return rank;
      }
    } catch (NumberFormatException noNumber) {
      // refused below
    }
    throw new IllegalArgumentException("'" + text + "' is no rank, 0.." + (size - 1));
  }

  void arm(Sites sites) {
    perMille.forEach(sites::arm);
  }

  /** Plans what is to happen; returns the ranks that it ends. */
  Set<Integer> plan(
      Scheduler scheduler, SimulatedNetwork network, List<SimulatedRank> ranks, Choices choices) {
    Set<Integer> ended = new TreeSet<>();
    for (Crash crash : crashes) {
      ended.add(crash.rank());
      scheduler.after(
          nanos(crash.at(), choices), () -> ranks.get(crash.rank()).kill(ExitCode.KILLED));
    }
    if (partition.isPresent()) {
      Set<Integer> named = partition.get().ranks();
      Set<Integer> side = named.isEmpty() ? Set.of(choices.below(ranks.size())) : named;
      ended.addAll(smaller(side, ranks.size()));
      scheduler.after(nanos(partition.get().at(), choices), () -> cut(network, ranks.size(), side));
    }
    return ended;
  }

  /** The side that ends itself: the one with fewer ranks, of two equal ones that without rank 0. */
  private static Set<Integer> smaller(Set<Integer> side, int size) {
    boolean stays = 2 * side.size() > size || (2 * side.size() == size && side.contains(0));
    Set<Integer> others = new TreeSet<>(IntStream.range(0, size).boxed().toList());
    others.removeAll(side);
    return stays ? others : side;
  }

  private static long nanos(Optional<Duration> at, Choices choices) {
    return at.orElseGet(() -> Duration.ofMillis(choices.between(1, LATEST_MS))).toNanos();
  }

  private static void cut(SimulatedNetwork network, int size, Set<Integer> side) {
    for (int from = 0; from < size; from++) {
      for (int to = 0; to < size; to++) {
        if (side.contains(from) != side.contains(to)) {
          network.link(from, to).cut();
        }
      }
    }
  }
}
