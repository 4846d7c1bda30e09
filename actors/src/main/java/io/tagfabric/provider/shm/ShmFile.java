package io.tagfabric.provider.shm;

import io.tagfabric.provider.MemoryEnd;
import io.tagfabric.provider.shm.ring.ShmLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A mapped file of a domain, seen by its owner or by a peer.
 *
 * <p>The owner holds a lock on the file as long as it lives; the kernel takes it away however the
 * process ends, and no process number can be mistaken for another. Two rules come with such locks:
 * a process does not see its own, and loses them when it closes any channel to the file. Therefore
 * peers in the owner's JVM share the owner's channel.
 *
 * <p>Thread: the loop of the domain that opened it.
 */
final class ShmFile implements AutoCloseable {
  private static final ConcurrentMap<Path, ShmFile> OWN = new ConcurrentHashMap<>();
  private static final int CHUNK_BYTES = 1 << 16;

  private final Path path;
  private final FileChannel channel;
  private final boolean owner;
  private final boolean sharesChannel;
  private final MappedByteBuffer mapped;
  private final UnsafeBuffer buffer;
  private boolean ownerDead;
  private boolean cut;

  private ShmFile(Path path, FileChannel channel, boolean owner, boolean sharesChannel, long bytes)
      throws IOException {
    this.path = path;
    this.channel = channel;
    this.owner = owner;
    this.sharesChannel = sharesChannel;
    mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
    buffer = new UnsafeBuffer(mapped);
  }

  /**
   * Makes a file of zeros that only the user can read. Its memory is really taken: a sparse file
   * would end the process by a signal when memory runs out.
   *
   * @throws IOException if there is no room, or the file exists
   */
  static ShmFile create(Path path, long bytes) throws IOException {
    FileChannel channel = createFilled(path, bytes);
    boolean complete = false;
    try {
      channel.lock(0, 1, false);
      ShmFile file = new ShmFile(path, channel, true, false, bytes);
      OWN.put(path, file);
      complete = true;
      return file;
    } finally {
      if (!complete) {
        channel.close();
        Files.deleteIfExists(path);
      }
    }
  }

  /** What a user should know if there is too little shared memory. */
  static String noRoom(
      String who, long neededBytes, Path directory, IOException cause, String cure) {
    long room;
    try {
      room = Files.getFileStore(directory).getUsableSpace();
    } catch (IOException unknown) {
      room = -1;
    }
    return who
        + " needs neededBytes="
        + neededBytes
        + " of shared memory, freeBytes="
        + room
        + " in "
        + directory
        + " ("
        + cause.getMessage()
        + "); enlarge it (docker run --shm-size), "
        + cure
        + ", or set tagfabric.launch.directory";
  }

  /** The channel to a new file of zeros that only the user can read, its memory really taken. */
  static FileChannel createFilled(Path path, long bytes) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    boolean complete = false;
    try {
      ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK_BYTES);
      long written = 0;
      while (written < bytes) {
        zeros.position(0).limit((int) Math.min(CHUNK_BYTES, bytes - written));
        written += channel.write(zeros, written);
      }
      complete = true;
      return channel;
    } finally {
      if (!complete) {
        channel.close();
        Files.deleteIfExists(path);
      }
    }
  }

  /** Opens the file of a peer. */
  static ShmFile open(Path path) throws IOException {
    ShmFile own = OWN.get(path);
    if (own != null) {
      return new ShmFile(path, own.channel, false, true, own.channel.size());
    }
    FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    boolean complete = false;
    try {
      long bytes = channel.size();
      if (bytes > Integer.MAX_VALUE) {
        throw new IOException("fileBytes=" + bytes + " > 2 GiB, it is not the file of a domain");
      }
      ShmFile file = new ShmFile(path, channel, false, false, bytes);
      complete = true;
      return file;
    } finally {
      if (!complete) {
        channel.close();
      }
    }
  }

  Path path() {
    return path;
  }

  /** The mapping itself, good as long as the file is open. */
  ByteBuffer mapping() {
    return mapped;
  }

  UnsafeBuffer buffer() {
    return buffer;
  }

  /** Whether the process that made the file lives. Costs one system call. */
  boolean isOwnerAlive() {
    if (owner || sharesChannel || OWN.containsKey(path)) {
      return true;
    }
    if (ownerDead) {
      return false;
    }
    // An interrupt would close the channel.
    boolean interrupted = Thread.interrupted();
    try {
      FileLock lock = channel.tryLock(0, 1, true);
      if (lock != null) {
        ownerDead = true;
        lock.release();
      }
    } catch (OverlappingFileLockException anotherThreadLooksToo) {
      return true;
    } catch (ClosedByInterruptException interruptedMeanwhile) {
      interrupted = true;
    } catch (IOException unknown) {
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return !ownerDead;
  }

  /** Whether the process that made the file of a domain lives. Thread: any. */
  static boolean isAlive(Path path, long token) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    return isAlive(
        path,
        channel ->
            channel.read(bytes, ShmLayout.TOKEN_AT) == Long.BYTES && bytes.getLong(0) == token);
  }

  /** Whether a process lives that has made a domain's file with a path. Thread: any. */
  static boolean isAlive(Path path) {
    return isAlive(path, channel -> true);
  }

  /** Looks into a file that may be the one that is meant. */
  private interface Look {
    boolean isIt(FileChannel channel) throws IOException;
  }

  private static boolean isAlive(Path path, Look look) {
    if (OWN.containsKey(path)) {
      return true;
    }
    try (FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (!look.isIt(channel)) {
        return false;
      }
      FileLock lock = channel.tryLock(0, 1, true);
      return lock == null;
    } catch (NoSuchFileException gone) {
      return false;
    } catch (OverlappingFileLockException | IOException unknown) {
      return true;
    }
  }

  /**
   * Makes a file that was cut as long as its mapping again: to touch memory without a file below it
   * is an error that ends a JVM.
   *
   * @return whether it was ever cut
   */
  boolean restore() throws IOException {
    // An interrupt would close the channel.
    boolean interrupted = Thread.interrupted();
    try {
      MemoryEnd.letJvmThrow();
      if (length() < mapped.capacity()) {
        // Remembered first: the JVM may throw what it has put off when the write returns.
        cut = true;
        channel.write(ByteBuffer.allocate(1), mapped.capacity() - 1L);
      }
      return cut;
    } catch (ClosedChannelException ofAnOwnerThatHasLeft) {
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private long length() throws IOException {
    try {
      return channel.size();
    } catch (ArrayIndexOutOfBoundsException putOff) {
      // It came half way through after all, and what the channel does at the end failed over it.
      return channel.size();
    }
  }

  /** Unmaps the file; the owner removes it too. Nobody may touch the buffer afterwards. */
  @Override
  public void close() {
    if (owner) {
      OWN.remove(path, this);
    }
    buffer.wrap(0, 0);
    IoUtil.unmap(mapped);
    try {
      if (owner) {
        Files.deleteIfExists(path);
      }
      if (!sharesChannel) {
        channel.close();
      }
    } catch (IOException leftToTheSweep) {
      // The directory goes with the job or with the process.
      return;
    }
  }
}
