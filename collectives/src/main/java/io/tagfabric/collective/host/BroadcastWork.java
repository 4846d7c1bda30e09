package io.tagfabric.collective.host;

/** The root writes chunk after chunk, as many ahead as there are slots; the others read. */
final class BroadcastWork extends ChunkedWork {
  private final int root;

  BroadcastWork(SharedCall call) {
    super(call);
    root = call.shape().root();
  }

  @Override
  boolean writes(int stage) {
    return rank == root;
  }

  @Override
  void write(int stage, int at) {
    put(call.output(), first(stage), length(stage), at);
  }

  @Override
  boolean reads(int stage, int member) {
    return member == root;
  }

  @Override
  void read(int stage, int member, int at) {
    get(at, call.output(), first(stage), length(stage));
  }
}
