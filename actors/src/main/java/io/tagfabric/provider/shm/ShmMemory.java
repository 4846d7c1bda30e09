package io.tagfabric.provider.shm;

import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.FabricMemory;
import io.tagfabric.provider.ProviderUnavailableException;
import io.tagfabric.wire.MemoryKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A segment of fabric memory: a mapped file beside those of the domains, with one page before the
 * bytes that holds the epoch.
 *
 * <p>Closing removes the file and revokes all keys. The mapping stays until nobody refers to a
 * buffer of it: unmapped memory under a buffer in use would end the process.
 */
final class ShmMemory implements FabricMemory {
  private static final List<ShmMemory> ALL = new CopyOnWriteArrayList<>();
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final ShmDirectory directory;
  private final Path path;
  private final long segment;
  private final ShmSegment memory;
  private final UnsafeBuffer buffer;
  private boolean closed;

  private ShmMemory(ShmDirectory directory, Path path, long segment, ByteBuffer mapped) {
    this.directory = directory;
    this.path = path;
    this.segment = segment;
    memory = new ShmSegment(new UnsafeBuffer(mapped));
    buffer = new UnsafeBuffer(mapped.slice(ShmSegment.DATA_AT, bytesOf(mapped)));
  }

  private static int bytesOf(ByteBuffer mapped) {
    return mapped.capacity() - ShmSegment.DATA_AT;
  }

  /**
   * Takes memory.
   *
   * @throws ProviderUnavailableException if there is no room for it
   */
  static ShmMemory allocate(Settings settings, int bytes) {
    long fileBytes = ShmSegment.memoryBytes(bytes);
    if (fileBytes > Integer.MAX_VALUE) {
      throw new ProviderUnavailableException(
          "bytes=" + bytes + " is more than a segment of 2 GiB has, allocate several", null);
    }
    ShmDirectory directory;
    try {
      directory = ShmDirectory.enter(settings);
    } catch (RuntimeException e) {
      throw new ProviderUnavailableException(e.getMessage(), e);
    }
    long segment = ProcessHandle.current().pid() << Integer.SIZE | NUMBER.incrementAndGet();
    Path path = pathOf(directory.path(), segment);
    try (FileChannel channel = ShmFile.createFilled(path, fileBytes)) {
      ShmMemory memory =
          new ShmMemory(
              directory, path, segment, channel.map(FileChannel.MapMode.READ_WRITE, 0, fileBytes));
      ALL.add(memory);
      return memory;
    } catch (IOException e) {
      String text =
          ShmFile.noRoom("fabric memory", fileBytes, directory.path(), e, "allocate less");
      directory.close();
      throw new ProviderUnavailableException(text, e);
    }
  }

  /** The file of a segment, in the directory of its owner. */
  static Path pathOf(Path directory, long segment) {
    return directory.resolve("memory-" + (segment >>> Integer.SIZE) + "-" + (int) segment);
  }

  /** Names bytes for peers; null if they are not in fabric memory of this JVM. */
  static MemoryKey keyOf(DirectBuffer buffer, int offset, int length) {
    if (buffer.byteArray() != null) {
      return null;
    }
    long address = buffer.addressOffset() + offset;
    for (ShmMemory each : ALL) {
      long at = address - each.buffer.addressOffset();
      if (at >= 0 && at <= each.buffer.capacity() - length) {
        return each.memory.key(each.segment, at);
      }
    }
    return null;
  }

  /** Makes all keys to a segment worthless. */
  static void revoke(long segment) {
    for (ShmMemory each : ALL) {
      if (each.segment == segment) {
        each.memory.revoke();
      }
    }
  }

  @Override
  public MutableDirectBuffer buffer() {
    return buffer;
  }

  @Override
  public Optional<String> sharedBy() {
    return Optional.of(ShmProvider.NAME);
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    memory.close();
    ALL.remove(this);
    try {
      Files.deleteIfExists(path);
    } catch (IOException leftToTheSweep) {
      // The directory goes with the job or with the process.
      return;
    } finally {
      directory.close();
    }
  }
}
