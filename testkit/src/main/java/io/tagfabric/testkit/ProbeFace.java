package io.tagfabric.testkit;

import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricException;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** How a probe takes a message out of its endpoint. Thread: that of the test. */
abstract class ProbeFace {
  private final TestFabric fabric;

  ProbeFace(TestFabric fabric) {
    this.fabric = fabric;
  }

  /** What the probe belongs to. */
  final TestFabric fabric() {
    return fabric;
  }

  /**
   * Takes the first message that fits.
   *
   * @return null if none has come in time; then nothing stays posted
   * @throws FabricException what the receive failed with
   */
  abstract TaggedMessage receive(TagSelector selector, Duration timeout);

  /** Gives back what it holds. */
  void stop() {}

  final boolean isMet(BooleanSupplier condition, Duration timeout) {
    return Waits.until(fabric.domain().loop(), condition, timeout);
  }

  static FabricException exception(Completion.Failed failure) {
    return new FabricException(failure.error(), failure.detail());
  }
}
