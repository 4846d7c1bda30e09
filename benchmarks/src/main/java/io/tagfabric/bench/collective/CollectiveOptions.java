package io.tagfabric.bench.collective;

import io.tagfabric.collective.algorithm.Algorithms;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.report.Sizes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** What a person chooses; the ranks get it as arguments. */
final class CollectiveOptions {
  private static final int MAX_IN_JVM = 4096;
  private static final int MOST_RUNS = 100;

  @Option(
      names = "--op",
      paramLabel = "NAME",
      defaultValue = "allreduce",
      description = "Which collective (default: ${DEFAULT-VALUE}).")
  private String op;

  @Option(
      names = "--ranks",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      defaultValue = "2,4",
      description = "Team sizes (default: ${DEFAULT-VALUE}).")
  private List<Integer> ranks;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      defaultValue = "8,1k,64k",
      description = "Bytes, also powers of two such as 8..1m (default: ${DEFAULT-VALUE}).")
  private String sizes;

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      defaultValue = CollectiveSettings.AUTO,
      description = "Which algorithm; auto: what is usual (default: ${DEFAULT-VALUE}).")
  private String algorithm;

  @Option(
      names = "--tier",
      paramLabel = "NAME",
      defaultValue = "auto",
      description =
          "What carries it: cell (one JVM), shm (one host), messages; auto: what is usual"
              + " (default: ${DEFAULT-VALUE}).")
  private String tier;

  @Option(names = "--prepared", description = "Prepare the call once and start it again and again.")
  private boolean prepared;

  @Option(names = "--json", description = "Print one JSON object a line.")
  private boolean json;

  @Option(
      names = "--vs",
      paramLabel = "PEER",
      description =
          "Measure a peer's collective beside ours, in alternation: openmpi (its C library,"
              + " processes that yield when idle) or mpj (MPJ Express between JVMs).")
  private String peer;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description = "With --vs: runs of each; the medians are printed (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(names = "--quiet-header", hidden = true)
  private boolean withoutHeader;

  /** What is wrong, in one sentence, null if nothing is. */
  String complaint(boolean inJvm) {
    if (find().isEmpty() || collective() == Collective.NEIGHBOUR_EXCHANGE) {
      return "--op="
          + op
          + " is none of "
          + Arrays.stream(Collective.values())
              .filter(each -> each != Collective.NEIGHBOUR_EXCHANGE)
              .map(Collective::key)
              .collect(Collectors.joining(", "));
    }
    String wrongPeer = peer == null ? null : complaintAboutPeer(inJvm);
    if (wrongPeer != null) {
      return wrongPeer;
    }
    if (Tier.named(tier).isEmpty() || (tier.equals("cell") && !inJvm)) {
      return "--tier="
          + tier
          + (inJvm ? "" : " between JVMs")
          + " is none of "
          + Tier.names().stream()
              .filter(each -> inJvm || !each.equals("cell"))
              .collect(Collectors.joining(", "));
    }
    int most = inJvm ? MAX_IN_JVM : 64;
    for (int each : ranks) {
      if (each < 1 || each > most) {
        return "--ranks=" + each + " is not within 1 to " + most;
      }
    }
    try {
      Sizes.parse(sizes);
      if (!algorithm.equals(CollectiveSettings.AUTO)) {
        Algorithms.get(collective(), algorithm);
      }
      return null;
    } catch (IllegalArgumentException wrong) {
      return wrong.getMessage();
    }
  }

  private String complaintAboutPeer(boolean inJvm) {
    if (!CollectivePeer.NAMES.contains(peer)) {
      return "--vs=" + peer + " is none of " + String.join(", ", CollectivePeer.NAMES);
    }
    if (inJvm) {
      return "--vs=" + peer + " has no ranks in one JVM, leave --in-jvm out";
    }
    if (!CollectivePeer.named(peer).has(collective())) {
      return "--vs=" + peer + " has no " + op + ", choose another --op";
    }
    return runs < 1 || runs > MOST_RUNS ? "--runs=" + runs + " is not within 1 to 100" : null;
  }

  /** Whom to measure beside; empty for nobody. */
  Optional<CollectivePeer> peer() {
    return Optional.ofNullable(peer).map(CollectivePeer::named);
  }

  int runs() {
    return runs;
  }

  private Optional<Collective> find() {
    return Arrays.stream(Collective.values()).filter(each -> each.key().equals(op)).findFirst();
  }

  Collective collective() {
    return find().orElseThrow();
  }

  List<Integer> ranks() {
    return ranks;
  }

  List<Integer> bytes() {
    return collective() == Collective.BARRIER ? List.of(0) : Sizes.parse(sizes);
  }

  boolean isJson() {
    return json;
  }

  boolean hasHeader() {
    return !withoutHeader;
  }

  /** Whether calls are prepared. */
  boolean isPrepared() {
    return prepared;
  }

  /** The settings of a team, with the algorithm if one is named. */
  CollectiveSettings settings(CollectiveSettings usual) {
    CollectiveSettings carried = Tier.named(tier).orElseThrow().of(usual);
    return algorithm.equals(CollectiveSettings.AUTO)
        ? carried
        : carried.forcing(collective(), algorithm);
  }

  /** For one job of ranks whose lines another program reads. */
  List<String> argumentsForJson(int size) {
    List<String> arguments = arguments(size, false);
    if (!json) {
      arguments.add("--json");
    }
    return arguments;
  }

  /** For one job of ranks. */
  List<String> arguments(int size, boolean header) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--op=" + op,
                "--ranks=" + size,
                "--sizes=" + sizes,
                "--algorithm=" + algorithm,
                "--tier=" + tier));
    if (prepared) {
      arguments.add("--prepared");
    }
    if (json) {
      arguments.add("--json");
    }
    if (!header) {
      arguments.add("--quiet-header");
    }
    return arguments;
  }
}
