package io.tagfabric.endpoint;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.StepQueue;

/** The loop's own call into an endpoint's accesses to the memory of peers. */
final class DirectAccesses {
  private final LoopEntry entry;
  private final EndpointCore core;
  private final EndpointLife life;
  private final AccessCompletions ends;
  private final EndpointBindings bindings;
  private final ReachedMemory reached;
  private final ReachedMemory implicit;
  private final StepQueue.Handler<MemoryOperation> step = this::begin;

  DirectAccesses(
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
  void told(MemoryOperation access) {
    try {
      AccessRequests.require(access, bindings);
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

  /** Thread: the loop. */
  void begin(MemoryOperation access) {
    if (!access.begin()) {
      return;
    }
    ends.accepted(access);
    try {
      if (ends.mayBegin(access)) {
        core.access(access);
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
            core.refuse(access);
            ends.flush();
          }
        });
  }
}
