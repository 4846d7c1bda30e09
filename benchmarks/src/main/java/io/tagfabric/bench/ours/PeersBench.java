package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.Subject;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.report.Rows;
import io.tagfabric.report.WarmUp;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Measures messages of one peer beside others that say nothing. */
public final class PeersBench {
  private static final int BYTES = 8;
  private static final int WINDOW = 64;
  private static final int LEAST_COUNT = WINDOW;
  private static final int MOST_COUNT = 1 << 25;
  private static final long ROUND_NS = 20_000_000L;
  private static final long WARM_UP_MIN_NS = 1_000_000_000L;
  private static final long WARM_UP_MAX_NS = 6_000_000_000L;

  private final PeersOptions options;
  private final RankPair pair;
  private final Rows rows;
  private final Map<TransferKind, Integer> counts = new LinkedHashMap<>();
  private double firstHalfNs;
  private double firstMessageNs;
  private MemoryUse firstHeld;

  PeersBench(PeersOptions options, RankPair pair, PrintWriter out) {
    this.options = options;
    this.pair = pair;
    rows =
        new Rows(
            out,
            options.json,
            "%8s  %10s  %8s  %8s  %8s  %12s  %8s  %8s  %8s  %9s  %-8s",
            "peers",
            "half_ns=half_rtt_ns",
            "half_min=min",
            "half_max=max",
            "half_ratio=ratio",
            "message_ns=ns_a_message",
            "message_min=min",
            "message_max=max",
            "message_ratio=ratio",
            "held_kb",
            "provider");
  }

  /** Runs the benchmark of a command and returns its exit code. */
  public static int start(PeersOptions options, CommandLine command) {
    options.betweenRanks();
    if (options.complaint() != null) {
      throw new ParameterException(command, options.complaint());
    }
    return RankJob.start(PeersRank.class, options);
  }

  /** Measures beside so many silent peers, which are there. */
  void measure(int peers) {
    Subject latency = pair.ours(TransferKind.LATENCY, 1);
    Subject rate = pair.ours(TransferKind.RATE, WINDOW);
    double[] half = new double[options.runs()];
    double[] message = new double[options.runs()];
    int latencyCount = counts.computeIfAbsent(TransferKind.LATENCY, kind -> count(latency));
    int rateCount = counts.computeIfAbsent(TransferKind.RATE, kind -> count(rate));
    for (int i = 0; i < half.length; i++) {
      half[i] = run(latency, latencyCount) / 2;
      message[i] = run(rate, rateCount);
    }
    add(peers, half, message);
  }

  private void add(int peers, double[] half, double[] message) {
    Arrays.sort(half);
    Arrays.sort(message);
    double halfNs = half[half.length / 2];
    double messageNs = message[message.length / 2];
    if (firstHalfNs == 0) {
      firstHalfNs = halfNs;
      firstMessageNs = messageNs;
      firstHeld = MemoryUse.now();
    }
    MemoryUse held = MemoryUse.now().since(firstHeld);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("peers", peers);
    row.put("half_ns", halfNs);
    row.put("half_min", half[0]);
    row.put("half_max", half[half.length - 1]);
    row.put("half_ratio", halfNs / firstHalfNs);
    row.put("message_ns", messageNs);
    row.put("message_min", message[0]);
    row.put("message_max", message[message.length - 1]);
    row.put("message_ratio", messageNs / firstMessageNs);
    row.put("held_kb", (held.heap() + held.direct() + held.shared()) / 1e3);
    row.put("each", options.domains ? "domain" : "endpoint");
    row.put("provider", options.provider);
    row.put("progress", EnumNames.of(options.progress));
    row.put("runs", options.runs());
    rows.add(row);
  }

  /** The median time of a round trip, or the mean of a message, in nanoseconds. */
  private static double run(Subject subject, int count) {
    Histogram spansNs = new Histogram(3);
    double eachNs = (double) subject.run(BYTES, count, spansNs) / count;
    boolean isRate = spansNs.getTotalCount() < count;
    return isRate ? eachNs : spansNs.getValueAtPercentile(50);
  }

  /** Warms up until it gets no faster; as many as fill a run, in whole windows. */
  private int count(Subject subject) {
    long wantedNs = TimeUnit.MILLISECONDS.toNanos(options.runMs);
    WarmUp warmUp = new WarmUp(WARM_UP_MIN_NS, WARM_UP_MAX_NS);
    int count = LEAST_COUNT;
    do {
      long spentNs = subject.run(BYTES, count, new Histogram(3));
      if (spentNs < ROUND_NS && count < MOST_COUNT) {
        count *= 2;
      }
      warmUp.add(spentNs);
    } while (!warmUp.isTooLong() && !warmUp.isOver());
    double eachNs = Math.max(1.0, (double) subject.run(BYTES, count, new Histogram(3)) / count);
    int windows = (int) (Math.min(MOST_COUNT, wantedNs / eachNs) / WINDOW);
    return Math.max(1, windows) * WINDOW;
  }
}
