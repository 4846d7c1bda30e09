package io.tagfabric.collective.host;

/** All raise a flag and look at all flags: one stage. */
final class BarrierWork extends SharedWork {
  BarrierWork(SharedCall call) {
    super(call);
  }

  @Override
  void plan() {}

  @Override
  int stages() {
    return 1;
  }

  @Override
  boolean isInline() {
    return true;
  }

  @Override
  boolean writes(int stage) {
    return true;
  }

  @Override
  void write(int stage, int at) {}

  @Override
  boolean reads(int stage, int member) {
    return true;
  }

  @Override
  void read(int stage, int member, int at) {}
}
