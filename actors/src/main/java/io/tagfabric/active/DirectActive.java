package io.tagfabric.active;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.link.EndpointCore;
import io.tagfabric.link.EndpointGate;
import io.tagfabric.link.EndpointLife;
import io.tagfabric.link.LoopEntry;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.StepQueue;
import io.tagfabric.wire.FrameOrigin;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;

/** The loop's own call into an endpoint's active messages. */
@InternalApi
public final class DirectActive {
  private final ProgressLoop loop;
  private final LoopEntry entry;
  private final EndpointCore core;
  private final EndpointLife life;
  private final ActiveTarget target;
  private final ActiveDesk desk;
  private final EndpointGate gate;
  private final StepQueue.Handler<ActiveRequest> step = this::begin;
  private final StepQueue.Handler<Runnable> task = this::guarded;

  public DirectActive(
      ProgressLoop loop,
      LoopEntry entry,
      EndpointCore core,
      EndpointLife life,
      ActiveTarget target,
      EndpointGate gate) {
    this.loop = loop;
    this.entry = entry;
    this.core = core;
    this.life = life;
    this.target = target;
    this.gate = gate;
    desk = target.desk();
  }

  ActiveDesk desk() {
    return desk;
  }

  ActiveTarget target() {
    return target;
  }

  /** Starts a request. Thread: any. */
  void start(ActiveRequest request) {
    if (entry.tryEnter()) {
      try {
        begin(request);
      } finally {
        entry.leave(core.hasUnflushed());
      }
    } else if (!entry.joins(step, request)) {
      execute(() -> begin(request));
    }
  }

  /**
   * Claims a packet and, if one is there, a credit for a request.
   *
   * @param overhead bytes of its frame before the payload
   * @param now whether the request must be able to leave now
   * @return null if the loop cannot be had, or no packet takes {@code leastBytes}; or, {@code now},
   *     if credit or room is missing
   * @throws FabricException if there is no way to the peer
   */
  ActivePlace claim(int peer, int overhead, int leastBytes, int mostBytes, boolean now) {
    if (!entry.tryEnterNow()) {
      return null;
    }
    try {
      if (core.isClosed()) {
        return null;
      }
      Flow flow = core.flowTo(peer);
      int room = ActiveFrames.room(flow.maxFrameBytes(), overhead);
      if (room < leastBytes) {
        return null;
      }
      int frameBytes = PacketLayout.aligned(overhead + Math.min(room, mostBytes));
      boolean credit = now ? flow.actives().reserveNow(frameBytes) : flow.actives().reserve();
      return now && !credit ? null : ActivePlace.of(flow, credit, flow.prepare(frameBytes));
    } finally {
      entry.leave(core.hasUnflushed());
    }
  }

  /**
   * Takes an empty packet for a reply.
   *
   * @return null if the loop cannot be had
   */
  Packet packetFor(FrameOrigin asker, int frameBytes) {
    if (loop.isDriving()) {
      return asker.prepare(frameBytes);
    }
    if (!entry.tryEnterNow()) {
      return null;
    }
    try {
      return asker.prepare(frameBytes);
    } finally {
      entry.leave(core.hasUnflushed());
    }
  }

  /** A claim has ended without a request: gives its room and credit back. Thread: any. */
  void giveUp(ActivePlace place) {
    run(place::giveUp);
  }

  /** Runs something short on the loop, also when the endpoint has closed. Thread: any. */
  void run(Runnable work) {
    if (entry.tryEnter()) {
      try {
        guarded(work);
      } finally {
        entry.leave(core.hasUnflushed());
      }
    } else if (!entry.joins(task, work)) {
      execute(() -> guarded(work));
    }
  }

  private void execute(Runnable work) {
    loop.execute(work);
    if (!gate.isOpen()) {
      entry.run(() -> {}); // of a domain that has closed nobody else drives the loop
    }
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      life.defect(e);
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
        started = submitNow(request);
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
      submit(request);
    } catch (RuntimeException e) {
      request.onFailed(FabricError.OTHER, "the endpoint has failed: " + e);
      life.defect(e);
    }
  }

  // ---- to the flows ----

  /** Sends a request, or tells it why not. */
  private void submit(ActiveRequest request) {
    if (core.isClosed()) {
      request.onFailed(FabricError.CANCELED, core.closedBecause());
      return;
    }
    try {
      ActivePlace place = request.place();
      if (place == null) {
        flowOf(request).actives().submit(request);
        return;
      }
      Flow claimed = place.flow();
      request.goesTo(claimed.origin(), claimed.maxFrameBytes());
      if (place.hasCredit()) {
        claimed.actives().submitReserved(request);
      } else {
        claimed.actives().submit(request);
      }
    } catch (FabricException e) {
      request.onFailed(e.error(), e.getMessage());
    }
  }

  /**
   * Sends a request if all of it can leave now, or tells it why it never can.
   *
   * @return false if nothing has happened, but that a flow to the peer is being set up
   */
  private boolean submitNow(ActiveRequest request) {
    if (core.isClosed()) {
      request.onFailed(FabricError.CANCELED, core.closedBecause());
      return true;
    }
    try {
      return flowOf(request).actives().submitNow(request);
    } catch (FabricException e) {
      request.onFailed(e.error(), e.getMessage());
      return true;
    }
  }

  private Flow flowOf(ActiveRequest request) {
    Flow flow = core.flowTo(request.peer());
    EndpointCore.requireIncarnation(request.region(), flow);
    request.goesTo(flow.origin(), flow.maxFrameBytes());
    return flow;
  }
}
