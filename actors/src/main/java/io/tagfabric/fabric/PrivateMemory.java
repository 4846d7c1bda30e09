package io.tagfabric.fabric;

import io.tagfabric.provider.FabricMemory;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Memory of this JVM alone, where no provider can share any. */
final class PrivateMemory implements FabricMemory {
  private final UnsafeBuffer buffer;

  PrivateMemory(int bytes) {
    buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes));
  }

  @Override
  public MutableDirectBuffer buffer() {
    return buffer;
  }

  @Override
  public Optional<String> sharedBy() {
    return Optional.empty();
  }

  @Override
  public void close() {
    // The garbage collector takes it when nobody refers to it.
  }
}
