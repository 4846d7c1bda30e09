package io.tagfabric.bench.collective;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What algorithms took, and the rules that follow. From one number of bytes to the next the
 * algorithm changes only if the new one is clearly faster, so noise makes no rules; it changes in
 * the geometric middle.
 */
final class TuneTable {
  /** Less than that much faster is not faster. */
  private static final double GAIN = 0.9;

  private record Group(String collective, int ranks) {}

  private final Map<Group, TreeMap<Integer, Map<String, Double>>> times = new LinkedHashMap<>();

  /** Notes a time, in any unit. */
  void add(String collective, int ranks, int bytes, String algorithm, double time) {
    times
        .computeIfAbsent(new Group(collective, ranks), notUsed -> new TreeMap<>())
        .computeIfAbsent(bytes, notUsed -> new LinkedHashMap<>())
        .merge(algorithm, time, Math::min);
  }

  boolean isEmpty() {
    return times.isEmpty();
  }

  /** Rules as {@code tagfabric.collective.table} takes them, small teams first. */
  List<String> rules() {
    List<String> rules = new ArrayList<>();
    times.entrySet().stream()
        .sorted(
            Map.Entry.<Group, TreeMap<Integer, Map<String, Double>>>comparingByKey(
                Comparator.comparing(Group::collective).thenComparingInt(Group::ranks)))
        .forEach(each -> add(each.getKey(), each.getValue(), rules));
    return rules;
  }

  private static void add(
      Group group, NavigableMap<Integer, Map<String, Double>> sizes, List<String> rules) {
    String current = null;
    int last = 0;
    for (Map.Entry<Integer, Map<String, Double>> size : sizes.entrySet()) {
      String better = better(current, size.getValue());
      if (current != null && !better.equals(current)) {
        long middle = (long) Math.sqrt((double) Math.max(1, last) * size.getKey());
        rules.add(rule(group, Long.toString(middle), current));
      }
      current = better;
      last = size.getKey();
    }
    rules.add(rule(group, "any", current));
  }

  private static String better(String current, Map<String, Double> byAlgorithm) {
    Map.Entry<String, Double> best =
        byAlgorithm.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
    Double kept = current == null ? null : byAlgorithm.get(current);
    return kept != null && best.getValue() > GAIN * kept ? current : best.getKey();
  }

  private static String rule(Group group, String bytes, String algorithm) {
    return group.collective() + " " + group.ranks() + " " + bytes + " " + algorithm;
  }
}
