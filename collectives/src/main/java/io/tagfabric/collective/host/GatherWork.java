package io.tagfabric.collective.host;

import io.tagfabric.collective.algorithm.Collective;

/**
 * Gather and allgather: blocks go through chunk by chunk, and a member that wants them reads them
 * all.
 */
final class GatherWork extends ChunkedWork {
  private final boolean toAll;
  private final int root;

  GatherWork(SharedCall call) {
    super(call);
    toAll = call.collective() == Collective.ALLGATHER;
    root = call.shape().root();
  }

  private boolean collects() {
    return toAll || rank == root;
  }

  @Override
  boolean writes(int stage) {
    return toAll || rank != root;
  }

  @Override
  void write(int stage, int at) {
    put(call.input(), first(stage), length(stage), at);
  }

  @Override
  boolean reads(int stage, int member) {
    return collects();
  }

  @Override
  void read(int stage, int member, int at) {
    get(at, call.output(), member * count + first(stage), length(stage));
  }

  @Override
  void readOwn(int stage, int at) {
    if (collects()) {
      copy(call.input(), first(stage), call.output(), rank * count + first(stage), length(stage));
    }
  }
}
