package io.tagfabric.bench.compare;

import io.tagfabric.bench.compare.Group.Reach;
import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.Metric;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.report.Sizes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What the comparison lets a person choose. */
final class CompareOptions {
  /** Tests by the words that people use. */
  enum Kind {
    LATENCY,
    RATE,
    BANDWIDTH,
    BIBW,
    MATCHING,
    RMA,
    WAKE
  }

  private static final String KINDS = "latency,rate,bandwidth,bibw,matching,rma,wake";
  private static final int RATE_BYTES = 8;
  private static final int WAKE_GAP_US = 1_000;
  private static final int BANDWIDTH_WINDOW = 64;
  private static final int WIDEST_WINDOW = 1 << 20;
  private static final int QUICK_RUNS = 2;
  private static final int USUAL_RUNS = 5;
  private static final List<Integer> QUICK_SIZES = List.of(8, 64 << 10);
  private static final List<Integer> USUAL_SIZES = List.of(8, 1 << 10, 64 << 10, 1 << 20);
  private static final int SHORTEST_OF_BANDWIDTH = 1 << 10;
  private static final List<Integer> QUICK_DEPTHS = List.of(100);
  private static final List<Integer> USUAL_DEPTHS = List.of(1, 100, 10_000);
  private static final int MATCH_LIMIT_MS = 1_000;
  private static final int QUICK_CELL_MS = 200;
  private static final int USUAL_CELL_MS = 300;
  private static final int LONGEST_CELL_MS = 60_000;

  /** The longest warm-up of a cell, in times that it is measured. */
  private static final int LONGEST_WARM_UP = 5;

  @Option(
      names = "--ours",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description = {
        "Series of ours, such as shm,shm-auto,aeron,artery-tcp,artery-udp (default: all); with"
            + " --only, each is compared with each."
      })
  private List<String> ours = List.of();

  @Option(
      names = "--only",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description = {
        "Peers, or the beginning of their names, such as openmpi,mpich,mpj,jgroups,akka,aeron"
            + " (default: all)."
      })
  private List<String> only = List.of();

  @Option(
      names = "--java",
      paramLabel = "HOMES",
      split = ",",
      hideParamSyntax = true,
      description = {
        "Run ours with the Java of each of these directories, in series such as shm@17,shm@25; peers"
            + " run once a round, with this command's."
      })
  private List<Path> javaHomes = List.of();

  @Option(
      names = "--netns",
      paramLabel = "A,B",
      description = {
        "Run rank 0 of all in network namespace A, rank 1 in B, each with a /dev/shm of its own; only"
            + " transports between hosts take part. Needs root, iproute2, and an address in each."
      })
  private String netns;

  @Option(
      names = "--tests",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description = "Of " + KINDS + " (default: all).")
  private List<String> tests = List.of();

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      description = {
        "Sizes of latency, bandwidth, bibw and rma, such as 1..4m for powers of two (default:"
            + " 8,1k,64k,1m)."
      })
  private String sizes;

  @Option(
      names = "--depth",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description = "Depths of matching (default: 1,100,10000).")
  private List<Integer> depths;

  @Option(
      names = "--window",
      paramLabel = "N",
      description = {
        "Messages under way where the rate is measured (default: 64 on one host, 1000 over a"
            + " network)."
      })
  private Integer window;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Rounds, each with a run of everybody (default: 5; quick: 2).")
  private Integer runs;

  @Option(names = "--quick", description = "Fewer sizes, rounds and less time each; rough figures.")
  private boolean quick;

  @Option(
      names = "--cell-ms",
      paramLabel = "N",
      description = {
        "Milliseconds that each cell is measured (default: 300; quick: 200); its warm-up takes from"
            + " as long to five times as long."
      })
  private Integer cellMs;

  @Option(names = "--json", description = "Print one JSON object a line.")
  private boolean json;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = {
        "Also write tables and pictures into this Markdown file, between its two marks, and beside"
            + " it."
      })
  private Path report;

  @Option(
      names = "--pictures",
      paramLabel = "DIR",
      description = {
        "Also draw latency and bandwidth there, each on one host and between hosts, with whiskers"
            + " from the least to the greatest of the rounds."
      })
  private Path pictures;

  Path pictures() {
    return pictures;
  }

  boolean json() {
    return json;
  }

  Path report() {
    return report;
  }

  int runs() {
    return runs != null ? runs : quick ? QUICK_RUNS : USUAL_RUNS;
  }

  /** What is wrong with the options, in one sentence, null if nothing is. */
  String complaint(ProgramFinder finder) {
    if (runs() < 1 || runs() > 100) {
      return "--runs=" + runs + " is not within 1 to 100";
    }
    if (cellMs != null && (cellMs < 1 || cellMs > LONGEST_CELL_MS)) {
      return "--cell-ms=" + cellMs + " is not within 1 to " + LONGEST_CELL_MS;
    }
    for (String test : tests) {
      try {
        Kind.valueOf(test.toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException unknown) {
        return "--tests=" + test + " is unknown, choose of " + KINDS;
      }
    }
    for (int depth : depths()) {
      if (depth < 1 || depth > 1_000_000) {
        return "--depth=" + depth + " is not within 1 to 1000000";
      }
    }
    if (window != null && (window < 1 || window > WIDEST_WINDOW)) {
      return "--window=" + window + " is not within 1 to " + WIDEST_WINDOW;
    }
    try {
      sizes();
    } catch (IllegalArgumentException refused) {
      return "--sizes: " + refused.getMessage();
    }
    try {
      Jvm.at(javaHomes);
    } catch (IllegalArgumentException refused) {
      return "--java: " + refused.getMessage();
    }
    try {
      namespaces(finder);
    } catch (IllegalArgumentException refused) {
      return "--netns: " + refused.getMessage();
    }
    if (pictures != null && !Files.isDirectory(pictures)) {
      return "--pictures=" + pictures + " is no directory";
    }
    return report == null ? null : ReportFile.complaint(report);
  }

  /** Where both sides of each contender run; empty for this host as it is. */
  Optional<Namespaces> namespaces(ProgramFinder finder) {
    return Optional.ofNullable(netns).map(names -> Namespaces.find(names, finder));
  }

  private List<Integer> sizes() {
    if (sizes != null) {
      return Sizes.parse(sizes);
    }
    return quick ? QUICK_SIZES : USUAL_SIZES;
  }

  private List<Integer> depths() {
    if (depths != null) {
      return depths;
    }
    return quick ? QUICK_DEPTHS : USUAL_DEPTHS;
  }

  private boolean wants(Kind kind) {
    return tests.isEmpty() || tests.stream().anyMatch(test -> test.equalsIgnoreCase(kind.name()));
  }

  /** What everybody does in a run. */
  Workload workload() {
    List<Cell> cells = new ArrayList<>();
    if (wants(Kind.LATENCY)) {
      sizes().forEach(size -> cells.add(new Cell(Metric.LATENCY, size, 1)));
    }
    if (wants(Kind.RATE)) {
      cells.add(new Cell(Metric.RATE, RATE_BYTES, window == null ? Group.USUAL_WINDOW : window));
    }
    if (wants(Kind.BANDWIDTH)) {
      cells.addAll(streams(Metric.BANDWIDTH));
    }
    if (wants(Kind.BIBW)) {
      cells.addAll(streams(Metric.BIBW));
    }
    if (wants(Kind.MATCHING)) {
      for (Metric metric : List.of(Metric.MATCHING_POSTED, Metric.MATCHING_UNEXPECTED)) {
        depths().forEach(depth -> cells.add(new Cell(metric, depth, 0)));
      }
    }
    if (wants(Kind.RMA)) {
      for (Metric metric : List.of(Metric.RMA_WRITE, Metric.RMA_READ)) {
        sizes().forEach(size -> cells.add(new Cell(metric, size, 1)));
      }
      cells.add(new Cell(Metric.RMA_FETCH_ADD, Long.BYTES, 1));
    }
    if (wants(Kind.WAKE)) {
      cells.add(new Cell(Metric.WAKE, Long.BYTES, WAKE_GAP_US));
    }
    int runMs = cellMs != null ? cellMs : quick ? QUICK_CELL_MS : USUAL_CELL_MS;
    return new Workload(runMs, LONGEST_WARM_UP * runMs, runMs, MATCH_LIMIT_MS, cells);
  }

  private List<Cell> streams(Metric metric) {
    return sizes().stream()
        .filter(size -> size >= SHORTEST_OF_BANDWIDTH)
        .map(size -> new Cell(metric, size, BANDWIDTH_WINDOW))
        .toList();
  }

  /** The groups that were chosen, ours with each Java that was. */
  List<Group> chosen(List<Group> all) {
    List<Jvm> jvms = Jvm.at(javaHomes);
    return named(all).stream()
        .map(group -> new Group(withEach(group.ours(), jvms), group.peers(), group.reach()))
        .toList();
  }

  private static List<Contender> withEach(List<Contender> ours, List<Jvm> jvms) {
    List<Contender> all = new ArrayList<>();
    for (Contender each : ours) {
      if (each instanceof JobContender job && !jvms.isEmpty()) {
        jvms.forEach(jvm -> all.add(new OtherJvmContender(job, jvm)));
      } else {
        all.add(each);
      }
    }
    return all;
  }

  private List<Group> named(List<Group> all) {
    if (!ours.isEmpty() && !only.isEmpty()) {
      return List.of(
          new Group(
              distinct(all.stream().flatMap(group -> group.ours().stream()).toList(), ours),
              distinct(all.stream().flatMap(group -> group.peers().stream()).toList(), only),
              nearest(all)));
    }
    List<Group> groups = new ArrayList<>();
    for (Group group : all) {
      Group some =
          new Group(distinct(group.ours(), ours), distinct(group.peers(), only), group.reach());
      if (!some.ours().isEmpty() && !some.peers().isEmpty()) {
        groups.add(some);
      }
    }
    return groups;
  }

  /** All chosen ones play the same. */
  private Reach nearest(List<Group> all) {
    return all.stream()
        .filter(group -> !distinct(group.ours(), ours).isEmpty())
        .map(Group::reach)
        .min(Comparator.naturalOrder())
        .orElse(Reach.ONE_HOST);
  }

  private static List<Contender> distinct(List<Contender> contenders, List<String> names) {
    Map<String, Contender> chosen = new LinkedHashMap<>();
    for (Contender contender : contenders) {
      boolean wanted =
          names.isEmpty()
              || names.stream()
                  .anyMatch(
                      name ->
                          contender.name().equals(name)
                              || contender.name().startsWith(name + "-")
                                  && !names.contains(contender.name()));
      if (wanted) {
        chosen.putIfAbsent(contender.name(), contender);
      }
    }
    return List.copyOf(chosen.values());
  }
}
