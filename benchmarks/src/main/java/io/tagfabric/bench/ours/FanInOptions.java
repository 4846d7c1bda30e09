package io.tagfabric.bench.ours;

import io.tagfabric.report.SizesConverter;
import java.util.List;
import picocli.CommandLine.Option;

/** What the benchmark of many senders to one lets a person choose. */
public final class FanInOptions extends CrowdOptions {
  @Option(
      names = "--senders",
      paramLabel = "LIST",
      converter = SizesConverter.class,
      description = "Numbers of ranks that send to rank 0, in turn (default: 1,2,4,15).")
  List<Integer> senders = List.of(1, 2, 4, 15);

  /** With defaults. */
  public FanInOptions() {
    super(Crowd.FAN_IN);
  }

  @Override
  List<Integer> groups() {
    return senders;
  }

  @Override
  String groupsOption() {
    return "--senders";
  }
}
