package io.tagfabric.provider.shm;

import io.tagfabric.provider.SharedMemory;
import io.tagfabric.wire.MemoryKey;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Fabric memory of a peer's JVM, mapped when a key first names it. What is no longer named is
 * unmapped by the garbage collector.
 */
final class ShmSharedMemory implements SharedMemory {
  private final Path directory;
  private final Map<Long, UnsafeBuffer> segments = new HashMap<>();

  /**
   * @param directory where the peer's files are
   */
  ShmSharedMemory(Path directory) {
    this.directory = directory;
  }

  @Override
  public MemoryKey keyOf(DirectBuffer buffer, int offset, int length) {
    return ShmMemory.keyOf(buffer, offset, length);
  }

  @Override
  public void revoke(MemoryKey own) {
    ShmMemory.revoke(own.segment());
  }

  @Override
  public boolean read(
      MemoryKey peers, long position, MutableDirectBuffer target, int targetOffset, int length) {
    UnsafeBuffer segment = find(peers, position, length);
    if (segment == null) {
      return false;
    }
    target.putBytes(targetOffset, segment, at(peers, position), length);
    VarHandle.acquireFence();
    return isGood(segment, peers);
  }

  @Override
  public boolean write(
      MemoryKey peers, long position, DirectBuffer source, int sourceOffset, int length) {
    UnsafeBuffer segment = find(peers, position, length);
    if (segment == null) {
      return false;
    }
    segment.putBytes(at(peers, position), source, sourceOffset, length);
    return true;
  }

  private static int at(MemoryKey key, long position) {
    return (int) (ShmMemory.DATA_AT + key.at() + position);
  }

  private static boolean isGood(UnsafeBuffer segment, MemoryKey key) {
    return segment.getLongVolatile(ShmMemory.EPOCH_AT) == key.epoch();
  }

  private UnsafeBuffer find(MemoryKey key, long position, int length) {
    UnsafeBuffer segment = segments.get(key.segment());
    if (segment == null) {
      segment = map(key.segment());
    }
    if (segment == null) {
      return null;
    }
    if (!isGood(segment, key)) {
      forgetRemoved();
      return null;
    }
    long bytes = (long) segment.capacity() - ShmMemory.DATA_AT;
    boolean inside = key.at() >= 0 && key.at() <= bytes && length <= bytes - key.at() - position;
    return inside ? segment : null;
  }

  private UnsafeBuffer map(long segment) {
    forgetRemoved();
    Path path = ShmMemory.pathOf(directory, segment);
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long bytes = channel.size();
      if (bytes < ShmMemory.DATA_AT || bytes > Integer.MAX_VALUE) {
        return null;
      }
      UnsafeBuffer mapped = new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes));
      segments.put(segment, mapped);
      return mapped;
    } catch (IOException gone) {
      return null;
    }
  }

  private void forgetRemoved() {
    segments.keySet().removeIf(each -> Files.notExists(ShmMemory.pathOf(directory, each)));
  }
}
