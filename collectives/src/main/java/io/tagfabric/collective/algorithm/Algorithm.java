package io.tagfabric.collective.algorithm;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.collective.schedule.Schedule;

/** A way to do a collective. Stateless; thread: any. */
@InternalApi
public interface Algorithm {
  /** Its name in settings and reports, unique in its collective. */
  String key();

  /** Its name in reports; one that is made of others says of which. */
  default String label() {
    return key();
  }

  /** What it does. */
  Collective collective();

  /** The rank's part of it. */
  Schedule schedule(Shape shape);

  /** Whether contributions are combined in rank order; if not, the operator must be commutative. */
  default boolean keepsOrder() {
    return true;
  }

  /** Whether it can do blocks of different lengths. */
  default boolean irregular() {
    return true;
  }

  /** Whether long vectors gain when they are cut into segments that follow one another. */
  default boolean pipelined() {
    return false;
  }
}
