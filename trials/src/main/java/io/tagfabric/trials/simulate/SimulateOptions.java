package io.tagfabric.trials.simulate;

import io.tagfabric.simulation.choice.Site;
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

/** What a simulation lets a person choose. */
final class SimulateOptions {
  private static final Pattern SEEDS = Pattern.compile("(\\d{1,18})(?:\\.\\.(\\d{1,18}))?");
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
  private static final int MOST_WORKERS = 64;

  @Option(
      names = "--seeds",
      paramLabel = "FIRST..LAST",
      description = "Seeds to run (default: 1..2000; of --self-test, at most 1..10000).")
  private String seeds;

  @Option(names = "--seed", paramLabel = "N", description = "Run this seed alone.")
  Long seed;

  @Option(names = "--trace", description = "Print what the run of --seed does.")
  boolean trace;

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

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Threads (default: one for each processor).")
  int workers = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--require-probes",
      description = "Fail if a rare thing that runs should meet has never happened.")
  boolean requireProbes;

  @Option(
      names = "--self-test",
      description = "Instead, put known defects back into the code, one at a time, and find them.")
  boolean selfTest;

  @Option(
      names = "--defects",
      paramLabel = "NAME",
      split = ",",
      hideParamSyntax = true,
      description = "Of the self-test, such as f21 (default: all that are known to be found).")
  List<String> defects = new ArrayList<>();

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  long firstSeed() {
    return seed != null ? seed : Long.parseLong(matched().group(1));
  }

  long lastSeed() {
    String last = seed != null ? null : matched().group(2);
    return last == null ? firstSeed() : Long.parseLong(last);
  }

  private String range() {
    return seeds != null ? seeds : selfTest ? "1..10000" : "1..2000";
  }

  private Matcher matched() {
    Matcher matcher = SEEDS.matcher(range());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("--seeds=" + range() + " is not like 1..20000");
    }
    return matcher;
  }

  /** What is wrong with the options, in one sentence, null if nothing is. */
  String complaint() {
    try {
      if (lastSeed() < firstSeed()) {
        return "--seeds=" + range() + " ends before it begins";
      }
      swarm();
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
    for (String defect : defects) {
      if (Defect.of(defect).isEmpty()) {
        return "--defects="
            + defect
            + " is unknown, choose of "
            + String.join(", ", Defect.labels());
      }
    }
    if (trace && seed == null) {
      return "--trace needs one seed, give --seed N";
    }
    if (workers < 1 || workers > MOST_WORKERS) {
      return "--workers=" + workers + " is not within 1 to " + MOST_WORKERS;
    }
    return null;
  }

  /** What runs are made of. */
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
