package io.tagfabric.collective.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The mapped file of a team on one host. Its name may be removed once all have mapped it; the
 * memory goes with the last of them, however it ends.
 *
 * <p>Thread: any; nobody may touch the memory after {@link #close}.
 */
public final class SharedSegment implements AutoCloseable {
  private static final int FILL_BYTES = 1 << 16;

  private final SharedLayout layout;
  private final MappedByteBuffer mapped;
  private final UnsafeBuffer buffer;

  private SharedSegment(SharedLayout layout, MappedByteBuffer mapped) {
    this.layout = layout;
    this.mapped = mapped;
    this.buffer = mapped == null ? null : new UnsafeBuffer(mapped);
  }

  /** Memory that somebody else keeps. */
  SharedSegment(SharedLayout layout, UnsafeBuffer buffer) {
    this.layout = layout;
    this.mapped = null;
    this.buffer = buffer;
  }

  /** Memory of this process alone, for members that are all in it. */
  static SharedSegment inMemory(int members, int slots, int chunkBytes) {
    SharedLayout layout = SharedLayout.of(members, slots, chunkBytes);
    ByteBuffer bytes = ByteBuffer.allocateDirect((int) layout.fileBytes() + 128);
    return new SharedSegment(layout, new UnsafeBuffer(bytes.alignedSlice(64)));
  }

  /**
   * Makes a file that only the user can read. Its memory is really taken: a sparse file would end
   * the process by a signal when memory runs out.
   *
   * @param token by which the others know that it is the right one
   * @throws IOException if there is no room, or the file exists
   */
  public static SharedSegment create(Path path, long token, int members, int slots, int chunkBytes)
      throws IOException {
    SharedLayout layout = SharedLayout.of(members, slots, chunkBytes);
    try (FileChannel channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      fill(channel, layout.fileBytes());
      SharedSegment segment = new SharedSegment(layout, map(channel, layout.fileBytes()));
      segment.buffer.putLong(SharedLayout.TOKEN_AT, token);
      segment.buffer.putInt(SharedLayout.MEMBERS_AT, members);
      segment.buffer.putInt(SharedLayout.SLOTS_AT, slots);
      segment.buffer.putInt(SharedLayout.SLICE_AT, layout.sliceBytes);
      segment.buffer.putLongOrdered(SharedLayout.MAGIC_AT, SharedLayout.MAGIC);
      return segment;
    } catch (IOException failure) {
      Files.deleteIfExists(path);
      throw failure;
    }
  }

  private static void fill(FileChannel channel, long bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(FILL_BYTES);
    long written = 0;
    while (written < bytes) {
      zeros.position(0).limit((int) Math.min(FILL_BYTES, bytes - written));
      written += channel.write(zeros, written);
    }
  }

  private static MappedByteBuffer map(FileChannel channel, long bytes) throws IOException {
    return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
  }

  /**
   * Maps the file that another member has made.
   *
   * @throws IOException if there is none, or it is another one
   */
  public static SharedSegment open(Path path, long token, int members) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer mapped = map(channel, channel.size());
      UnsafeBuffer header = new UnsafeBuffer(mapped);
      if (mapped.capacity() >= SharedLayout.SLEEPERS_AT
          && header.getLongVolatile(SharedLayout.MAGIC_AT) == SharedLayout.MAGIC
          && header.getLong(SharedLayout.TOKEN_AT) == token
          && header.getInt(SharedLayout.MEMBERS_AT) == members) {
        int slots = header.getInt(SharedLayout.SLOTS_AT);
        int sliceBytes = header.getInt(SharedLayout.SLICE_AT);
        if (slots >= 2 && sliceBytes >= 64) {
          SharedLayout layout = new SharedLayout(members, slots, sliceBytes);
          if (layout.fileBytes() == mapped.capacity()) {
            return new SharedSegment(layout, mapped);
          }
        }
      }
      IoUtil.unmap(mapped);
      throw new IOException(path + " is not the file of this team");
    }
  }

  SharedLayout layout() {
    return layout;
  }

  UnsafeBuffer buffer() {
    return buffer;
  }

  /** Unmaps it. */
  @Override
  public void close() {
    if (mapped != null) {
      buffer.wrap(0, 0);
      IoUtil.unmap(mapped);
    }
  }
}
