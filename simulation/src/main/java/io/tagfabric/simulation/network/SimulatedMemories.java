package io.tagfabric.simulation.network;

import io.tagfabric.provider.FabricMemory;
import io.tagfabric.provider.shm.ShmSegment;
import io.tagfabric.wire.MemoryKey;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Memory that several nodes of a simulation reach. Thread: the simulation's. */
final class SimulatedMemories {
  /** Memory of one node. */
  static final class Segment implements FabricMemory {
    private final long number;
    private final int node;
    private final UnsafeBuffer buffer;

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
      own = ShmSegment.create(memory);
      mapped = new ShmSegment(memory);
      buffer = own.data(bytes);
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
      }
    }

    /** What a peer has mapped; it stays mapped after the close. */
    ShmSegment mapped() {
      return mapped;
    }
  }

  private final Map<Long, Segment> segments = new LinkedHashMap<>();

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
}
