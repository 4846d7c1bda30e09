package io.tagfabric.provider.shm;

import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.GatedMemory;
import io.tagfabric.provider.LocalRegions;
import io.tagfabric.provider.MemoryEnd;
import io.tagfabric.provider.ProviderUnavailableException;
import io.tagfabric.provider.RegionGate;
import io.tagfabric.provider.RegionPass;
import io.tagfabric.wire.MemoryKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A segment of fabric memory: a mapped file beside those of the domains. Before the bytes stand the
 * epoch and the gates of regions. For each region that peers access themselves the file has one
 * more name, by which they find it.
 *
 * <p>Closing removes the file and revokes all keys. The mapping stays until nobody refers to a
 * buffer of it: unmapped memory under a buffer in use would end the process.
 */
final class ShmMemory implements GatedMemory {
  private static final List<ShmMemory> ALL = new CopyOnWriteArrayList<>();
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final ShmDirectory directory;
  private final Path path;
  private final long segment;
  private final long fileBytes;
  private final ShmSegment memory;
  private final UnsafeBuffer buffer;
  private final UnsafeBuffer words;
  private final ShmGates gates;
  private final BitSet taken = new BitSet(ShmGates.GATES);
  private final Set<Path> names = new HashSet<>();
  private boolean closed;

  private ShmMemory(ShmDirectory directory, Path path, long segment, ByteBuffer mapped, int bytes) {
    this.directory = directory;
    this.path = path;
    this.segment = segment;
    fileBytes = mapped.capacity();
    memory = ShmSegment.create(new UnsafeBuffer(mapped), bytes);
    buffer = new UnsafeBuffer(mapped.slice(ShmSegment.DATA_AT, bytes));
    words =
        new UnsafeBuffer(mapped, ShmSegment.DATA_AT, BitUtil.align(bytes, LocalRegions.ALIGNMENT));
    UnsafeBuffer head = new UnsafeBuffer(mapped, 0, ShmSegment.DATA_AT);
    head.putLong(ShmSegment.NUMBER_AT, segment);
    gates = new ShmGates(head);
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
              directory,
              path,
              segment,
              channel.map(FileChannel.MapMode.READ_WRITE, 0, fileBytes),
              bytes);
      ALL.add(memory);
      LocalRegions.add(memory);
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
        return each.end().isThere() ? each.memory.key(each.segment, at) : null;
      }
    }
    return null;
  }

  /** Makes all keys to a segment worthless. */
  static void revoke(long segment) {
    for (ShmMemory each : ALL) {
      if (each.segment == segment && each.end().isThere()) {
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
    return Optional.of(ShmSettings.NAME);
  }

  @Override
  public DirectBuffer words() {
    return words;
  }

  @Override
  public MemoryEnd end() {
    return memory.end();
  }

  @Override
  public void restore() {
    // An interrupt would close the channel.
    boolean interrupted = Thread.interrupted();
    MemoryEnd.letJvmThrow();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      if (channel.size() < fileBytes) {
        channel.write(ByteBuffer.allocate(1), fileBytes - 1);
      }
    } catch (IOException removed) {
      // Nobody finds it to cut it once more.
      return;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public synchronized RegionGate openGate(long generation, int at, RegionPass pass) {
    int number = taken.nextClearBit(0);
    if (closed || number >= ShmGates.GATES) {
      return null;
    }
    if (!end().isThere()) {
      restore();
      return null;
    }
    if (gates.isCrowded()) {
      gates.sweep(this::isAlive);
    }
    Path name = ShmDirectMemory.nameOf(directory.path(), generation);
    RegionGate gate = gates.gate(number);
    gate.open(generation, at, pass);
    try {
      Files.createLink(name, path);
    } catch (IOException | UnsupportedOperationException noSecondName) {
      gate.shut();
      return null;
    }
    names.add(name);
    taken.set(number);
    return gate;
  }

  @Override
  public synchronized void hideGate(long generation) {
    Path name = ShmDirectMemory.nameOf(directory.path(), generation);
    if (names.remove(name)) {
      delete(name);
    }
  }

  @Override
  public boolean isQuiet(long generation) {
    return gates.isQuiet(generation, this::isAlive);
  }

  @Override
  public synchronized void releaseGate(RegionGate gate) {
    taken.clear(gates.numberOf(gate));
  }

  private boolean isAlive(int place) {
    byte[] domain = gates.path(place);
    return domain != null
        && ShmFile.isAlive(Path.of(new String(domain, StandardCharsets.UTF_8)), gates.token(place));
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException leftToTheSweep) {
      // The directory goes with the job or with the process.
      return;
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (end().isThere()) {
      memory.close();
    }
    ALL.remove(this);
    LocalRegions.remove(this);
    names.forEach(ShmMemory::delete);
    names.clear();
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
