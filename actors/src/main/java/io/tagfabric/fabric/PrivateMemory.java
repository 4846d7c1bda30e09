package io.tagfabric.fabric;

import io.tagfabric.provider.GatedMemory;
import io.tagfabric.provider.LocalRegions;
import io.tagfabric.provider.RegionGate;
import io.tagfabric.provider.RegionPass;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Memory of this JVM alone, where no provider can share any. */
final class PrivateMemory implements GatedMemory {
  private final UnsafeBuffer buffer;
  private final UnsafeBuffer words;

  PrivateMemory(int bytes) {
    long whole = BitUtil.align((long) bytes, LocalRegions.ALIGNMENT);
    ByteBuffer memory = ByteBuffer.allocateDirect((int) Math.min(whole, Integer.MAX_VALUE));
    words = new UnsafeBuffer(memory);
    buffer = new UnsafeBuffer(memory.slice(0, bytes));
    if (whole == memory.capacity()) {
      LocalRegions.add(this);
    }
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
  public DirectBuffer words() {
    return words;
  }

  @Override
  public RegionGate openGate(long generation, int at, RegionPass pass) {
    UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(RegionGate.BYTES));
    RegionGate gate = new RegionGate(memory, 0);
    gate.open(generation, at, pass);
    return gate;
  }

  @Override
  public void hideGate(long generation) {
    // No other process finds it.
  }

  @Override
  public boolean isQuiet(long generation) {
    return true;
  }

  @Override
  public void releaseGate(RegionGate gate) {
    // The garbage collector takes it when nobody refers to it.
  }

  /** The garbage collector takes it when nobody refers to it. */
  @Override
  public void close() {
    LocalRegions.remove(this);
  }
}
