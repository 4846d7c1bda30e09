package io.tagfabric.provider.shm;

import io.tagfabric.provider.DirectRegion;
import io.tagfabric.provider.KnownRegions;
import io.tagfabric.provider.LocalRegions;
import io.tagfabric.provider.MemoryEnd;
import io.tagfabric.provider.RegionGate;
import io.tagfabric.provider.RegionPass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The regions of a peer's fabric memory that this domain accesses itself, each mapped when it is
 * first named; to be read only if peers may not write it. What is no longer named is unmapped by
 * the garbage collector. Thread: the domain's loop.
 */
final class ShmDirectMemory extends KnownRegions implements AutoCloseable {
  /** One file of memory, as it is mapped here. */
  private static final class Mapped {
    private final ShmGates gates;
    private final int place;
    private UnsafeBuffer writable;
    private UnsafeBuffer readable;

    private Mapped(ShmGates gates, int place) {
      this.gates = gates;
      this.place = place;
    }

    private UnsafeBuffer bytes(FileChannel channel, boolean write) throws IOException {
      if (write) {
        writable = writable == null ? map(channel, FileChannel.MapMode.READ_WRITE) : writable;
        return writable;
      }
      readable = readable == null ? map(channel, FileChannel.MapMode.READ_ONLY) : readable;
      return readable;
    }

    private static UnsafeBuffer map(FileChannel channel, FileChannel.MapMode mode)
        throws IOException {
      return new UnsafeBuffer(
          channel.map(mode, ShmSegment.DATA_AT, channel.size() - ShmSegment.DATA_AT));
    }

    /** What says whether the file of mapped bytes was cut. */
    private static MemoryEnd end(UnsafeBuffer bytes) {
      return new MemoryEnd(bytes, bytes.capacity() - MemoryEnd.BYTES);
    }

    /** Gives the place back, if the file has one. */
    private void release() {
      UnsafeBuffer bytes = writable == null ? readable : writable;
      try {
        if (bytes == null || end(bytes).isThere()) {
          gates.release(place);
        }
      } catch (InternalError cut) {
        return;
      } finally {
        MemoryEnd.letJvmThrow();
      }
    }
  }

  private final Path directory;
  private final byte[] own;
  private final long token;
  private final Map<Long, Mapped> mapped = new HashMap<>();

  /**
   * Regions of a peer.
   *
   * @param directory where the peer's files are
   * @param own this domain's file
   * @param token this domain's
   */
  ShmDirectMemory(Path directory, Path own, long token) {
    this.directory = directory;
    this.own = own.toString().getBytes(StandardCharsets.UTF_8);
    this.token = token;
  }

  @Override
  protected DirectRegion open(long generation) {
    try (FileChannel channel =
        FileChannel.open(
            nameOf(directory, generation),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS)) {
      DirectRegion region = open(channel, generation);
      MemoryEnd.letJvmThrow();
      return region;
    } catch (IOException | InternalError gone) {
      return null;
    }
  }

  private DirectRegion open(FileChannel channel, long generation) throws IOException {
    long bytes = channel.size();
    if (bytes < ShmSegment.memoryBytes(0) || bytes > Integer.MAX_VALUE || !hasEnd(channel, bytes)) {
      return null;
    }
    UnsafeBuffer head =
        new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, ShmSegment.DATA_AT));
    long segment = head.getLong(ShmSegment.NUMBER_AT);
    Mapped there = mapped.get(segment);
    if (there == null) {
      ShmGates gates = new ShmGates(head);
      int place = gates.take(own, token);
      if (place < 0) {
        return null;
      }
      there = new Mapped(gates, place);
      mapped.put(segment, there);
    }
    RegionGate gate = there.gates.find(generation);
    RegionPass pass = gate == null ? null : gate.pass(generation);
    if (pass == null) {
      return null;
    }
    UnsafeBuffer memory = there.bytes(channel, pass.writable());
    long at = gate.bytesAt();
    if (at < 0
        || at % LocalRegions.ALIGNMENT != 0
        || pass.length() < 0
        || at
            > memory.capacity()
                - MemoryEnd.BYTES
                - BitUtil.align(pass.length(), LocalRegions.ALIGNMENT)) {
      return null;
    }
    return new DirectRegion(
        gate,
        there.gates.mark(there.place),
        generation,
        pass,
        LocalRegions.bytes(memory, at, pass.length()),
        Mapped.end(memory));
  }

  /** Whether a file was never cut, read from the file itself. */
  private static boolean hasEnd(FileChannel channel, long bytes) throws IOException {
    ByteBuffer end = ByteBuffer.allocate(MemoryEnd.BYTES);
    return channel.read(end, bytes - MemoryEnd.BYTES) == MemoryEnd.BYTES
        && new MemoryEnd(new UnsafeBuffer(end), 0).isThere();
  }

  /** The name by which peers find the memory that a region lies in. */
  static Path nameOf(Path directory, long generation) {
    return directory.resolve("region-" + Long.toHexString(generation));
  }

  /** Reaches nothing any more. */
  @Override
  public void close() {
    forget();
    mapped.values().forEach(Mapped::release);
    mapped.clear();
  }
}
