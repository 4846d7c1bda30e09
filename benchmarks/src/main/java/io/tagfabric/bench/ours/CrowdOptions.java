package io.tagfabric.bench.ours;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** What the benchmarks of many ranks let a person choose. */
public abstract class CrowdOptions extends BenchOptions {
  static final int MOST_RANKS = 64;
  private static final int MOST_WINDOW = 1024;

  /** Of an endpoint, as the settings have it by default. */
  private static final int MOST_RECEIVES = 4096;

  private static final Duration MOST_TIME = Duration.ofHours(1);
  private static final Duration STARTING = Duration.ofSeconds(60);
  private static final Duration STARTING_A_RANK = Duration.ofSeconds(10);
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  /** What a rank's compilers take of the cores, which are two on a small host. */
  private static final Duration WARM_UP_A_RANK = Duration.ofSeconds(8);

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "64",
      description = "Messages of a sender that are not acknowledged (default: ${DEFAULT-VALUE}).")
  int window;

  @Option(
      names = "--wait",
      paramLabel = "HOW",
      defaultValue = "blocking",
      converter = EnumNames.OfWaiting.class,
      description =
          "blocking: waits are the library's, which give cores away; polling: threads read for a"
              + " millisecond and yield now and then (default: blocking).")
  FabricEnd.Waiting waiting;

  @Option(
      names = "--run-ms",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Milliseconds of a run (default: ${DEFAULT-VALUE}).")
  int runMs;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      converter = WakeOptions.GapConverter.class,
      description =
          "How long ranks may take to get warm; less if they stop to get faster (default: ten"
              + " seconds and eight a rank).")
  private Duration warmUp;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = WakeOptions.GapConverter.class,
      description =
          "End all ranks after this time, such as 300s (default: a minute, ten seconds a rank, and"
              + " twice what warm-up and runs may take).")
  Duration timeout;

  private final Crowd crowd;

  CrowdOptions(Crowd crowd) {
    this.crowd = crowd;
  }

  /** Who sends to whom. */
  final Crowd crowd() {
    return crowd;
  }

  /** Groups of ranks that are measured, in order. */
  abstract List<Integer> groups();

  /** What a person calls the groups. */
  abstract String groupsOption();

  /** The largest of them. */
  final int largest() {
    return Collections.max(groups());
  }

  /** Ranks that are started. */
  final int ranks() {
    return crowd.ranks(largest());
  }

  /** Ranks are processes. */
  final void betweenRanks() {
    if (isLocal()) {
      provider = Providers.SHM;
    }
  }

  /** How long ranks may take to get warm. */
  final Duration warmUp() {
    return warmUp != null ? warmUp : WARM_UP.plus(WARM_UP_A_RANK.multipliedBy(ranks()));
  }

  /** When ranks that hang are ended. */
  final Duration deadline() {
    if (timeout != null) {
      return timeout;
    }
    Duration measuring =
        Duration.ofMillis((long) runMs * runs() * groups().size()).plus(warmUp()).multipliedBy(2);
    return STARTING.plus(STARTING_A_RANK.multipliedBy(ranks())).plus(measuring);
  }

  @Override
  public String complaint() {
    int most = MOST_RANKS - crowd.ranks(0);
    if (groups().isEmpty()) {
      return groupsOption() + " is empty, give a list such as " + crowd.step();
    }
    for (int group : groups()) {
      if (group < crowd.step() || group > most) {
        return groupsOption() + "=" + group + " is not within " + crowd.step() + " to " + most;
      }
      if (group % crowd.step() != 0) {
        return groupsOption() + "=" + group + " is odd, pairs need an even number";
      }
    }
    if (window < 2 || window > MOST_WINDOW) {
      return "--window=" + window + " is not within 2 to " + MOST_WINDOW;
    }
    int room = crowd.sourcesOf(0, largest()).length * (window + 1);
    if (room > MOST_RECEIVES) {
      return "--window="
          + window
          + " needs "
          + room
          + " posted receives > "
          + MOST_RECEIVES
          + " for "
          + largest()
          + " senders, give less";
    }
    if (runMs < 1 || runMs > 60_000) {
      return "--run-ms=" + runMs + " is not within 1 to 60000";
    }
    if (warmUp().compareTo(MOST_TIME) > 0) {
      return "--warm-up=" + warmUp().toSeconds() + "s is longer than an hour";
    }
    if (timeout != null && (timeout.isZero() || timeout.compareTo(MOST_TIME) > 0)) {
      return "--timeout=" + timeout.toSeconds() + "s is not within 1us to 3600s";
    }
    return super.complaint();
  }

  @Override
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    arguments.add(
        groupsOption()
            + "="
            + groups().stream().map(String::valueOf).collect(Collectors.joining(",")));
    arguments.add("--window=" + window);
    arguments.add("--wait=" + EnumNames.of(waiting));
    arguments.add("--run-ms=" + runMs);
    arguments.add("--warm-up=" + warmUp().toMillis() + "ms");
    return arguments;
  }
}
