package io.tagfabric.collective.host;

import io.tagfabric.collective.algorithm.Collective;

/** Gather and allgather: blocks go through chunk by chunk, and who wants them reads them all. */
final class GatherWork extends HostWork {
  private final int count;
  private final boolean toAll;
  private final int root;
  private boolean inline;
  private int each;
  private int stages;

  GatherWork(HostCall call) {
    super(call);
    count = call.count();
    toAll = call.collective() == Collective.ALLGATHER;
    root = call.shape().root();
  }

  @Override
  void plan() {
    inline = count * kind.bytes() <= HostLayout.INLINE;
    each = inline ? Math.max(1, count) : fitting(2 * layout().sliceBytes);
    stages = stagesFor(count, each);
  }

  private int length(int stage) {
    return Math.min(each, count - stage * each);
  }

  private boolean collects() {
    return toAll || rank == root;
  }

  @Override
  int stages() {
    return stages;
  }

  @Override
  boolean isInline() {
    return inline;
  }

  @Override
  boolean writes(int stage) {
    return toAll || rank != root;
  }

  @Override
  void write(int stage, int at) {
    put(call.input(), stage * each, length(stage), at);
  }

  @Override
  boolean reads(int stage, int member) {
    return collects();
  }

  @Override
  void read(int stage, int member, int at) {
    get(at, call.output(), member * count + stage * each, length(stage));
  }

  @Override
  void readOwn(int stage, int at) {
    if (collects()) {
      copy(call.input(), stage * each, call.output(), rank * count + stage * each, length(stage));
    }
  }
}
