package io.tagfabric.collective.run;

import io.tagfabric.collective.algorithm.Shape;
import io.tagfabric.collective.host.SharedCall;
import io.tagfabric.collective.host.SharedSegment;
import io.tagfabric.collective.host.SharedWork;
import java.util.function.Consumer;

/** A collective carried by the memory of one host. */
final class SharedRun extends CallRun implements SharedTier.Task {
  /** The name of what carried it. */
  static final String TIER = "shm";

  private final SharedTier tier;
  private final Listener listener;
  private final Consumer<SharedRun> onRefused;
  private final Input input;
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
      CallEnd end,
      Listener listener,
      Consumer<SharedRun> onRefused) {
    super(call, shape, epoch, end, tier.time());
    this.input = readsFirst() ? null : new Input(call);
    this.tier = tier;
    this.listener = listener;
    this.onRefused = onRefused;
  }

  @Override
  public SharedWork work(SharedSegment segment) {
    if (work != null) { // started again
      return work;
    }
    CollectiveCall call = call();
    CollectiveCall apart = input == null ? call : input.apart();
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

  private boolean readsFirst() {
    return folds() && call().input().isSame(call().output());
  }

  /** These combine in memory of their own, or know that the memory is the same. */
  private boolean folds() {
    return switch (call().collective()) {
      case REDUCE, ALLREDUCE, SCAN, EXSCAN -> true;
      default -> false;
    };
  }

  @Override
  boolean again(long itsEpoch) {
    restarted(itsEpoch);
    if (input != null) {
      input.again();
    }
    return true;
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
    ended(work.algorithm(), TIER, MessageCounts.NONE);
    listener.onDone(this);
  }

  @Override
  public void onRefused() {
    onRefused.accept(this);
  }
}
