package io.tagfabric.simulation.network;

import io.tagfabric.provider.AccessMark;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.provider.GatedMemory;
import io.tagfabric.provider.LocalRegions;
import io.tagfabric.provider.MemoryEnd;
import io.tagfabric.provider.RegionGate;
import io.tagfabric.provider.RegionPass;
import io.tagfabric.provider.shm.ShmSegment;
import io.tagfabric.wire.MemoryKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Memory that several nodes of a simulation reach. Thread: the simulation's. */
final class SimulatedMemories {
  private static final int MARK_BYTES = 64;

  /** Memory of one node, in which others also reach regions themselves. */
  final class Segment implements GatedMemory {
    private final long number;
    private final int node;
    private final UnsafeBuffer buffer;
    private final UnsafeBuffer words;

    /** As its owner sees it. */
    private final ShmSegment own;

    /** As peers see it. */
    private final ShmSegment mapped;

    private boolean closed;

    Segment(long number, int node, int bytes) {
      this.number = number;
      this.node = node;
      UnsafeBuffer memory =
          new UnsafeBuffer(ByteBuffer.allocateDirect((int) ShmSegment.memoryBytes(bytes)));
      own = ShmSegment.create(memory, bytes);
      mapped = new ShmSegment(memory);
      buffer = own.data(bytes);
      words = own.data(BitUtil.align(bytes, LocalRegions.ALIGNMENT));
      LocalRegions.add(this);
    }

    @Override
    public MutableDirectBuffer buffer() {
      return buffer;
    }

    @Override
    public Optional<String> sharedBy() {
      return Optional.of(SimulatedProvider.NAME);
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        own.close();
        LocalRegions.remove(this);
      }
    }

    @Override
    public RegionGate openGate(long generation, int at, RegionPass pass) {
      RegionGate gate =
          new RegionGate(new UnsafeBuffer(ByteBuffer.allocateDirect(RegionGate.BYTES)), 0);
      gate.open(generation, at, pass);
      gates.put(generation, new Gate(gate, this));
      return gate;
    }

    @Override
    public DirectBuffer words() {
      return words;
    }

    @Override
    public void hideGate(long generation) {
      gates.remove(generation);
    }

    @Override
    public boolean isQuiet(long generation) {
      return marks.stream().noneMatch(mark -> mark.isInside(generation));
    }

    @Override
    public void releaseGate(RegionGate gate) {
      // Each region has a gate of its own.
    }

    /** What a peer has mapped; it stays mapped after the close. */
    ShmSegment mapped() {
      return mapped;
    }
  }

  /** A region, and the memory that it lies in. */
  private record Gate(RegionGate gate, Segment memory) {}

  private final Map<Long, Segment> segments = new LinkedHashMap<>();
  private final Map<Long, Gate> gates = new HashMap<>();
  private final List<AccessMark> marks = new ArrayList<>();

  Segment allocate(int node, int bytes) {
    Segment segment = new Segment(1 + segments.size(), node, bytes);
    segments.put(segment.number, segment);
    return segment;
  }

  MemoryKey keyOf(int node, DirectBuffer buffer, int offset, int length) {
    long begin = buffer.addressOffset() + offset;
    for (Segment segment : segments.values()) {
      long first = segment.buffer.addressOffset();
      if (segment.node == node
          && !segment.closed
          && buffer.byteArray() == null
          && begin >= first
          && begin + length <= first + segment.buffer.capacity()) {
        return segment.own.key(segment.number, begin - first);
      }
    }
    return null;
  }

  void revoke(MemoryKey own) {
    Segment segment = segments.get(own.segment());
    if (segment != null) {
      segment.own.revoke();
    }
  }

  Segment of(MemoryKey key) {
    return segments.get(key.segment());
  }

  /** Where a loop says which region it is inside. */
  AccessMark newMark() {
    AccessMark mark = new AccessMark(new UnsafeBuffer(ByteBuffer.allocateDirect(MARK_BYTES)), 0);
    marks.add(mark);
    return mark;
  }

  /** A region for the loop of a mark; null if there is none. */
  DirectRegion region(long generation, AccessMark mark) {
    Gate there = gates.get(generation);
    RegionPass pass = there == null ? null : there.gate.pass(generation);
    return pass == null
        ? null
        : new DirectRegion(
            there.gate,
            mark,
            generation,
            pass,
            LocalRegions.bytes(there.memory.words, there.gate.bytesAt(), pass.length()),
            MemoryEnd.FIXED);
  }
}
