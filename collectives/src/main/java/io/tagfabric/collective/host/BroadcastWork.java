package io.tagfabric.collective.host;

/** The root writes chunk after chunk, as many ahead as there are slots; the others read. */
final class BroadcastWork extends HostWork {
  private final int count;
  private final int root;
  private boolean inline;
  private int each;
  private int stages;

  BroadcastWork(HostCall call) {
    super(call);
    count = call.count();
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
    return rank == root;
  }

  @Override
  void write(int stage, int at) {
    put(call.output(), stage * each, length(stage), at);
  }

  @Override
  boolean reads(int stage, int member) {
    return member == root;
  }

  @Override
  void read(int stage, int member, int at) {
    get(at, call.output(), stage * each, length(stage));
  }
}
