package io.tagfabric.provider;

import io.tagfabric.annotation.InternalApi;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The regions of this JVM that others than their owner's loop access, and the loops of this JVM
 * that do. Thread: any.
 */
@InternalApi
public final class LocalRegions {
  /** A region begins at a multiple of this. */
  public static final int ALIGNMENT = Long.BYTES;

  /** A loop, and how many wires of it are open. */
  private record Visitor(AccessMark mark, int wires) {}

  private static final int MARK_BYTES = 256;
  private static final List<GatedMemory> MEMORIES = new CopyOnWriteArrayList<>();
  private static final Map<Long, RegionDoor> DOORS = new ConcurrentHashMap<>();
  private static final Map<Object, Visitor> VISITORS = new ConcurrentHashMap<>();

  private LocalRegions() {}

  /** Regions may be opened in this memory. */
  public static void add(GatedMemory memory) {
    MEMORIES.add(memory);
  }

  /** No more regions are opened in it. */
  public static void remove(GatedMemory memory) {
    MEMORIES.remove(memory);
  }

  /**
   * Opens a region to those who access it themselves.
   *
   * @return null if its buffer does not lie in memory for that, or there is no room for one more
   */
  public static RegionDoor open(DirectBuffer buffer, long generation, RegionPass pass) {
    if (buffer.byteArray() != null || buffer.addressOffset() % ALIGNMENT != 0) {
      return null;
    }
    for (GatedMemory memory : MEMORIES) {
      DirectBuffer all = memory.buffer();
      long at = buffer.addressOffset() - all.addressOffset();
      if (at >= 0 && at <= all.capacity() - buffer.capacity() && at % ALIGNMENT == 0) {
        return open(memory, generation, (int) at, pass);
      }
    }
    return null;
  }

  private static RegionDoor open(GatedMemory memory, long generation, int at, RegionPass pass) {
    RegionGate gate = memory.openGate(generation, at, pass);
    if (gate == null) {
      return null;
    }
    RegionDoor door = new RegionDoor(memory, gate, generation);
    DOORS.put(generation, door);
    return door;
  }

  /** Nobody of this JVM shall find a region any more. */
  static void forget(long generation) {
    DOORS.remove(generation);
  }

  /** A region of this JVM for a loop of it; null if there is none. */
  public static DirectRegion find(long generation, AccessMark mark) {
    RegionDoor door = DOORS.get(generation);
    RegionPass pass = door == null || !door.hasItsFile() ? null : door.gate().pass(generation);
    if (pass == null) {
      return null;
    }
    return new DirectRegion(
        door.gate(), mark, generation, pass, door.words(pass.length()), door.memory().end());
  }

  /** The bytes of a region and, at their end, what fills up a word. */
  public static UnsafeBuffer bytes(DirectBuffer memory, long at, long length) {
    return new UnsafeBuffer(memory, (int) at, BitUtil.align((int) length, ALIGNMENT));
  }

  /** The mark of a loop, which has one more wire. */
  public static AccessMark enter(Object loop) {
    return VISITORS.compute(
            loop,
            (key, there) ->
                there == null
                    ? new Visitor(newMark(), 1)
                    : new Visitor(there.mark, there.wires + 1))
        .mark;
  }

  /** A loop has one wire less. */
  public static void leave(Object loop) {
    VISITORS.computeIfPresent(
        loop, (key, there) -> there.wires == 1 ? null : new Visitor(there.mark, there.wires - 1));
  }

  /** In the middle of memory that nobody else touches. */
  private static AccessMark newMark() {
    return new AccessMark(new UnsafeBuffer(ByteBuffer.allocateDirect(MARK_BYTES)), MARK_BYTES / 2);
  }

  /** Whether no loop of this JVM is inside a region. */
  static boolean isQuiet(long generation) {
    for (Visitor visitor : VISITORS.values()) {
      if (visitor.mark.isInside(generation)) {
        return false;
      }
    }
    return true;
  }
}
