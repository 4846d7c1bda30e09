package io.tagfabric.bench.ours;

import io.tagfabric.bench.measure.Cell;
import io.tagfabric.bench.measure.TransferKind;
import io.tagfabric.bench.measure.Workload;
import io.tagfabric.bench.measure.WorkloadPlayer;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A run of ours, or of plain Akka, in a comparison. No person types these. */
public final class WorkloadOptions extends BenchOptions {
  /** What {@link RankMain} calls it. */
  public static final String WORK = "workload";

  @Option(names = "--akka")
  private boolean akka;

  @Parameters private List<String> words;

  /** The depth of the deepest matching, 0 if none. */
  int deepest() {
    return Workload.parse(words).cells().stream()
        .filter(cell -> cell.metric().isMatching())
        .mapToInt(Cell::size)
        .max()
        .orElse(0);
  }

  /** What rank 0 does. */
  void measure(RankPair pair, PrintWriter out) {
    WorkloadPlayer player =
        new WorkloadPlayer(
            Workload.parse(words),
            akka ? pair::akka : pair::ours,
            () -> akka ? Optional.empty() : Optional.of(pair.matching()));
    if (akka) {
      player.without(TransferKind.BIBW, WorkloadPlayer.ONE_WAY_ONLY);
    } else {
      player.waking(pair::waking);
    }
    player.play(sample -> out.println(sample.toLine()));
  }
}
