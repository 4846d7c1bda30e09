package io.tagfabric.bench.guard;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Measures pairs: first of this build and itself, which shows how far apart two runs of the same
 * code are, then of this build and the other. Thread: one.
 */
final class Guard {
  /** What the script of a checkout says before it builds. */
  private static final String BUILDS = "building Tagfabric ...";

  private static final double START_SECONDS = 5;
  private static final double WARM_UP_SECONDS = 3;
  private static final double RUN_SECONDS = 0.5;

  private final Build ours;
  private final Build theirs;
  private final OneAtATime commands;
  private final int count;
  private final int runs;
  private final Consumer<String> progress;
  private final Map<GuardRow, Ratios> ofItself = new LinkedHashMap<>();
  private final Map<GuardRow, Outcome> withoutPairs = new LinkedHashMap<>();
  private double largestOfItself;
  private double plannedSeconds;
  private double doneSeconds;
  private double spentSeconds;

  /** A build that does not know the benchmark. */
  private static final class Unknown extends Exception {
    private static final long serialVersionUID = 1L;

    Unknown(String reason) {
      super(reason);
    }
  }

  /**
   * @param count pairs
   * @param runs of each measurement, of which the one in the middle counts
   * @param progress gets lines for people
   */
  Guard(
      Build ours,
      Build theirs,
      OneAtATime commands,
      int count,
      int runs,
      Consumer<String> progress) {
    this.ours = ours;
    this.theirs = theirs;
    this.commands = commands;
    this.count = count;
    this.runs = runs;
    this.progress = progress;
  }

  /**
   * Measures rows of benchmarks.
   *
   * @param outcomes gets what became of each row, in their order
   * @throws InterruptedException if the user has pressed Ctrl-C
   */
  void play(List<GuardBench> benches, Consumer<Outcome> outcomes) throws InterruptedException {
    plannedSeconds = benches.stream().mapToDouble(this::foretoldSeconds).sum() * 4 * count;
    int rows = benches.stream().mapToInt(bench -> bench.rows().size()).sum();
    progress.accept(
        String.format(
            Locale.ROOT,
            "rows=%d pairs=%d, at most %s; nothing else should run meanwhile",
            rows,
            count,
            leftTime()));
    for (GuardBench bench : benches) {
      measureItself(bench);
    }
    for (GuardBench bench : benches) {
      GuardBench some = bench.with(bench.rows().stream().filter(ofItself::containsKey).toList());
      plannedSeconds += 2 * count * (foretoldSeconds(some) - foretoldSeconds(bench));
      Map<GuardRow, Outcome> found = some.rows().isEmpty() ? Map.of() : compare(some);
      for (GuardRow row : bench.rows()) {
        outcomes.accept(found.getOrDefault(row, withoutPairs.get(row)));
      }
    }
  }

  /** The largest median of pairs of this build and itself. */
  double largestOfItself() {
    return largestOfItself;
  }

  private void measureItself(GuardBench bench) throws InterruptedException {
    Map<GuardRow, Pairs> measured = pairs(bench, ours, count, ratios -> ratios.arePlain(count));
    for (GuardRow row : bench.rows()) {
      if (measured.containsKey(row)) {
        Ratios ratios = measured.get(row).ratios();
        ofItself.put(row, ratios);
        largestOfItself = Math.max(largestOfItself, ratios.median());
      }
    }
  }

  private Map<GuardRow, Outcome> compare(GuardBench bench) throws InterruptedException {
    Map<GuardRow, Pairs> measured = pairs(bench, theirs, count, ratios -> ratios.areFine(count));
    List<GuardRow> suspects =
        measured.entrySet().stream()
            .filter(entry -> entry.getValue().ratios().areSlower(largestOfItself))
            .map(Map.Entry::getKey)
            .toList();
    if (!suspects.isEmpty()) {
      GuardBench again = bench.with(suspects);
      progress.accept(names(suspects) + " may be slower, once more with " + 2 * count + " pairs");
      plannedSeconds += 4 * count * foretoldSeconds(again);
      Map<GuardRow, Pairs> second =
          pairs(again, theirs, 2 * count, ratios -> ratios.areFine(2 * count));
      suspects.forEach(measured::remove);
      measured.putAll(second);
    }
    Map<GuardRow, Outcome> outcomes = new LinkedHashMap<>();
    measured.forEach(
        (row, pairs) -> {
          boolean slower = suspects.contains(row) && pairs.ratios().areSlower(largestOfItself);
          Verdict verdict = slower ? Verdict.SLOWER : Verdict.FINE;
          outcomes.put(row, new Outcome(bench, row, verdict, pairs, ofItself.get(row), ""));
        });
    return outcomes;
  }

  private static String names(List<GuardRow> rows) {
    return rows.stream().map(GuardRow::name).collect(Collectors.joining(", "));
  }

  /**
   * Rows that cannot be measured are missing; why is in the outcomes without pairs. A row is
   * measured until {@code wanted} pairs are there, or those there are decide.
   */
  private Map<GuardRow, Pairs> pairs(
      GuardBench bench, Build other, int wanted, Predicate<Ratios> decide)
      throws InterruptedException {
    String title = other.equals(ours) ? "beside itself" : "beside " + other.name();
    progress.accept(title + ": tagfabric " + String.join(" ", bench.arguments(runs)));
    Map<GuardRow, Pairs> pairs = new LinkedHashMap<>();
    bench.rows().forEach(row -> pairs.put(row, new Pairs(bench)));
    GuardBench open = bench;
    for (int i = 0; i < wanted && !open.rows().isEmpty(); i++) {
      Map<GuardRow, Figure> our;
      Map<GuardRow, Figure> their;
      if (i % 2 == 0) {
        our = measure(open, ours, pairs);
        their = measure(open, other, pairs);
      } else {
        their = measure(open, other, pairs);
        our = measure(open, ours, pairs);
      }
      List<GuardRow> measured = open.rows().stream().filter(pairs::containsKey).toList();
      measured.forEach(row -> pairs.get(row).add(our.get(row), their.get(row)));
      GuardBench left =
          bench.with(
              measured.stream().filter(row -> !decide.test(pairs.get(row).ratios())).toList());
      plannedSeconds += 2 * (wanted - i - 1) * (foretoldSeconds(left) - foretoldSeconds(open));
      open = left;
      progress.accept(
          title
              + ' '
              + (i + 1)
              + '/'
              + wanted
              + ": "
              + measured.stream()
                  .map(row -> row.name() + ' ' + Table.decimal(pairs.get(row).lastRatio()))
                  .collect(Collectors.joining(", "))
              + "; at most "
              + leftTime()
              + " left");
    }
    return pairs;
  }

  /** Takes rows out of the pairs that have no figure. */
  private Map<GuardRow, Figure> measure(GuardBench bench, Build build, Map<GuardRow, Pairs> pairs)
      throws InterruptedException {
    if (bench.rows().stream().noneMatch(pairs::containsKey)) {
      return Map.of();
    }
    long beginNs = System.nanoTime();
    Map<GuardRow, Figure> figures = Map.of();
    Verdict verdict = build.equals(theirs) ? Verdict.LEFT_OUT : Verdict.FAILED;
    String because = build.name() + " prints no such row";
    try {
      figures = figures(bench, build);
    } catch (Unknown refused) {
      because = build.name() + " does not know it: " + refused.getMessage();
    } catch (BuildException failure) {
      verdict = Verdict.FAILED;
      because = build.name() + ": " + failure.getMessage();
    }
    for (GuardRow row : bench.rows()) {
      if (!figures.containsKey(row) && pairs.remove(row) != null) {
        withoutPairs.put(row, new Outcome(bench, row, verdict, null, ofItself.get(row), because));
        progress.accept(row.name() + ' ' + verdict + ": " + because);
      }
    }
    spentSeconds += (System.nanoTime() - beginNs) / 1e9;
    doneSeconds += foretoldSeconds(bench);
    return figures;
  }

  private Map<GuardRow, Figure> figures(GuardBench bench, Build build)
      throws Unknown, BuildException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(build.command().toString());
    words.addAll(bench.arguments(runs));
    OneAtATime.Ended ended = commands.run(words);
    if (ended.code() == ExitCode.USAGE) {
      throw new Unknown(reason(ended));
    }
    if (ended.code() != ExitCode.OK) {
      throw new BuildException(ExitCode.describe(ended.code()) + ": " + reason(ended));
    }
    if (ended.err().contains(BUILDS)) {
      throw new BuildException("its sources have changed meanwhile, so it is another build now");
    }
    return Figure.read(bench, ended.out());
  }

  /** The last line of errors that says something. */
  static String reason(OneAtATime.Ended ended) {
    return ended
        .err()
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("Try `"))
        .reduce((before, line) -> line)
        .orElse("it says nothing");
  }

  private double foretoldSeconds(GuardBench bench) {
    if (bench.rows().isEmpty()) {
      return 0;
    }
    return START_SECONDS + bench.rows().size() * (WARM_UP_SECONDS + runs * RUN_SECONDS);
  }

  /** By the plan, and by how long the planned has taken so far. */
  private String leftTime() {
    double speed = doneSeconds == 0 ? 1 : spentSeconds / doneSeconds;
    double seconds = Math.max(0, plannedSeconds - doneSeconds) * speed;
    return seconds < 90
        ? String.format(Locale.ROOT, "%.0f s", seconds)
        : String.format(Locale.ROOT, "%.0f min", seconds / 60);
  }
}
