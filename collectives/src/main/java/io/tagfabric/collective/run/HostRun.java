package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.host.HostCall;
import io.tagfabric.collective.host.HostSegment;
import io.tagfabric.collective.host.HostWork;
import io.tagfabric.progress.ProgressFuture;
import java.util.function.Consumer;

/** A collective carried by the memory of one host. */
final class HostRun extends CallRun implements HostTier.Task {
  /** The name of what carried it. */
  static final String TIER = "shm";

  private final HostTier tier;
  private final Listener listener;
  private final Consumer<HostRun> onRefused;
  private HostWork work;

  /**
   * Prepares it.
   *
   * @param onRefused runs if the memory is not used
   */
  HostRun(
      HostTier tier,
      CollectiveCall call,
      Shape shape,
      long epoch,
      ProgressFuture<CollectiveCompletion> future,
      Listener listener,
      Consumer<HostRun> onRefused) {
    super(call, shape, epoch, future);
    this.tier = tier;
    this.listener = listener;
    this.onRefused = onRefused;
  }

  @Override
  public HostWork work(HostSegment segment) {
    CollectiveCall call = call();
    CollectiveCall apart = folds() && call.input().isSame(call.output()) ? call : call.apart();
    work =
        HostWork.of(
            new HostCall(
                call.collective(),
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
    listener.onDone(this, completion(work.algorithm(), TIER, Traffic.NONE));
  }

  @Override
  public void onRefused() {
    onRefused.accept(this);
  }
}
