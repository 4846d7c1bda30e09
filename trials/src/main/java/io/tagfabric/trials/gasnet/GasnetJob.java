package io.tagfabric.trials.gasnet;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.job.JobSettings;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.launch.JobLauncher;
import io.tagfabric.launch.LaunchOptions;
import io.tagfabric.launch.LocalJob;
import io.tagfabric.launch.output.LineStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** One case in a job of its own, so that no case finds what another has left. Thread: one. */
final class GasnetJob {
  private static final Duration START = Duration.ofSeconds(60);
  private static final int WAITS = 4;
  private static final Pattern LINE =
      Pattern.compile(
          "\\[(\\d+)\\] (" + GasnetRank.PASSES + "|" + GasnetRank.FAILS.strip() + ")(.*)");
  private static final int LAST_LINES = 3;

  private final GasnetCase which;
  private final int ranks;
  private final Duration limit;
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());
  private int code;

  /**
   * Prepares it.
   *
   * @param limit of a wait of a rank
   */
  GasnetJob(GasnetCase which, int ranks, Duration limit) {
    this.which = which;
    this.ranks = ranks;
    this.limit = limit;
  }

  /** What went wrong; empty if nothing did. */
  String run() {
    LineStream out = new LineStream(said::add);
    Settings settings = Settings.of(ConfigFactory.load());
    LocalJob job =
        new LocalJob(
            ranks,
            GasnetRank.class.getName(),
            List.of(which.name(), Long.toString(limit.toSeconds())),
            settings.get(JobSettings.PROFILE),
            List.of(),
            Optional.of(START.plus(limit.multipliedBy(WAITS))),
            false,
            LaunchOptions.defaults());
    try {
      code = new JobLauncher(settings, System.getenv(), out, out).run(job);
    } catch (LaunchException failure) {
      code = ExitCode.FAILED;
      said.add(failure.getMessage());
    }
    out.endLine();
    return verdict(code, ranks, List.of(said.toArray(String[]::new)));
  }

  /** Whether a person or the system has ended it. */
  boolean isInterrupted() {
    return code == ExitCode.INTERRUPTED || code == ExitCode.TERMINATED;
  }

  /** What is wrong with a job that has ended; empty if nothing is. */
  static String verdict(int code, int ranks, List<String> lines) {
    TreeMap<Integer, String> failures = new TreeMap<>();
    TreeMap<Integer, Boolean> passed = new TreeMap<>();
    for (String line : lines) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        int rank = Integer.parseInt(matcher.group(1));
        if (matcher.group(2).equals(GasnetRank.PASSES)) {
          passed.put(rank, true);
        } else {
          failures.put(rank, "rank " + rank + ":" + matcher.group(3));
        }
      }
    }
    if (!failures.isEmpty()) {
      return String.join("; ", failures.values());
    }
    List<Integer> silent =
        IntStream.range(0, ranks).filter(rank -> !passed.containsKey(rank)).boxed().toList();
    if (silent.isEmpty() && code == ExitCode.OK) {
      return "";
    }
    List<String> last = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    return "code="
        + code
        + (silent.isEmpty() ? "" : ", ranks " + silent + " have not passed")
        + ": "
        + String.join(" / ", last);
  }
}
