package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.SteadyRate;
import io.tagfabric.bench.measure.StolenTime;
import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Measures many ranks that send: together, and how evenly. */
public final class CrowdBench {
  private static final Duration WARM_UP_ROUND = Duration.ofMillis(500);

  private final CrowdOptions options;
  private final BiFunction<Integer, Duration, double[]> run;
  private final StolenTime stolen = StolenTime.ofMachine();

  /**
   * @param run lets a group send for a time; gives the messages a second of each sender
   */
  CrowdBench(CrowdOptions options, BiFunction<Integer, Duration, double[]> run) {
    this.options = options;
    this.run = run;
  }

  /** Runs the benchmark of a command and returns its exit code. */
  public static int start(CrowdOptions options, CommandLine command) {
    options.betweenRanks();
    if (options.complaint() != null) {
      throw new ParameterException(command, options.complaint());
    }
    command
        .getErr()
        .println(
            "bench: "
                + options.ranks()
                + " JVMs start, each takes some seconds of a core; all end after "
                + options.deadline().toSeconds()
                + " s at the latest");
    return CrowdRank.start(options);
  }

  /** Measures the groups by turns. */
  void measure(PrintWriter out, PrintWriter err) {
    err.println(
        "bench: "
            + options.ranks()
            + " ranks are there, and get warm for "
            + options.warmUp().toSeconds()
            + " s at most");
    int rounds = warmUp();
    err.println("bench: measuring, after " + rounds + " rounds");
    List<CrowdFigures> figures =
        Stream.generate(CrowdFigures::new).limit(options.groups().size()).toList();
    for (int i = 0; i < options.runs(); i++) {
      for (int group = 0; group < figures.size(); group++) {
        stolen.percentSinceLast(); // what was before does not count
        double[] rates = run.apply(options.groups().get(group), Duration.ofMillis(options.runMs));
        figures.get(group).add(rates, stolen.percentSinceLast());
      }
    }
    print(figures, out);
  }

  /**
   * Groups take turns until none gets better, at least for half of the time. A few ranks alone get
   * warm sooner than all together, whose compilers share the cores with what they compile.
   */
  private int warmUp() {
    long beginNs = System.nanoTime();
    long mostNs = options.warmUp().toNanos();
    List<SteadyRate> steady =
        Stream.generate(SteadyRate::new).limit(options.groups().size()).toList();
    int rounds = 0;
    long spentNs = 0;
    while (spentNs < mostNs
        && (spentNs < mostNs / 2 || !steady.stream().allMatch(SteadyRate::isSteady))) {
      int group = rounds++ % steady.size();
      double[] rates = run.apply(options.groups().get(group), WARM_UP_ROUND);
      steady.get(group).add(CrowdFigures.rate(rates));
      spentNs = System.nanoTime() - beginNs;
    }
    return rounds;
  }

  private void print(List<CrowdFigures> figures, PrintWriter out) {
    String unit = options.crowd().unit();
    Rows rows =
        new Rows(
            out,
            options.json,
            "%8s  %14s  %10s  %10s  %8s  %8s  %8s  %9s  %9s  %8s  %8s  %-8s",
            unit,
            "messages_per_s=messages/s",
            "rate_min=min",
            "rate_max=max",
            "ratio=ratio",
            "ratio_min=min",
            "ratio_max=max",
            "share_min=share_min",
            "share_max=share_max",
            "jain=jain",
            "jain_min=min",
            "provider");
    for (int group = 0; group < figures.size(); group++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put(unit, options.groups().get(group));
      figures.get(group).write(row, figures.get(0));
      row.put("window", options.window);
      row.put("provider", options.provider);
      row.put("wait", EnumNames.of(options.waiting));
      row.put("progress", EnumNames.of(options.progress));
      row.put("runs", options.runs());
      rows.add(row);
    }
  }
}
