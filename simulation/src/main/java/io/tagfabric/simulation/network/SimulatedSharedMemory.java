package io.tagfabric.simulation.network;

import io.tagfabric.provider.SharedMemory;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.wire.MemoryKey;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** What one node reaches of the memory of others. */
final class SimulatedSharedMemory implements SharedMemory {
  private final SimulatedNetwork network;
  private final int node;

  SimulatedSharedMemory(SimulatedNetwork network, int node) {
    this.network = network;
    this.node = node;
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
    SimulatedMemories.Segment segment = reachable(peers, position, length);
    if (segment == null) {
      return false;
    }
    target.putBytes(targetOffset, segment.bytes(), (int) (peers.at() + position), length);
    return true;
  }

  @Override
  public boolean write(
      MemoryKey peers, long position, DirectBuffer source, int sourceOffset, int length) {
    SimulatedMemories.Segment segment = reachable(peers, position, length);
    if (segment == null) {
      return false;
    }
    segment.bytes().putBytes((int) (peers.at() + position), source, sourceOffset, length);
    return true;
  }

  private SimulatedMemories.Segment reachable(MemoryKey key, long position, int length) {
    SimulatedMemories.Segment segment = network.memories().of(key);
    return segment == null
            || !segment.isGood(key)
            || !segment.has(key, position, length)
            || network.fires(Site.MEMORY)
        ? null
        : segment;
  }
}
