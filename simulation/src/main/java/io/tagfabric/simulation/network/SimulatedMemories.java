package io.tagfabric.simulation.network;

import io.tagfabric.provider.FabricMemory;
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
  final class Segment implements FabricMemory {
    private final long number;
    private final int node;
    private final UnsafeBuffer buffer;
    private long epoch = 1;
    private boolean closed;

    Segment(long number, int node, int bytes) {
      this.number = number;
      this.node = node;
      buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes));
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
      closed = true;
      epoch++;
    }

    boolean isGood(MemoryKey key) {
      return !closed && key.epoch() == epoch;
    }

    /** Whether so many bytes from a position of a key on are this memory's. */
    boolean has(MemoryKey key, long position, int length) {
      long at = key.at() + position;
      return position >= 0 && at >= 0 && at + length <= buffer.capacity();
    }

    UnsafeBuffer bytes() {
      return buffer;
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
        return new MemoryKey(segment.number, begin - first, segment.epoch);
      }
    }
    return null;
  }

  void revoke(MemoryKey own) {
    Segment segment = segments.get(own.segment());
    if (segment != null) {
      segment.epoch++;
    }
  }

  Segment of(MemoryKey key) {
    return segments.get(key.segment());
  }
}
