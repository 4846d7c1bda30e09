package io.tagfabric.bench.progress;

import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What it costs to be seen. Each round measures all rows, each time in another order, so that what
 * the machine does besides falls on all of them; the ratios are of one round each.
 */
final class ObservedTable {
  private final PrintWriter out;
  private final boolean json;
  private final Map<Observed, List<ObservedTrial.Cost>> costs = new EnumMap<>(Observed.class);

  ObservedTable(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
    for (Observed each : Observed.values()) {
      costs.put(each, new ArrayList<>());
    }
  }

  /** Measures and prints. */
  void measure(int rounds) {
    Observed[] all = Observed.values();
    new ObservedTrial(Observed.TWO_PAGES, TrialTimes.QUICK).measure(); // until all is compiled
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < all.length; i++) {
        Observed next = all[(round + i) % all.length];
        costs.get(next).add(new ObservedTrial(next, TrialTimes.QUICK).measure());
      }
    }
    print(rounds);
  }

  private void print(int rounds) {
    if (!json) {
      out.println("cores " + Runtime.getRuntime().availableProcessors() + ", rounds " + rounds);
      out.println(
          "           ------- half round trip --------  ---------- flood -----------------");
    }
    Rows rows =
        new Rows(
            out,
            json,
            "%-10s %8.2f %7.2f %7.2f %7.2f  %12.0f %7.2f %7.2f %7.2f",
            "observed",
            "p50_us=p50 us",
            "latency_ratio_min=min",
            "latency_ratio_median=median",
            "latency_ratio_max=max",
            "messages_per_s=messages/s",
            "rate_ratio_min=min",
            "rate_ratio_median=median",
            "rate_ratio_max=max");
    for (Observed each : Observed.values()) {
      rows.add(row(each.label(), each, Observed.OFF, rounds));
    }
    rows.add(row("2nd page", Observed.TWO_PAGES, Observed.ONE_PAGE, rounds));
  }

  private Map<String, Object> row(String label, Observed of, Observed to, int rounds) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("observed", label);
    row.put("compared_with", to.label());
    row.put("rounds", rounds);
    row.put("p50_us", median(values(of, ObservedTrial.Cost::p50Us)));
    ratios(row, "latency", of, to, ObservedTrial.Cost::p50Us);
    row.put("messages_per_s", median(values(of, ObservedTrial.Cost::messagesPerSecond)));
    ratios(row, "rate", of, to, ObservedTrial.Cost::messagesPerSecond);
    return row;
  }

  private List<Double> values(Observed of, ToDoubleFunction<ObservedTrial.Cost> what) {
    return costs.get(of).stream().map(what::applyAsDouble).toList();
  }

  private void ratios(
      Map<String, Object> row,
      String name,
      Observed of,
      Observed to,
      ToDoubleFunction<ObservedTrial.Cost> what) {
    List<Double> ratios = ratios(values(of, what), values(to, what));
    row.put(name + "_ratio_min", ratios.get(0));
    row.put(name + "_ratio_median", median(ratios));
    row.put(name + "_ratio_max", ratios.get(ratios.size() - 1));
  }

  /** Those of each round, in order of size. */
  static List<Double> ratios(List<Double> values, List<Double> of) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      ratios.add(values.get(i) / of.get(i));
    }
    return ratios.stream().sorted().toList();
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
