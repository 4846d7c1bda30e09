package io.tagfabric.simulation.network;

import io.tagfabric.provider.SharedMemory;
import io.tagfabric.provider.shm.ShmSegment;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.wire.MemoryKey;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** What one node reaches of the memory of others. */
final class SimulatedSharedMemory implements SharedMemory {
  /** Half of the eager limit: some messages are sent as a copy, others are read where they lie. */
  private static final int LEAST_BYTES = 1024;

  private final SimulatedNetwork network;
  private final int node;

  SimulatedSharedMemory(SimulatedNetwork network, int node) {
    this.network = network;
    this.node = node;
  }

  @Override
  public int leastBytes() {
    return LEAST_BYTES;
  }

  @Override
  public MemoryKey keyOf(DirectBuffer buffer, int offset, int length) {
    return network.memories().keyOf(node, buffer, offset, length);
  }

  @Override
  public void revoke(MemoryKey own) {
    network.memories().revoke(own);
  }

  @Override
  public boolean read(
      MemoryKey peers, long position, MutableDirectBuffer target, int targetOffset, int length) {
    ShmSegment segment = reachable(peers);
    return segment != null && segment.read(peers, position, target, targetOffset, length);
  }

  @Override
  public boolean write(
      MemoryKey peers, long position, DirectBuffer source, int sourceOffset, int length) {
    ShmSegment segment = reachable(peers);
    return segment != null && segment.write(peers, position, source, sourceOffset, length);
  }

  private ShmSegment reachable(MemoryKey key) {
    SimulatedMemories.Segment segment = network.memories().of(key);
    return segment == null || network.fires(Site.MEMORY) ? null : segment.mapped();
  }
}
