package io.tagfabric.trials.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a simulation lets a person choose. */
final class SimulateOptions {
  private static final Pattern SEEDS = Pattern.compile("(\\d{1,18})(?:\\.\\.(\\d{1,18}))?");
  private static final int MOST_WORKERS = 64;

  @Mixin final RunOptions run = new RunOptions();

  @Option(
      names = "--seeds",
      paramLabel = "FIRST..LAST",
      description = "Seeds to run (default: 1..2000; of --self-test, at most 1..10000).")
  private String seeds;

  @Option(names = "--seed", paramLabel = "N", description = "Run this seed alone.")
  Long seed;

  @Option(names = "--trace", description = "Print what the run of --seed does.")
  boolean trace;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Threads (default: one for each processor).")
  int workers = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--require-probes",
      description = "Fail if a rare thing that runs should meet has never happened.")
  boolean requireProbes;

  @Option(
      names = "--self-test",
      description = "Instead, put known defects back into the code, one at a time, and find them.")
  boolean selfTest;

  @Option(
      names = "--defects",
      paramLabel = "NAME",
      split = ",",
      hideParamSyntax = true,
      description = "Of the self-test, such as f21 (default: all that are known to be found).")
  List<String> defects = new ArrayList<>();

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  long firstSeed() {
    return seed != null ? seed : Long.parseLong(matched().group(1));
  }

  long lastSeed() {
    String last = seed != null ? null : matched().group(2);
    return last == null ? firstSeed() : Long.parseLong(last);
  }

  private String range() {
    return seeds != null ? seeds : selfTest ? "1..10000" : "1..2000";
  }

  private Matcher matched() {
    Matcher matcher = SEEDS.matcher(range());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("--seeds=" + range() + " is not like 1..20000");
    }
    return matcher;
  }

  /** What is wrong with the options, in one sentence, null if nothing is. */
  String complaint() {
    try {
      if (lastSeed() < firstSeed()) {
        return "--seeds=" + range() + " ends before it begins";
      }
      run.swarm();
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
    for (String defect : defects) {
      if (Defect.of(defect).isEmpty()) {
        return "--defects="
            + defect
            + " is unknown, choose of "
            + String.join(", ", Defect.labels());
      }
    }
    if (trace && seed == null) {
      return "--trace needs one seed, give --seed N";
    }
    if (workers < 1 || workers > MOST_WORKERS) {
      return "--workers=" + workers + " is not within 1 to " + MOST_WORKERS;
    }
    return null;
  }
}
