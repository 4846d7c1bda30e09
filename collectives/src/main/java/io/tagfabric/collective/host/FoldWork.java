package io.tagfabric.collective.host;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.Elements;

/**
 * Reduce and allreduce of short vectors, scan and exscan: all write what they contribute, and who
 * wants the result combines for itself. One stage a chunk; the same order everywhere, so the same
 * result.
 */
final class FoldWork extends HostWork {
  private final Fold fold = new Fold();
  private final int count;
  private boolean inline;
  private int each;
  private int stages;

  FoldWork(HostCall call) {
    super(call);
    count = call.count();
  }

  @Override
  void plan() {
    inline = count * kind.bytes() <= HostLayout.INLINE;
    each = inline ? Math.max(1, count) : fitting(2 * layout().sliceBytes);
    stages = stagesFor(count, each);
  }

  @Override
  void begin(int stage) {
    fold.begin();
  }

  private int length(int stage) {
    return Math.min(each, count - stage * each);
  }

  @Override
  int stages() {
    return stages;
  }

  @Override
  boolean isInline() {
    return inline;
  }

  /** The last one in a scan writes too: its own is in its slot like those of others. */
  @Override
  boolean writes(int stage) {
    return true;
  }

  @Override
  void write(int stage, int at) {
    put(call.input(), stage * each, length(stage), at);
  }

  @Override
  boolean reads(int stage, int member) {
    return switch (call.collective()) {
      case REDUCE -> rank == call.shape().root();
      case SCAN, EXSCAN -> member < rank;
      default -> true;
    };
  }

  @Override
  void read(int stage, int member, int at) {
    Elements into = call.output();
    int intoAt = into.offset() + stage * each * kind.bytes();
    fold.add(memory(), at, into.buffer(), intoAt, length(stage));
  }

  @Override
  void readOwn(int stage, int at) {
    boolean counts =
        switch (call.collective()) {
          case REDUCE -> rank == call.shape().root();
          case EXSCAN -> false;
          default -> true;
        };
    if (counts) {
      read(stage, rank, at);
    }
  }

  @Override
  void end(int stage) {
    Elements into = call.output();
    boolean hasResult = call.collective() != Collective.REDUCE || rank == call.shape().root();
    if (hasResult && !fold.isEmpty()) {
      int intoAt = into.offset() + stage * each * kind.bytes();
      fold.end(into.buffer(), intoAt, length(stage));
    }
  }
}
