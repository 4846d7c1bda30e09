package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.host.SharedCall;
import io.tagfabric.collective.host.SharedSegment;
import io.tagfabric.collective.host.SharedWork;
import io.tagfabric.progress.ProgressFuture;
import java.util.function.Consumer;

/** A collective carried by the memory of one host. */
final class SharedRun extends CallRun implements SharedTier.Task {
  /** The name of what carried it. */
  static final String TIER = "shm";

  private final SharedTier tier;
  private final Listener listener;
  private final Consumer<SharedRun> onRefused;
  private SharedWork work;

  /**
   * Prepares it.
   *
   * @param onRefused runs if the memory is not used
   */
  SharedRun(
      SharedTier tier,
      CollectiveCall call,
      Shape shape,
      long epoch,
      ProgressFuture<CollectiveCompletion> future,
      Listener listener,
      Consumer<SharedRun> onRefused) {
    super(call, shape, epoch, future);
    this.tier = tier;
    this.listener = listener;
    this.onRefused = onRefused;
  }

  @Override
  public SharedWork work(SharedSegment segment) {
    CollectiveCall call = call();
    CollectiveCall apart = folds() && call.input().isSame(call.output()) ? call : call.apart();
    work =
        SharedWork.of(
            new SharedCall(
                signature().hash(),
                call.collective(),
                shape(),
                apart.input(),
                apart.output(),
                call.operator()),
            segment);
    return work;
  }

  /** These combine in memory of their own, or know that the memory is the same. */
  private boolean folds() {
    return switch (call().collective()) {
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
    tier.close();
    return true;
  }

  @Override
  public void onDone() {
    listener.onDone(this, completion(work.algorithm(), TIER, MessageCounts.NONE));
  }

  @Override
  public void onRefused() {
    onRefused.accept(this);
  }
}
