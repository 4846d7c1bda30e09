package io.tagfabric.collective.algorithm;

import io.tagfabric.annotation.InternalApi;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** All algorithms there are. */
@InternalApi
public final class Algorithms {
  private static final List<Algorithm> ALL =
      List.of(
          new DisseminationBarrier(),
          new BinomialBarrier(),
          new BinomialBroadcast(),
          new ScatterAllgatherBroadcast(),
          new ChainBroadcast(),
          new CirculantBroadcast(),
          new LinearBroadcast(),
          new BinomialReduce(false),
          new BinomialReduce(true),
          new RabenseifnerReduce(),
          new CirculantReduce(),
          new LinearReduce(),
          new RecursiveDoublingAllreduce(),
          new RabenseifnerAllreduce(),
          new RingAllreduce(),
          new BinomialAllreduce(),
          new BinomialGather(),
          new LinearGather(),
          new BinomialScatter(),
          new LinearScatter(),
          new BruckAllgather(),
          new RingAllgather(),
          new CirculantAllgather(),
          new LinearAllgather(),
          new BruckAlltoall(),
          new PairwiseAlltoall(false),
          new PairwiseAlltoall(true),
          new RecursiveHalvingReduceScatter(),
          new RingReduceScatter(),
          new PairwiseReduceScatter(),
          new RecursiveDoublingScan(false),
          new LinearScan(false),
          new RecursiveDoublingScan(true),
          new LinearScan(true),
          new NeighbourExchange(),
          new TwoLevel(new DisseminationBarrier()),
          new TwoLevel(new BinomialBroadcast()),
          new TwoLevel(new BinomialReduce(true)),
          new TwoLevel(new RecursiveDoublingAllreduce()));

  private Algorithms() {}

  /** Every algorithm of every collective. */
  public static List<Algorithm> all() {
    return ALL;
  }

  /** The algorithms of one collective. */
  public static List<Algorithm> of(Collective collective) {
    return ALL.stream().filter(each -> each.collective() == collective).toList();
  }

  /** The algorithm with this name. */
  public static Optional<Algorithm> find(Collective collective, String key) {
    return of(collective).stream().filter(each -> each.key().equals(key)).findFirst();
  }

  /**
   * The algorithm with this name.
   *
   * @throws IllegalArgumentException if there is none; the text says which there are
   */
  public static Algorithm get(Collective collective, String key) {
    return find(collective, key)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "algorithm=["
                        + key
                        + "] is none of "
                        + collective.key()
                        + ", choose one of "
                        + of(collective).stream()
                            .map(Algorithm::key)
                            .collect(Collectors.joining(", "))));
  }
}
