package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.host.HostCall;
import io.tagfabric.collective.host.HostSegment;
import io.tagfabric.collective.host.HostWork;
import io.tagfabric.progress.ProgressFuture;

/** A collective carried by the memory of one host. */
final class HostRun extends CallRun {
  private final HostTier tier;
  private final CollectiveCall call;
  private final Shape shape;
  private final long startedNs = System.nanoTime();
  private HostWork work;

  HostRun(
      HostTier tier,
      CollectiveCall call,
      Shape shape,
      long epoch,
      ProgressFuture<CollectiveCompletion> future) {
    super(epoch, future);
    this.tier = tier;
    this.call = call;
    this.shape = shape;
  }

  CollectiveCall call() {
    return call;
  }

  Shape shape() {
    return shape;
  }

  HostWork work(HostSegment segment) {
    CollectiveCall apart = folds() && call.input().isSame(call.output()) ? call : call.apart();
    work =
        HostWork.of(
            new HostCall(call.collective(), shape, apart.input(), apart.output(), call.operator()),
            segment);
    return work;
  }

  /** These combine in memory of their own, or know that the memory is the same. */
  private boolean folds() {
    return switch (call.collective()) {
      case REDUCE, ALLREDUCE, SCAN, EXSCAN -> true;
      default -> false;
    };
  }

  @Override
  void start() {
    tier.start(this);
  }

  @Override
  boolean abandon() {
    tier.abandon(this);
    return true;
  }

  CollectiveCompletion completion() {
    return new CollectiveCompletion(
        call.collective(), work.algorithm(), "shm", 1, 0, 0, System.nanoTime() - startedNs);
  }
}
