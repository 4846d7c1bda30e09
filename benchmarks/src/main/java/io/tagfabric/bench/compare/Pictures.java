package io.tagfabric.bench.compare;

import io.tagfabric.bench.chart.LogChart;
import io.tagfabric.bench.chart.Series;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.report.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws latency and bandwidth of everybody against the size of messages. */
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
    write(directory, prefix, Metric.LATENCY, "Latency", "half round trip, median, µs", names);
    write(directory, prefix, Metric.BANDWIDTH, "Bandwidth", "MB/s, window 64", names);
    return names;
  }

  private void write(
      Path directory, String prefix, Metric metric, String title, String unit, List<String> names)
      throws IOException {
    List<Series> series = series(metric);
    if (!series.isEmpty()) {
      String name = prefix + metric + ".svg";
      Files.writeString(directory.resolve(name), new LogChart(title, unit, series).toSvg());
      names.add(name);
    }
  }

  /** A line for everybody: ours first, then peers, each with the medians of its runs. */
  List<Series> series(Metric metric) {
    Map<String, Map<Integer, Double>> ours = new LinkedHashMap<>();
    Map<String, Map<Integer, Double>> theirs = new LinkedHashMap<>();
    for (Result result : results) {
      if (result.cell().metric() == metric && result.comparison().isPresent()) {
        Comparison comparison = result.comparison().get();
        int size = result.cell().size();
        note(ours, "Tagfabric " + result.ours().name(), size, comparison.ours());
        note(theirs, result.peer().name(), size, comparison.theirs());
      }
    }
    List<Series> series = new ArrayList<>();
    ours.forEach((name, points) -> series.add(line(name, points)));
    theirs.forEach((name, points) -> series.add(line(name, points)));
    return series;
  }

  private static void note(
      Map<String, Map<Integer, Double>> lines, String name, int size, double value) {
    lines.computeIfAbsent(name, unused -> new TreeMap<>()).putIfAbsent(size, value);
  }

  private static Series line(String name, Map<Integer, Double> points) {
    return new Series(
        name,
        points.entrySet().stream()
            .map(point -> new Series.Point(point.getKey(), point.getValue()))
            .toList());
  }
}
