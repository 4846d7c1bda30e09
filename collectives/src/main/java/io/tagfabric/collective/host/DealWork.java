package io.tagfabric.collective.host;

import io.tagfabric.collective.algorithm.Collective;
import io.tagfabric.collective.reduce.Elements;
import org.agrona.DirectBuffer;

/**
 * Scatter, alltoall and reduce-scatter with equal blocks: a giver writes a slice for each member, a
 * taker reads its own of each.
 */
final class DealWork extends ChunkedWork {
  private final Fold fold = new Fold();
  private final boolean fromAll;
  private final int root;
  private int stride;

  DealWork(SharedCall call) {
    super(call);
    fromAll = call.collective() != Collective.SCATTER;
    root = call.shape().root();
  }

  @Override
  long bytesWritten() {
    return size * super.bytesWritten();
  }

  @Override
  int chunkBytes() {
    return layout().sliceBytes;
  }

  @Override
  void plan() {
    super.plan();
    stride = isInline() ? count * kind.bytes() : layout().sliceBytes;
  }

  @Override
  void begin(int stage) {
    fold.begin();
  }

  private boolean gives(int member) {
    return fromAll || member == root;
  }

  @Override
  boolean writes(int stage) {
    return gives(rank);
  }

  @Override
  void write(int stage, int at) {
    for (int member = 0; member < size; member++) {
      if (member != rank) {
        put(call.input(), member * count + first(stage), length(stage), at + member * stride);
      }
    }
  }

  @Override
  boolean reads(int stage, int member) {
    return gives(member);
  }

  @Override
  void read(int stage, int member, int at) {
    switch (call.collective()) {
      case REDUCE_SCATTER -> add(stage, memory(), at + rank * stride);
      case ALLTOALL ->
          get(at + rank * stride, call.output(), member * count + first(stage), length(stage));
      default -> get(at + rank * stride, call.output(), first(stage), length(stage));
    }
  }

  @Override
  void readOwn(int stage, int at) {
    Elements input = call.input();
    int first = rank * count + first(stage);
    switch (call.collective()) {
      case REDUCE_SCATTER -> add(stage, input.buffer(), input.offset() + first * kind.bytes());
      case ALLTOALL -> copy(input, first, call.output(), first, length(stage));
      default -> {
        if (rank == root) {
          copy(input, first, call.output(), first(stage), length(stage));
        }
      }
    }
  }

  private void add(int stage, DirectBuffer buffer, int at) {
    Elements into = call.output();
    int intoAt = into.offset() + first(stage) * kind.bytes();
    fold.add(buffer, at, into.buffer(), intoAt, length(stage));
  }

  @Override
  void end(int stage) {
    if (call.collective() == Collective.REDUCE_SCATTER) {
      Elements into = call.output();
      int intoAt = into.offset() + first(stage) * kind.bytes();
      fold.end(into.buffer(), intoAt, length(stage));
    }
  }
}
