package io.tagfabric.trials.roll;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** What a roll lets a person choose. */
final class RollOptions {
  private static final int MOST_NODES = 9;
  private static final int QUICK_NODES = 3;
  private static final int MOST_RATE = 200;

  @Option(
      names = "--scenario",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description =
          "Of same, fabric-on, fabric-off, protocol, keys, kill, pause (default: all of them).")
  List<String> scenarios = new ArrayList<>();

  @Option(
      names = {"-n", "--nodes"},
      paramLabel = "N",
      description = "Nodes of the cluster (default: 5).")
  Integer nodes;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Tells, tagged messages and elements a second for each pair (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--settle",
      paramLabel = "MS",
      defaultValue = "2000",
      description = "Traffic goes on for so long behind the last step (default: ${DEFAULT-VALUE}).")
  private long settleMs;

  @Option(
      names = "--quick",
      description = "Three nodes, one of them replaced, and no run with Akka alone beside it.")
  private boolean quick;

  @Option(
      names = "--self-test",
      description = "Instead, have a node do something wrong, in five ways, and find it.")
  boolean selfTest;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** What is wrong with the options, in one sentence, null if nothing is. */
  String complaint() {
    for (String label : scenarios) {
      if (Scenario.of(label).isEmpty()) {
        return "--scenario=" + label + " is none of " + Scenario.labels();
      }
    }
    if (nodes() < 2 || nodes() > MOST_NODES) {
      return "--nodes=" + nodes() + " is not within 2 to " + MOST_NODES + ", each is a JVM";
    }
    if (rate < 1 || rate > MOST_RATE) {
      return "--rate=" + rate + " is not within 1 to " + MOST_RATE;
    }
    if (settleMs < 0) {
      return "--settle=" + settleMs + " < 0, name milliseconds";
    }
    return null;
  }

  /** In their order, each once. */
  Set<Scenario> chosen() {
    EnumSet<Scenario> chosen = EnumSet.noneOf(Scenario.class);
    scenarios.forEach(label -> chosen.add(Scenario.of(label).orElseThrow()));
    return chosen.isEmpty() ? EnumSet.allOf(Scenario.class) : chosen;
  }

  int nodes() {
    return nodes != null ? nodes : quick || selfTest ? QUICK_NODES : 5;
  }

  int rate() {
    return rate;
  }

  long settleMs() {
    return settleMs;
  }

  /** Whether one node is replaced, not each. */
  boolean quick() {
    return quick || selfTest;
  }
}
