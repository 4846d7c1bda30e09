package io.tagfabric.provider.shm;

import io.tagfabric.provider.SharedMemory;
import io.tagfabric.wire.MemoryKey;
import java.io.IOException;
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
  private final int leastBytes;
  private final Map<Long, ShmSegment> segments = new HashMap<>();

  /**
   * @param directory where the peer's files are
   * @param leastBytes of fewer bytes no key is made
   */
  ShmSharedMemory(Path directory, int leastBytes) {
    this.directory = directory;
    this.leastBytes = leastBytes;
  }

  @Override
  public int leastBytes() {
    return leastBytes;
  }

  @Override
  public MemoryKey keyOf(DirectBuffer buffer, int offset, int length) {
    return length < leastBytes ? null : ShmMemory.keyOf(buffer, offset, length);
  }

  @Override
  public void revoke(MemoryKey own) {
    ShmMemory.revoke(own.segment());
  }

  @Override
  public boolean read(
      MemoryKey peers, long position, MutableDirectBuffer target, int targetOffset, int length) {
    ShmSegment segment = find(peers);
    return segment != null && segment.read(peers, position, target, targetOffset, length);
  }

  @Override
  public boolean write(
      MemoryKey peers, long position, DirectBuffer source, int sourceOffset, int length) {
    ShmSegment segment = find(peers);
    return segment != null && segment.write(peers, position, source, sourceOffset, length);
  }

  private ShmSegment find(MemoryKey key) {
    ShmSegment segment = segments.get(key.segment());
    if (segment == null) {
      return map(key.segment());
    }
    if (!segment.isGood(key)) {
      forgetRemoved();
      return null;
    }
    return segment;
  }

  private ShmSegment map(long segment) {
    forgetRemoved();
    Path path = ShmMemory.pathOf(directory, segment);
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long bytes = channel.size();
      if (bytes < ShmSegment.memoryBytes(0) || bytes > Integer.MAX_VALUE) {
        return null;
      }
      ShmSegment mapped =
          new ShmSegment(new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes)));
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
