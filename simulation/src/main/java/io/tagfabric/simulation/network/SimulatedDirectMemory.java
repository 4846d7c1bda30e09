package io.tagfabric.simulation.network;

import io.tagfabric.provider.AccessMark;
import io.tagfabric.provider.DirectRegion;
import io.tagfabric.provider.KnownRegions;

/** The regions in fabric memory of one peer that a node accesses itself, while both are there. */
final class SimulatedDirectMemory extends KnownRegions {
  private final SimulatedMemories memories;
  private final AccessMark mark;
  private final SimulatedWire own;
  private final SimulatedWire peer;

  SimulatedDirectMemory(SimulatedNetwork network, SimulatedWire own, SimulatedWire peer) {
    memories = network.memories();
    mark = own.mark();
    this.own = own;
    this.peer = peer;
  }

  @Override
  protected DirectRegion open(long generation) {
    return memories.region(generation, mark);
  }

  @Override
  protected boolean isClosed() {
    return !own.isOpen() || peer == null || !peer.isOpen();
  }
}
