package io.tagfabric.bench.ours;

import io.tagfabric.report.SizesConverter;
import java.util.List;
import picocli.CommandLine.Option;

/** What the benchmark of a crowd of ranks lets a person choose. */
public final class CrowdedPairsOptions extends CrowdOptions {
  @Option(
      names = "--ranks",
      paramLabel = "LIST",
      converter = SizesConverter.class,
      description = "Numbers of ranks that take part, in turn (default: 2,16).")
  List<Integer> ranks = List.of(2, 16);

  /** With defaults. */
  public CrowdedPairsOptions() {
    super(Crowd.PAIRS);
  }

  @Override
  List<Integer> groups() {
    return ranks;
  }

  @Override
  String groupsOption() {
    return "--ranks";
  }
}
