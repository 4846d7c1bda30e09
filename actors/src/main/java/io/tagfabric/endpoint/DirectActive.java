package io.tagfabric.endpoint;

import io.tagfabric.error.FabricError;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.StepQueue;

/** The loop's own call into an endpoint's active messages. */
final class DirectActive {
  private final ProgressLoop loop;
  private final LoopEntry entry;
  private final EndpointCore core;
  private final EndpointLife life;
  private final ActiveDesk desk;
  private final StepQueue.Handler<ActiveRequest> step = this::begin;

  DirectActive(
      ProgressLoop loop, LoopEntry entry, EndpointCore core, EndpointLife life, ActiveDesk desk) {
    this.loop = loop;
    this.entry = entry;
    this.core = core;
    this.life = life;
    this.desk = desk;
  }

  ActiveDesk desk() {
    return desk;
  }

  /** Starts a request. Thread: any. */
  void start(ActiveRequest request, Endpoint endpoint) {
    if (entry.tryEnter()) {
      try {
        begin(request);
      } finally {
        entry.leave(core.hasUnflushed());
      }
    } else if (!entry.joins(step, request)) {
      loop.execute(() -> begin(request));
      if (!endpoint.isOpen()) {
        entry.run(() -> {}); // of a domain that has closed nobody else drives the loop
      }
    }
  }

  /**
   * Starts a request if all of it can leave now.
   *
   * @return false if nothing has happened
   */
  boolean startNow(ActiveRequest request) {
    if (!entry.tryEnterNow()) {
      return false;
    }
    try {
      desk.begin(request);
      boolean started = false;
      try {
        started = core.requestNow(request);
      } finally {
        if (!started) {
          desk.remove(request);
        }
      }
      return started;
    } catch (RuntimeException e) {
      life.defect(e);
      throw e;
    } finally {
      entry.leave(core.hasUnflushed());
    }
  }

  private void begin(ActiveRequest request) {
    desk.begin(request);
    try {
      core.request(request);
    } catch (RuntimeException e) {
      request.onFailed(FabricError.OTHER, "the endpoint has failed: " + e);
      life.defect(e);
    }
  }
}
