package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.MatchKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Option;

/** What the benchmark of matching lets a person choose. */
public class MatchingOptions extends BenchOptions {
  /** The peer measured beside us. */
  enum Peer {
    OPENMPI
  }

  private static final int DEEPEST = 1_000_000;

  @Option(
      names = "--depth",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      defaultValue = "1,100,10000,100000",
      description = {
        "Receives posted, or messages waiting, each with a tag of its own (default:"
            + " ${DEFAULT-VALUE})."
      })
  List<Integer> depths;

  @Option(
      names = "--kind",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      defaultValue = "posted,unexpected",
      converter = EnumNames.OfMatchKind.class,
      description = "What to measure: posted, unexpected, probe (default: ${DEFAULT-VALUE}).")
  List<MatchKind> kinds;

  @Option(
      names = "--vs",
      paramLabel = "PEER",
      converter = EnumNames.OfMatchingPeer.class,
      description = "Let runs of this peer take turns with ours: openmpi (shared memory).")
  private Peer versus;

  /** Whether a peer is measured beside us. */
  public boolean hasPeer() {
    return versus != null;
  }

  /** The largest depth. */
  int deepest() {
    return Collections.max(depths);
  }

  /** The depths in the order given. */
  public List<Integer> depths() {
    return List.copyOf(depths);
  }

  @Override
  public String complaint() {
    if (super.complaint() != null) {
      return super.complaint();
    }
    for (int depth : depths) {
      if (depth < 1 || depth > DEEPEST) {
        return "--depth=" + depth + " is not within 1 to " + DEEPEST;
      }
    }
    return hasPeer() && kinds.contains(MatchKind.PROBE)
        ? "--kind=probe has no peer, leave out --vs"
        : null;
  }

  @Override
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(super.arguments());
    arguments.add("--depth=" + String.join(",", depths.stream().map(String::valueOf).toList()));
    arguments.add("--kind=" + String.join(",", kinds.stream().map(MatchKind::toString).toList()));
    return arguments;
  }
}
