package io.tagfabric.collective.algorithm;

import java.util.Locale;

/** The collective operations. */
public enum Collective {
  BARRIER,
  BROADCAST,
  REDUCE,
  ALLREDUCE,
  GATHER,
  SCATTER,
  ALLGATHER,
  ALLTOALL,
  REDUCE_SCATTER,
  SCAN,
  EXSCAN,
  NEIGHBOUR_EXCHANGE;

  private final String key = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** The name in settings and reports, such as {@code reduce-scatter}. */
  public String key() {
    return key;
  }

  /** Whether contributions are combined by an operator. */
  public boolean reduces() {
    return switch (this) {
      case REDUCE, ALLREDUCE, REDUCE_SCATTER, SCAN, EXSCAN -> true;
      default -> false;
    };
  }

  /**
   * Whether element i of the result depends on elements i alone, so that ranges are independent.
   */
  public boolean elementwise() {
    return switch (this) {
      case BROADCAST, REDUCE, ALLREDUCE, SCAN, EXSCAN -> true;
      default -> false;
    };
  }

  /** Whether one rank is special. */
  public boolean rooted() {
    return switch (this) {
      case BROADCAST, REDUCE, GATHER, SCATTER -> true;
      default -> false;
    };
  }
}
