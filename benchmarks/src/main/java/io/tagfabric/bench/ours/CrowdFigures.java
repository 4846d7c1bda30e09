package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.Fairness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** What runs of a group have brought. */
final class CrowdFigures {
  private final List<double[]> runs = new ArrayList<>();
  private double stolenPct = -1;

  /**
   * Takes note of a run.
   *
   * @param rates messages a second of each sender
   * @param stolen what the host took meanwhile
   */
  void add(double[] rates, OptionalDouble stolen) {
    runs.add(rates.clone());
    stolenPct = Math.max(stolenPct, stolen.orElse(-1));
  }

  /** Messages a second of all senders. */
  static double rate(double[] rates) {
    return Arrays.stream(rates).sum();
  }

  /** Writes them into a row, beside runs of the first group that took turns with them. */
  void write(Map<String, Object> row, CrowdFigures first) {
    double[] rates = runs.stream().mapToDouble(CrowdFigures::rate).sorted().toArray();
    double[] ratios = new double[rates.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = rate(runs.get(i)) / rate(first.runs.get(i));
    }
    Arrays.sort(ratios);
    double[] jain = runs.stream().mapToDouble(Fairness::jain).sorted().toArray();
    row.put("messages_per_s", middle(rates));
    row.put("rate_min", rates[0]);
    row.put("rate_max", rates[rates.length - 1]);
    row.put("ratio", middle(ratios));
    row.put("ratio_min", ratios[0]);
    row.put("ratio_max", ratios[ratios.length - 1]);
    double[] shown = middleRun();
    row.put("share_min", Arrays.stream(shown).min().orElseThrow() / rate(shown));
    row.put("share_max", Arrays.stream(shown).max().orElseThrow() / rate(shown));
    row.put("jain", middle(jain));
    row.put("jain_min", jain[0]);
    if (stolenPct >= 0) {
      row.put("stolen_pct", stolenPct);
    }
  }

  private double[] middleRun() {
    List<double[]> sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparingDouble(CrowdFigures::rate));
    return sorted.get(sorted.size() / 2);
  }

  private static double middle(double[] sorted) {
    return sorted[sorted.length / 2];
  }
}
