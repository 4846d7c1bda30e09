package io.tagfabric.collective.host;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.Elements;

/**
 * Reduce and allreduce of short vectors, scan and exscan: all write what they contribute, and who
 * wants the result combines for itself. One stage a chunk; the same order everywhere, so the same
 * result.
 */
final class FoldWork extends ChunkedWork {
  private final Fold fold = new Fold();

  FoldWork(SharedCall call) {
    super(call);
  }

  @Override
  void begin(int stage) {
    fold.begin();
  }

  /** The last one in a scan writes too: its own is in its slot like those of others. */
  @Override
  boolean writes(int stage) {
    return true;
  }

  @Override
  void write(int stage, int at) {
    put(call.input(), first(stage), length(stage), at);
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
    int intoAt = into.offset() + first(stage) * kind.bytes();
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
      int intoAt = into.offset() + first(stage) * kind.bytes();
      fold.end(into.buffer(), intoAt, length(stage));
    }
  }
}
