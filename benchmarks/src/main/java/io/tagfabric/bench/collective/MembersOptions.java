package io.tagfabric.bench.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** What a person chooses; the JVM that is measured gets it as arguments. */
final class MembersOptions {
  private static final int LEAST = 4;
  private static final int MOST = 20_000;

  private static final List<Integer> USUAL = List.of(16, 1000, 10_000);
  private static final List<Integer> USUAL_BY_MESSAGES = List.of(16, 128, 1024);

  @Option(
      names = "--ranks",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description = "Team sizes (default: 16,1000,10000; with --tier messages 16,128,1024).")
  private List<Integer> ranks;

  @Option(
      names = "--tier",
      paramLabel = "NAME",
      defaultValue = "cell",
      description = "What carries collectives: cell or messages (default: ${DEFAULT-VALUE}).")
  private String tier;

  @Option(names = "--json", description = "Print one JSON object a line.")
  private boolean json;

  /** What is wrong, in one sentence, null if nothing is. */
  String complaint() {
    if (!tier.equals("cell") && !tier.equals("messages")) {
      return "--tier=" + tier + " is none of cell, messages";
    }
    for (int each : ranks()) {
      if (each < LEAST || each > MOST) {
        return "--ranks=" + each + " is not within " + LEAST + " to " + MOST;
      }
    }
    return null;
  }

  List<Integer> ranks() {
    if (ranks == null) {
      return tier.equals("messages") ? USUAL_BY_MESSAGES : USUAL;
    }
    return ranks;
  }

  Tier tier() {
    return Tier.named(tier).orElseThrow();
  }

  boolean isJson() {
    return json;
  }

  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add(
        "--ranks=" + ranks().stream().map(String::valueOf).collect(Collectors.joining(",")));
    arguments.add("--tier=" + tier);
    if (json) {
      arguments.add("--json");
    }
    return arguments;
  }
}
