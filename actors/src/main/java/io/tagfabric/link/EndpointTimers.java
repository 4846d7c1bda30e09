package io.tagfabric.link;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.progress.LoopTimers;
import io.tagfabric.progress.StepQueue;
import java.util.function.Consumer;

/**
 * The loop's timers for one endpoint: a defect met by one of its own ends no pass of the loop.
 *
 * @param defects runs with its exception
 */
@InternalApi
public record EndpointTimers(
    LoopTimers timers, StepQueue steps, Consumer<RuntimeException> defects) {
  /** As {@link LoopTimers#schedule}. */
  LoopTimers.Timer schedule(long atNs, Runnable action) {
    return timers.schedule(
        atNs,
        () -> {
          try {
            action.run();
          } catch (RuntimeException e) {
            defects.accept(e);
          }
          steps.run();
        });
  }
}
