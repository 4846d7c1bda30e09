package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A region of a peer as a loop reaches it itself. Its bytes may be touched between an {@link
 * #enter} that was let in and {@link #leave}, and never written if its rights do not say so: they
 * may be mapped to be read only. Thread: one loop.
 */
@InternalApi
public final class DirectRegion {
  private final RegionGate gate;
  private final AccessMark mark;
  private final long generation;
  private final RegionPass pass;
  private final UnsafeBuffer bytes;
  private final MemoryEnd end;

  /**
   * A region.
   *
   * @param mark of the loop that reaches it
   * @param bytes of it and, at their end, of what fills up a word of 8
   * @param end of the memory that they lie in
   */
  public DirectRegion(
      RegionGate gate,
      AccessMark mark,
      long generation,
      RegionPass pass,
      UnsafeBuffer bytes,
      MemoryEnd end) {
    this.gate = gate;
    this.mark = mark;
    this.generation = generation;
    this.pass = pass;
    this.bytes = bytes;
    this.end = end;
  }

  /** Begins an access; false if the region has closed. */
  public boolean enter() {
    return gate.enter(mark, generation);
  }

  /** Ends an access. */
  public void leave() {
    mark.clear();
  }

  /** Whether an access of many bytes must end: the region closes. */
  public boolean isCut() {
    return gate.isCut(generation);
  }

  /** Whether it can still be accessed. */
  public boolean isOpen() {
    return end.isThere() && gate.isOpen(generation);
  }

  /** Whether its memory has the file below it, which another process may cut. */
  public boolean hasItsFile() {
    return end.isThere();
  }

  /** What accesses keep to. */
  public RegionPass pass() {
    return pass;
  }

  /** Its bytes. */
  public UnsafeBuffer bytes() {
    return bytes;
  }
}
