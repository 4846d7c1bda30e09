package io.tagfabric.trials.simulate;

import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.job.JobFaults;
import io.tagfabric.simulation.swarm.SwarmOptions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** What one run of a seed is made of, beside the seed. */
public final class RunOptions {
  private static final Pattern SHARE = Pattern.compile("(\\d+(?:\\.\\d+)?)%?");
  private static final Pattern EVENT = Pattern.compile("(\\d+(?:\\+\\d+)*)?(?:@(\\d+)(us|ms|s))?");
  private static final Map<String, Site> SHARES =
      Map.of(
          "drop", Site.DROP,
          "duplicate", Site.DUPLICATE,
          "reorder", Site.DELAY,
          "delay", Site.DELAY,
          "refuse", Site.REFUSE,
          "pause", Site.PAUSE,
          "hold", Site.HOLD,
          "close", Site.CLOSE,
          "cancel", Site.CANCEL);
  private static final int MOST_RANKS = 16;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      defaultValue = "3",
      description = "Ranks of a run (default: ${DEFAULT-VALUE}).")
  int ranks;

  @Option(
      names = "--operations",
      paramLabel = "N",
      defaultValue = "200",
      description = "Operations of each rank (default: ${DEFAULT-VALUE}).")
  int operations;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "both",
      description =
          "Who is next: uniform, pct (priorities that change now and then), or both, which the"
              + " seed chooses from (default: ${DEFAULT-VALUE}).")
  String policy;

  @Option(
      names = "--faults",
      paramLabel = "FAULT",
      split = ",",
      hideParamSyntax = true,
      description =
          "Fix faults that the seed would draw: drop=1%%, duplicate=, reorder=, refuse=, pause=,"
              + " hold=, close=, cancel= as shares, crash=RANK[@TIME], partition[=RANK+RANK@TIME]"
              + " with a virtual time such as 3ms.")
  List<String> faults = new ArrayList<>();

  /** How many ranks a run has. */
  public int ranks() {
    return ranks;
  }

  /**
   * What happens to the ranks of a program.
   *
   * @throws IllegalArgumentException if a fault is none
   */
  JobFaults jobFaults() {
    return faults.isEmpty() ? JobFaults.none() : JobFaults.parse(String.join(",", faults), ranks);
  }

  /**
   * What runs of random programs are made of.
   *
   * @throws IllegalArgumentException if there are no such runs
   */
  SwarmOptions swarm() {
    if (ranks < 1 || ranks > MOST_RANKS) {
      throw new IllegalArgumentException("--ranks=" + ranks + " is not within 1 to " + MOST_RANKS);
    }
    Map<Site, Integer> forced = new EnumMap<>(Site.class);
    List<SwarmOptions.Event> events = new ArrayList<>();
    for (String fault : faults) {
      add(fault, forced, events);
    }
    return new SwarmOptions(ranks, operations, scheduling(), forced, events);
  }

  private SwarmOptions.Scheduling scheduling() {
    try {
      return SwarmOptions.Scheduling.valueOf(policy.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--policy=" + policy + " is unknown, choose of uniform, pct, both", e);
    }
  }

  private void add(String fault, Map<Site, Integer> forced, List<SwarmOptions.Event> events) {
    int equals = fault.indexOf('=');
    String name = equals < 0 ? fault : fault.substring(0, equals);
    String value = equals < 0 ? "" : fault.substring(equals + 1);
    if (SHARES.containsKey(name)) {
      forced.put(SHARES.get(name), perMille(fault, value));
    } else if (name.equals("crash") || name.equals("partition")) {
      events.add(event(fault, name.equals("crash") ? Site.CRASH : Site.PARTITION, value));
    } else {
      throw new IllegalArgumentException(
          "--faults="
              + fault
              + " is unknown, choose of drop, duplicate, reorder, refuse, pause, hold, close,"
              + " cancel, crash, partition");
    }
  }

  private static int perMille(String fault, String value) {
    Matcher share = SHARE.matcher(value);
    double percent = share.matches() ? Double.parseDouble(share.group(1)) : -1;
    if (percent < 0 || percent > 100) {
      throw new IllegalArgumentException("--faults=" + fault + " is no share from 0% to 100%");
    }
    return (int) Math.round(10 * percent);
  }

  private SwarmOptions.Event event(String fault, Site site, String value) {
    Matcher event = EVENT.matcher(value);
    if (!event.matches() || (site == Site.CRASH && event.group(1) == null)) {
      throw new IllegalArgumentException(
          "--faults=" + fault + " is not like crash=1@3ms or partition=0+1@3ms");
    }
    List<Integer> hit = new ArrayList<>();
    for (String rank : (event.group(1) == null ? "0" : event.group(1)).split("\\+", -1)) {
      int number = Integer.parseInt(rank);
      if (number >= ranks) {
        throw new IllegalArgumentException(
            "--faults=" + fault + " names rank " + number + " of --ranks=" + ranks);
      }
      hit.add(number);
    }
    return new SwarmOptions.Event(site, hit, event.group(2) == null ? -1 : nanos(event));
  }

  private static long nanos(Matcher event) {
    TimeUnit unit =
        switch (event.group(3)) {
          case "us" -> TimeUnit.MICROSECONDS;
          case "ms" -> TimeUnit.MILLISECONDS;
          default -> TimeUnit.SECONDS;
        };
    return unit.toNanos(Long.parseLong(event.group(2)));
  }
}
