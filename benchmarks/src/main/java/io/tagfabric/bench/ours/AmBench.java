package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.Spending;
import io.tagfabric.report.Rows;
import io.tagfabric.report.WarmUp;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Measures active messages between two ranks, beside tagged messages of the same runs. */
public final class AmBench {
  private static final int LEAST_COUNT = 10;
  private static final int MOST_COUNT = 1 << 25;
  private static final int WARM_UP_COUNT = 100_000;
  private static final int WARM_UP_TURNS = 5;
  private static final int FIRST_WARM_UP_TURNS = 15;
  private static final long ROUND_NS = 20_000_000L;
  private static final long WARM_UP_MIN_NS = 1_000_000_000L;
  private static final long WARM_UP_MAX_NS = 6_000_000_000L;

  private final AmOptions options;
  private final AmSide side;
  private final PrintWriter out;

  AmBench(AmOptions options, AmSide side, PrintWriter out) {
    this.options = options;
    this.side = side;
    this.out = out;
  }

  /** Runs the benchmark of a command and returns its exit code. */
  public static int start(AmOptions options, CommandLine command) {
    if (options.complaint() != null) {
      throw new ParameterException(command, options.complaint());
    }
    return RankJob.start(AmRank.class, options);
  }

  /** Runs of tagged messages and of short requests take turns, so that both meet the same load. */
  void measure() {
    Rows rows =
        new Rows(
            out,
            options.json,
            "%-14s  %8s  %10s  %10s  %10s  %8s  %-8s",
            "op",
            "bytes",
            "usec=usec",
            "usec_min=min",
            "usec_max=max",
            "ratio=ratio",
            "provider");
    double[] tagged = new double[options.runs()];
    double[] shorts = new double[options.runs()];
    int taggedCount = count(side::tagged);
    int shortCount = count(side::shorts);
    // Each warm-up leaves code that expects one of the two; what both run is compiled anew.
    for (int i = 0; i < FIRST_WARM_UP_TURNS; i++) {
      side.tagged(taggedCount);
      side.shorts(shortCount);
    }
    Spending onTagged = new Spending();
    Spending onShorts = new Spending();
    for (int i = 0; i < tagged.length; i++) {
      tagged[i] = usec(side::tagged, taggedCount, onTagged);
      shorts[i] = usec(side::shorts, shortCount, onShorts);
    }
    double base = add(rows, "tagged", Long.BYTES, tagged, 0, onTagged);
    add(rows, "request-reply", Long.BYTES, shorts, base, onShorts);
    for (int bytes : options.sizes) {
      byte[] source = new byte[bytes];
      measure(
          rows,
          bytes,
          base,
          List.of("medium", "medium-claim", "medium-buffer"),
          List.of(
              count -> side.mediums(source, count),
              count -> side.claims(source, count),
              count -> side.buffers(source, count)));
    }
  }

  /** A run; microseconds of one. */
  private static double usec(IntToLongFunction run, int count, Spending spending) {
    spending.begin();
    long spentNs = run.applyAsLong(count);
    spending.end(count);
    return spentNs / 1e3 / count;
  }

  /** Ways of the same size take turns too. */
  private void measure(
      Rows rows, int bytes, double base, List<String> ops, List<IntToLongFunction> ways) {
    int[] counts = ways.stream().mapToInt(this::count).toArray();
    for (int i = 0; i < WARM_UP_TURNS * counts.length; i++) {
      long unused = ways.get(i % counts.length).applyAsLong(counts[i % counts.length]);
    }
    double[][] usec = new double[ways.size()][options.runs()];
    List<Spending> spent = ways.stream().map(way -> new Spending()).toList();
    for (int i = 0; i < options.runs(); i++) {
      for (int way = 0; way < counts.length; way++) {
        usec[way][i] = usec(ways.get(way), counts[way], spent.get(way));
      }
    }
    for (int way = 0; way < counts.length; way++) {
      add(rows, ops.get(way), bytes, usec[way], base, spent.get(way));
    }
  }

  /** Warms up until it gets no faster; as many as fill a run. */
  private int count(IntToLongFunction run) {
    long wantedNs = TimeUnit.MILLISECONDS.toNanos(options.runMs);
    WarmUp warmUp = new WarmUp(WARM_UP_MIN_NS, WARM_UP_MAX_NS);
    int count = LEAST_COUNT;
    long done = 0;
    do {
      long spentNs = run.applyAsLong(count);
      done += count;
      if (spentNs < ROUND_NS && count < MOST_COUNT) {
        count *= 2;
      }
      warmUp.add(spentNs);
    } while (!warmUp.isTooLong() && (!warmUp.isOver() || done < WARM_UP_COUNT));
    double eachNs = Math.max(1.0, (double) run.applyAsLong(count) / count);
    return (int) Math.max(LEAST_COUNT, Math.min(MOST_COUNT, wantedNs / eachNs));
  }

  private double add(
      Rows rows, String op, int bytes, double[] usec, double base, Spending spending) {
    Arrays.sort(usec);
    double middle = usec[usec.length / 2];
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("op", op);
    row.put("bytes", bytes);
    row.put("usec", middle);
    row.put("usec_min", usec[0]);
    row.put("usec_max", usec[usec.length - 1]);
    row.put("ratio", base == 0 ? 1 : middle / base);
    row.putAll(spending.perMessage());
    row.put("provider", side.provider());
    row.put("progress", EnumNames.of(options.progress));
    row.put("runs", options.runs());
    rows.add(row);
    return middle;
  }
}
