package io.tagfabric.trials.survive;

import java.util.Locale;

/** What ranks call again and again while one of them is killed. */
enum SurviveCall {
  BARRIER,
  BROADCAST,
  REDUCE,
  ALLREDUCE,
  GATHER,
  GATHERV,
  SCATTER,
  SCATTERV,
  ALLGATHER,
  ALLGATHERV,
  ALLTOALL,
  ALLTOALLV,
  REDUCE_SCATTER,
  SCAN,
  EXSCAN,
  NEIGHBOURS,
  OBJECTS,
  SPLIT,
  DUP,
  AGREE,
  SHRINK;

  /** Its name on command lines and in reports. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The call with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static SurviveCall of(String key) {
    for (SurviveCall call : values()) {
      if (call.key().equals(key)) {
        return call;
      }
    }
    throw new IllegalArgumentException("call [" + key + "] is none, see SurviveCall");
  }
}
