package io.tagfabric.bench.guard;

import io.tagfabric.report.Sizes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A benchmark that the guard runs, and the rows that it measures in one run.
 *
 * @param name as people choose it with all its rows
 * @param words behind {@code bench}
 * @param option takes the list of what is measured; empty if there is no choice
 * @param field of the figure in the JSON objects that it prints
 * @param unit of the figure
 * @param isRate whether more is better
 */
record GuardBench(
    String name,
    List<String> words,
    String option,
    String field,
    String unit,
    boolean isRate,
    List<GuardRow> rows) {

  /** All of them. */
  static List<GuardBench> all() {
    return List.of(
        latency("latency-local", "--provider local", 8),
        latency("latency-shm", "--provider shm", 8, 1 << 10, 64 << 10, 1 << 20),
        latency(
            "latency-shm-auto", "--provider shm --progress auto", 8, 1 << 10, 64 << 10, 1 << 20),
        rate("rate-shm", "--provider shm --window 64"),
        bandwidth("bandwidth-shm", "--provider shm"),
        bandwidth("bandwidth-fabric", "--provider shm --memory fabric"),
        latency("latency-tcp", "--provider tcp", 8, 64 << 10, 1 << 20),
        rate("rate-tcp", "--provider tcp --window 1000"),
        bandwidth("bandwidth-tcp", "--provider tcp"),
        latency("latency-aeron", "--provider aeron", 8),
        latency("latency-artery", "--provider artery --profile tcp", 8),
        latency("latency-artery-udp", "--provider artery --profile aeron", 8),
        rate("rate-artery", "--provider artery --profile tcp --window 1000"),
        rate("rate-artery-udp", "--provider artery --profile aeron --window 1000"),
        new GuardBench(
            "matching",
            words("matching --provider shm --depth 100"),
            "--kind",
            "ns_per_message",
            "ns",
            false,
            List.of(row("matching", "kind", "posted"), row("matching", "kind", "unexpected"))),
        rma("rma", "--provider shm", "write", "read", "write-signal", "fetch-add"),
        rma("rma-fabric", "--provider shm --memory fabric", "write", "read"),
        new GuardBench(
            "am",
            words("am --provider shm --sizes 512"),
            "",
            "usec",
            "us",
            false,
            List.of(row("am", "op", "request-reply"), row("am", "op", "medium"))),
        new GuardBench(
            "ask",
            words("ask --provider shm"),
            "--way",
            "usec",
            "us",
            false,
            List.of(row("ask", "way", "loop"), row("ask", "way", "actors"))),
        wake("wake", "--provider shm"),
        wake("wake-auto", "--provider shm --progress auto"));
  }

  private static GuardBench latency(String name, String options, int... sizes) {
    List<GuardRow> rows = new ArrayList<>();
    for (int bytes : sizes) {
      String size = Sizes.format(bytes);
      rows.add(
          new GuardRow(
              sizes.length == 1 ? name : name + '-' + size,
              size,
              Map.of("bytes", Integer.toString(bytes))));
    }
    return new GuardBench(
        name, words("latency " + options), "--sizes", "p50_us", "us", false, rows);
  }

  private static GuardBench rate(String name, String options) {
    return alone(name, "rate " + options, "mxfers_per_s", "M/s", true);
  }

  private static GuardBench bandwidth(String name, String options) {
    return alone(name, "bandwidth --sizes 1m " + options, "mb_per_s", "MB/s", true);
  }

  private static GuardBench wake(String name, String options) {
    return alone(name, "wake " + options, "p50_us", "us", false);
  }

  private static GuardBench alone(
      String name, String line, String field, String unit, boolean isRate) {
    return new GuardBench(
        name, words(line), "", field, unit, isRate, List.of(new GuardRow(name, "", Map.of())));
  }

  private static GuardBench rma(String name, String options, String... ops) {
    List<GuardRow> rows = new ArrayList<>();
    for (String op : ops) {
      String printed = op.equals("fetch-add") ? "add-random" : op;
      rows.add(new GuardRow(name + '-' + op, op, Map.of("op", printed)));
    }
    return new GuardBench(
        name, words("rma --sizes 8 " + options), "--op", "usec", "us", false, rows);
  }

  private static GuardRow row(String bench, String field, String value) {
    return new GuardRow(bench + '-' + value, value, Map.of(field, value));
  }

  private static List<String> words(String line) {
    return Arrays.asList(line.split(" "));
  }

  /** The same with some of its rows only. */
  GuardBench with(List<GuardRow> some) {
    return new GuardBench(name, words, option, field, unit, isRate, some);
  }

  /** Arguments of the command that measures its rows. */
  List<String> arguments(int runs) {
    List<String> arguments = new ArrayList<>();
    arguments.add("bench");
    arguments.addAll(words);
    if (!option.isEmpty()) {
      arguments.add(option);
      arguments.add(rows.stream().map(GuardRow::choice).collect(Collectors.joining(",")));
    }
    arguments.addAll(List.of("--runs", Integer.toString(runs), "--json"));
    return arguments;
  }

  /** How many times as long ours took as theirs. */
  double ratio(Figure ours, Figure theirs) {
    return isRate ? theirs.value() / ours.value() : ours.value() / theirs.value();
  }
}
