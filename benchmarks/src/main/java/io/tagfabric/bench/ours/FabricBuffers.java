package io.tagfabric.bench.ours;

import io.tagfabric.fabric.Domain;
import io.tagfabric.provider.FabricMemory;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Fabric memory, new for each run; a closed one stays until nothing refers to it. */
final class FabricBuffers implements Buffers {
  private final Domain domain;
  private FabricMemory outgoing;
  private FabricMemory incoming;

  FabricBuffers(Domain domain) {
    this.domain = domain;
  }

  @Override
  public MutableDirectBuffer outgoing(int bytes) {
    outgoing = replace(outgoing, bytes);
    return new UnsafeBuffer(outgoing.buffer(), 0, bytes);
  }

  @Override
  public MutableDirectBuffer incoming(int bytes) {
    incoming = replace(incoming, bytes);
    return new UnsafeBuffer(incoming.buffer(), 0, bytes);
  }

  private FabricMemory replace(FabricMemory before, int bytes) {
    if (before != null) {
      before.close();
    }
    return domain.allocate(Math.max(1, bytes));
  }
}
