package io.tagfabric.settings;

import static io.tagfabric.settings.Pair.read;

import io.tagfabric.collective.Team;
import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.reduce.Reduction;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.CollectiveCompletion;
import io.tagfabric.collective.run.CollectiveSettings;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.testkit.TestFabric;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Keys of collectives. */
final class CollectiveRows {
  private static final int MEMBERS = 4;

  private CollectiveRows() {}

  static List<Row> rows() {
    List<Row> rows =
        new ArrayList<>(
            List.of(
                value("checked", "on", CollectiveSettings::checked),
                value("shared-cell", "off", CollectiveSettings::sharedCell),
                value("shared-memory", "always", CollectiveSettings::sharedMemory),
                value("chunk-size", "1 KiB", CollectiveSettings::chunkBytes),
                value("slots", "2", CollectiveSettings::slots),
                value("segments-in-flight", "1", CollectiveSettings::segmentsInFlight),
                value("timeout", "3 s", CollectiveSettings::timeout),
                Row.behaviour(
                        "collective.segment-size",
                        "1 KiB",
                        last(
                            () -> CollectiveCall.broadcast(Elements.of(new long[1024]), 0),
                            CollectiveCompletion::segments))
                    .with("tagfabric.collective.algorithm.broadcast = chain"),
                Row.behaviour(
                    "collective.table",
                    "[\"scan 4 1024 linear\"]",
                    last(
                        () -> CollectiveCall.scan(longs(1), longs(1), Reduction.SUM),
                        CollectiveCompletion::algorithm)),
                // They have one algorithm each that runs on one host.
                value("algorithm.barrier", "dissemination", CollectiveSettings::forced),
                value("algorithm.neighbour-exchange", "linear", CollectiveSettings::forced)));
    rows.addAll(
        List.of(
            forced(Collective.BROADCAST, "linear", () -> CollectiveCall.broadcast(longs(4), 0)),
            forced(
                Collective.REDUCE,
                "linear",
                () -> CollectiveCall.reduce(longs(4), longs(4), Reduction.SUM, 0)),
            forced(
                Collective.ALLREDUCE,
                "ring",
                () -> CollectiveCall.allreduce(longs(4), longs(4), Reduction.SUM)),
            forced(
                Collective.GATHER,
                "binomial",
                () -> CollectiveCall.gather(longs(1), longs(MEMBERS), 0)),
            forced(
                Collective.SCATTER,
                "binomial",
                () -> CollectiveCall.scatter(longs(MEMBERS), longs(1), 0)),
            forced(
                Collective.ALLGATHER,
                "ring",
                () -> CollectiveCall.allgather(longs(1), longs(MEMBERS))),
            forced(
                Collective.ALLTOALL,
                "pairwise",
                () -> CollectiveCall.alltoall(longs(MEMBERS), longs(MEMBERS))),
            forced(
                Collective.REDUCE_SCATTER,
                "pairwise",
                () -> CollectiveCall.reduceScatterBlock(longs(MEMBERS), longs(1), Reduction.SUM)),
            forced(
                Collective.SCAN,
                "linear",
                () -> CollectiveCall.scan(longs(1), longs(1), Reduction.SUM)),
            forced(
                Collective.EXSCAN,
                "linear",
                () -> CollectiveCall.exscan(longs(1), longs(1), Reduction.SUM))));
    return rows;
  }

  private static Elements longs(int count) {
    return Elements.of(new long[count]);
  }

  private static Row value(String key, String value, Function<CollectiveSettings, Object> look) {
    return Row.value("collective." + key, value, read(s -> look.apply(CollectiveSettings.of(s))));
  }

  private static Row forced(
      Collective collective, String algorithm, Supplier<CollectiveCall> call) {
    return Row.behaviour(
        "collective.algorithm." + collective.key(),
        algorithm,
        last(call, CollectiveCompletion::algorithm));
  }

  /** What the completion of a collective of four members says, at the last of them. */
  private static Function<String, Object> last(
      Supplier<CollectiveCall> call, Function<CollectiveCompletion, Object> look) {
    return settings -> {
      try (TestFabric fabric =
          TestFabric.builder()
              .endpoints("m0", "m1", "m2", "m3")
              .settings("tagfabric.collective.shared-cell = off\n" + settings)
              .progress(ProgressMode.MANUAL)
              .build()) {
        List<CompletionStage<CollectiveCompletion>> started = new ArrayList<>();
        for (Team team : fabric.openTeam()) {
          started.add(team.start(call.get()));
        }
        List<CollectiveCompletion> ended = started.stream().map(fabric::await).toList();
        return look.apply(ended.get(MEMBERS - 1));
      }
    };
  }
}
