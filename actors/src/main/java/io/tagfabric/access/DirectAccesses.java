package io.tagfabric.access;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.flow.Flow;
import io.tagfabric.link.EndpointCore;
import io.tagfabric.link.EndpointLife;
import io.tagfabric.link.LoopEntry;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.progress.StepQueue;
import io.tagfabric.receive.EndpointBindings;

/** The loop's own call into an endpoint's accesses to the memory of peers. */
@InternalApi
public final class DirectAccesses {
  private final LoopEntry entry;
  private final EndpointCore core;
  private final EndpointLife life;
  private final AccessCompletions ends;
  private final EndpointBindings bindings;
  private final ReachedMemory reached;
  private final ReachedMemory implicit;
  private final StepQueue.Handler<MemoryOperation> step = this::begin;

  public DirectAccesses(
      LoopEntry entry,
      EndpointCore core,
      EndpointLife life,
      AccessCompletions ends,
      EndpointBindings bindings,
      ReachedMemory reached) {
    this.reached = reached;
    implicit = reached.implicitly();
    this.entry = entry;
    this.core = core;
    this.life = life;
    this.ends = ends;
    this.bindings = bindings;
  }

  /** The memory that the caller's thread reaches. */
  ReachedMemory reached() {
    return reached;
  }

  /** The same for accesses of which no queue is told. */
  ReachedMemory reachedImplicitly() {
    return implicit;
  }

  /** A program's access is accepted. Thread: any. */
  void accepted(MemoryOperation access) {
    ends.accepted(access);
  }

  /** Starts an access that has been accepted; false if it must be told. Thread: any. */
  boolean start(MemoryOperation access) {
    if (!entry.tryEnter()) {
      return entry.joins(step, access);
    }
    try {
      begin(access);
    } finally {
      entry.leave(core.hasUnflushed());
    }
    return true;
  }

  /**
   * Starts an access only if it can leave now.
   *
   * @return false if nothing has happened
   */
  boolean startNow(MemoryOperation access) {
    if (!entry.tryEnterNow()) {
      return false;
    }
    try {
      boolean leaves = core.mayLeaveNow(access);
      if (leaves) {
        begin(access);
      }
      return leaves;
    } finally {
      entry.leave(core.hasUnflushed());
    }
  }

  /** A message of an actor's: nobody has looked yet whether the endpoint may. Thread: the loop. */
  public void told(MemoryOperation access) {
    try {
      require(access);
    } catch (FabricException e) {
      if (access.begin()) {
        ends.accepted(access);
        if (ends.mayBegin(access)) {
          ends.fail(access, e.error(), e.getMessage());
        }
        ends.flush();
      }
    }
    begin(access);
  }

  /**
   * Refuses what the endpoint was opened without. Thread: any.
   *
   * @throws FabricException OPERATION_NOT_SUPPORTED
   */
  void require(MemoryOperation access) {
    if (bindings.datagrams()) {
      throw Access.notSupported(
          "the endpoint sends datagrams, open one without for accesses to memory");
    }
    boolean writes = access.writes();
    boolean reads = access.answerBytes() > 0 || access.kind() == MemoryOperation.Kind.READ;
    if ((writes && !bindings.accesses().contains(EndpointBindings.Access.WRITE))
        || (reads && !bindings.accesses().contains(EndpointBindings.Access.READ))) {
      throw Access.notSupported(
          "the endpoint was opened for accesses="
              + bindings.accesses()
              + ", open it with EndpointBindings.accessing("
              + (writes ? "WRITE" : "READ")
              + ")");
    }
  }

  /** Ends an access that was accepted and will not begin. Thread: the loop. */
  void fail(MemoryOperation access, FabricError error, String detail) {
    if (access.begin()) {
      ends.fail(access, error, detail);
      ends.flush();
    }
  }

  /** Thread: the loop. */
  void begin(MemoryOperation access) {
    if (!access.begin()) {
      return;
    }
    ends.accepted(access);
    try {
      if (ends.mayBegin(access)) {
        submit(access);
      }
    } catch (RuntimeException e) {
      ends.fail(access, FabricError.OTHER, "the endpoint has failed: " + e);
      life.defect(e);
    }
    ends.flush();
  }

  /** Fails an access that was told to an actor that may have stopped, unless it has begun. */
  void refuse(MemoryOperation access) {
    entry.run(
        () -> {
          if (access.begin()) {
            ends.mayBegin(access);
            close(access);
            ends.flush();
          }
        });
  }

  /** Ends an access that nothing is asked of any peer for: the endpoint is closed, or it is so. */
  private void close(MemoryOperation access) {
    if (access.kind() == MemoryOperation.Kind.END) {
      ends.endRegion(access);
    } else {
      ends.fail(access, FabricError.CANCELED, core.closedBecause());
    }
  }

  // ---- to the flows ----

  private void submit(MemoryOperation access) {
    boolean isEnd = access.kind() == MemoryOperation.Kind.END;
    if (ends.trace().isOn() && !isEnd) {
      recordPosted(access);
    }
    if (isEnd || core.isClosed()) {
      close(access);
    } else if (access.peer() == MemoryOperation.ALL_PEERS) {
      flushAll(access);
    } else {
      submitOne(access);
    }
  }

  private void recordPosted(MemoryOperation access) {
    RegionDescriptor region = access.region();
    access.trace(
        ends.trace()
            .posted(
                access.does(),
                access.peer(),
                region == null ? 0 : region.incarnation(),
                access.key(),
                access.regionOffset(),
                access.accessedBytes()));
  }

  private void submitOne(MemoryOperation access) {
    try {
      Flow flow = core.flowFor(access);
      EndpointCore.requireIncarnation(access.region(), flow);
      access.requireRights(flow.isOwn());
      if (access.division() == null) {
        access.mayBounce(ends.bounces());
        flow.submit(access);
      } else {
        submitParts(flow, access);
      }
    } catch (FabricException e) {
      ends.fail(access, e.error(), e.getMessage());
    }
  }

  private void submitParts(Flow flow, MemoryOperation access) {
    PartsOfOne parts = new PartsOfOne(access, ends);
    boolean[] fences = {access.isFenced()};
    access
        .division()
        .forEach(
            access,
            part -> {
              if (fences[0]) {
                part.fence(); // those behind it wait with it
                fences[0] = false;
              }
              parts.add(part);
              part.mayBounce(ends.bounces());
              flow.submit(part);
            });
    parts.all();
  }

  private void flushAll(MemoryOperation access) {
    PartsOfOne all = new PartsOfOne(access, ends);
    for (Flow flow : core.flows()) {
      if (flow.accesses().isUsed() && !flow.isLost()) {
        MemoryOperation flush = new MemoryOperation(MemoryOperation.Kind.FLUSH, flow.peer());
        all.add(flush);
        flow.submit(flush);
      }
    }
    all.all();
  }
}
