package io.tagfabric.bench.compare;

import io.tagfabric.bench.chart.LogChart;
import io.tagfabric.bench.chart.Series;
import io.tagfabric.bench.compare.Group.Reach;
import io.tagfabric.bench.measure.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws latency and bandwidth of everybody against the size of messages, those of each reach in a
 * picture of their own.
 */
final class Pictures {
  private final List<Result> results;

  Pictures(List<Result> results) {
    this.results = List.copyOf(results);
  }

  /**
   * Writes the pictures for which there are figures.
   *
   * @param prefix of their names
   * @return their names
   */
  List<String> write(Path directory, String prefix) throws IOException {
    List<String> names = new ArrayList<>();
    for (Reach reach : Reach.values()) {
      for (Metric metric : List.of(Metric.LATENCY, Metric.BANDWIDTH)) {
        List<Series> series = series(metric, reach);
        if (!series.isEmpty()) {
          String name = prefix + metric + "-" + reach.word() + ".svg";
          Files.writeString(directory.resolve(name), chart(metric, reach, series).toSvg());
          names.add(name);
        }
      }
    }
    return names;
  }

  private static LogChart chart(Metric metric, Reach reach, List<Series> series) {
    return metric == Metric.LATENCY
        ? new LogChart("Latency " + reach.phrase(), "half round trip, median, µs", series)
        : new LogChart("Bandwidth " + reach.phrase(), "MB/s, window 64", series);
  }

  /** A line for everybody: ours first, then peers, each with the medians of its runs. */
  List<Series> series(Metric metric, Reach reach) {
    Map<String, Map<Integer, Series.Point>> ours = new LinkedHashMap<>();
    Map<String, Map<Integer, Series.Point>> theirs = new LinkedHashMap<>();
    for (Result result : results) {
      if (result.reach() == reach
          && result.cell().metric() == metric
          && result.comparison().isPresent()) {
        int size = result.cell().size();
        Result.Spans spans = result.spans();
        note(
            ours,
            "Tagfabric " + result.ours().name(),
            new Series.Point(size, result.ourValue(), spans.ourLeast(), spans.ourGreatest()));
        note(
            theirs,
            result.peer().name(),
            new Series.Point(size, result.theirValue(), spans.theirLeast(), spans.theirGreatest()));
      }
    }
    List<Series> series = new ArrayList<>();
    ours.forEach((name, points) -> series.add(new Series(name, List.copyOf(points.values()))));
    theirs.forEach((name, points) -> series.add(new Series(name, List.copyOf(points.values()))));
    return series;
  }

  /** What one of ours, or a peer, showed first counts: beside another it has the same rounds. */
  private static void note(
      Map<String, Map<Integer, Series.Point>> lines, String name, Series.Point point) {
    lines.computeIfAbsent(name, unused -> new TreeMap<>()).putIfAbsent((int) point.x(), point);
  }
}
