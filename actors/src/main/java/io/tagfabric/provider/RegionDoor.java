package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The owner's side of a region that others access themselves. Thread: any, one at a time.
 *
 * <p>{@link #shut}, then {@link #cut} if there is no more time, then {@link #isQuiet} until it is
 * so, then {@link #release}.
 */
@InternalApi
public final class RegionDoor {
  private final GatedMemory memory;
  private final RegionGate gate;
  private final long generation;
  private boolean released;

  RegionDoor(GatedMemory memory, RegionGate gate, long generation) {
    this.memory = memory;
    this.gate = gate;
    this.generation = generation;
  }

  RegionGate gate() {
    return gate;
  }

  GatedMemory memory() {
    return memory;
  }

  /** The bytes of the region, and at their end what fills up a word of 8. */
  public UnsafeBuffer words(long length) {
    return LocalRegions.bytes(memory.words(), gate.bytesAt(), length);
  }

  /**
   * Whether its memory has the file below it, which another process may cut. If not, touching it is
   * safe all the same.
   */
  public boolean hasItsFile() {
    if (memory.end().isThere()) {
      return true;
    }
    memory.restore();
    return false;
  }

  /** Takes a step that touches memory whose file may be cut meanwhile. */
  private void outlive(Runnable step) {
    try {
      hasItsFile();
      step.run();
    } catch (InternalError cut) {
      memory.restore();
      step.run();
    }
  }

  /** Refuses new accesses at once. Idempotent. */
  public void shut() {
    outlive(gate::shut);
    LocalRegions.forget(generation);
    memory.hideGate(generation);
  }

  /** Long accesses that are under way end with their next part. */
  public void cut() {
    outlive(() -> gate.cut(generation));
  }

  /** Whether no access is under way. Of a shut door this stays so. */
  public boolean isQuiet() {
    hasItsFile();
    return LocalRegions.isQuiet(generation) && memory.isQuiet(generation);
  }

  /** All is over: the gate may be another region's. Idempotent. */
  public void release() {
    if (!released) {
      released = true;
      memory.releaseGate(gate);
    }
  }
}
