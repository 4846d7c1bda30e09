package io.tagfabric.endpoint;

import io.tagfabric.progress.LoopTimers;

/** The loop's timers for one endpoint: a defect met by one of its own ends no pass of the loop. */
record EndpointTimers(LoopTimers timers, EndpointOutput output) {
  /** As {@link LoopTimers#schedule}. */
  LoopTimers.Timer schedule(long atNs, Runnable action) {
    return timers.schedule(
        atNs,
        () -> {
          try {
            action.run();
          } catch (RuntimeException e) {
            output.failed(e);
          }
        });
  }
}
