package io.tagfabric.collective.host;

/**
 * A work that cuts its vector, or each of its blocks, into chunks, one a stage; what is short
 * stands beside the flags.
 */
abstract class ChunkedWork extends SharedWork {
  final int count;
  private boolean inline;
  private int each;
  private int stages;

  ChunkedWork(SharedCall call) {
    super(call);
    count = call.count();
  }

  /** Bytes that a member writes in all. */
  long bytesWritten() {
    return (long) count * kind.bytes();
  }

  /** The longest chunk. */
  int chunkBytes() {
    return 2 * layout().sliceBytes;
  }

  @Override
  void plan() {
    inline = bytesWritten() <= SharedLayout.INLINE;
    each = inline ? Math.max(1, count) : fitting(chunkBytes());
    stages = stagesFor(count, each);
  }

  /** The first element of a stage. */
  final int first(int stage) {
    return stage * each;
  }

  /** Elements of a stage. */
  final int length(int stage) {
    return Math.min(each, count - stage * each);
  }

  @Override
  final int stages() {
    return stages;
  }

  @Override
  final boolean isInline() {
    return inline;
  }
}
