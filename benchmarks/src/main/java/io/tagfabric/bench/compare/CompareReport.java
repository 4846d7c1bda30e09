package io.tagfabric.bench.compare;

import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.report.Comparison;
import io.tagfabric.report.Rows;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints results, as a table or as JSON. */
final class CompareReport {
  private static final int MATCH_BYTES = 8;

  private final Rows rows;

  CompareReport(PrintWriter out, boolean json) {
    rows =
        new Rows(
            out,
            json,
            "%-19s  %8s  %6s  %6s  %-11s  %-12s  %12s  %12s  %-14s  %8s  %8s  %8s  %9s  %9s  %11s  %11s",
            "test",
            "bytes",
            "depth",
            "window",
            "provider=ours",
            "peer",
            "ours",
            "theirs",
            "unit",
            "ratio_median=ratio",
            "ratio_min=min",
            "ratio_max=max",
            "ours_mean_us=ours_mean",
            "ours_p99_us=ours_p99",
            "theirs_mean_us=theirs_mean",
            "theirs_p99_us=theirs_p99");
  }

  void add(List<Result> results) {
    results.forEach(result -> rows.add(row(result)));
  }

  private static Map<String, Object> row(Result result) {
    boolean matching = result.cell().metric().isMatching();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("test", result.cell().metric().toString());
    row.put("bytes", matching ? MATCH_BYTES : result.cell().size());
    if (matching) {
      row.put("depth", result.cell().size());
    }
    if (result.cell().metric().kind().filter(TransferKind::isStream).isPresent()) {
      row.put("window", result.cell().window());
    }
    if (result.cell().metric() == Metric.WAKE) {
      row.put("gap_us", result.cell().window());
    }
    row.put("provider", result.ours().name());
    row.put("peer", result.peer().name());
    row.put("unit", result.cell().metric().unit());
    putValues(row, "ours", result);
    putTail(row, "ours_mean_us", result.tails().ourMean());
    putTail(row, "ours_p99_us", result.tails().ourP99());
    putTail(row, "theirs_mean_us", result.tails().theirMean());
    putTail(row, "theirs_p99_us", result.tails().theirP99());
    putDistance(row, "ours_core_to_core_ns", result.distances().ours());
    putDistance(row, "theirs_core_to_core_ns", result.distances().theirs());
    row.put("runs", result.runs());
    result.stolenPct().ifPresent(pct -> row.put("stolen_pct", pct));
    return row;
  }

  private static void putDistance(
      Map<String, Object> row, String name, CoreToCore.Spread distance) {
    if (distance.isKnown()) {
      row.put(name, distance.median());
    }
  }

  private static void putTail(Map<String, Object> row, String name, double valueUs) {
    if (valueUs > 0) {
      row.put(name, valueUs);
    }
  }

  /** Puts both values and their ratios, or why there are none. */
  static void putValues(Map<String, Object> row, String ours, Result result) {
    putValue(row, ours, result.ourValue());
    putValue(row, "theirs", result.theirValue());
    if (result.comparison().isPresent()) {
      Comparison comparison = result.comparison().get();
      row.put("ratio_min", comparison.ratioMin());
      row.put("ratio_median", comparison.ratioMedian());
      row.put("ratio_max", comparison.ratioMax());
    } else {
      row.put("left_out", result.leftOutBecause());
    }
  }

  /** A value that there is not has no field. */
  private static void putValue(Map<String, Object> row, String name, double value) {
    if (!Double.isNaN(value)) {
      row.put(name, value);
    }
  }
}
