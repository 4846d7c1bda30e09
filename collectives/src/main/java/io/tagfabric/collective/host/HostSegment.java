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
public final class HostSegment implements AutoCloseable {
  private static final int FILL_BYTES = 1 << 16;

  private final HostLayout layout;
  private final MappedByteBuffer mapped;
  private final UnsafeBuffer buffer;

  private HostSegment(HostLayout layout, MappedByteBuffer mapped) {
    this.layout = layout;
    this.mapped = mapped;
    this.buffer = mapped == null ? null : new UnsafeBuffer(mapped);
  }

  /** Memory that somebody else keeps. */
  HostSegment(HostLayout layout, UnsafeBuffer buffer) {
    this.layout = layout;
    this.mapped = null;
    this.buffer = buffer;
  }

  /** Memory of this process alone, for members that are all in it. */
  static HostSegment inMemory(int members, int slots, int chunkBytes) {
    HostLayout layout = HostLayout.of(members, slots, chunkBytes);
    ByteBuffer bytes = ByteBuffer.allocateDirect((int) layout.fileBytes() + 128);
    return new HostSegment(layout, new UnsafeBuffer(bytes.alignedSlice(64)));
  }

  /**
   * Makes a file that only the user can read. Its memory is really taken: a sparse file would end
   * the process by a signal when memory runs out.
   *
   * @param token by which the others know that it is the right one
   * @throws IOException if there is no room, or the file exists
   */
  public static HostSegment create(Path path, long token, int members, int slots, int chunkBytes)
      throws IOException {
    HostLayout layout = HostLayout.of(members, slots, chunkBytes);
    try (FileChannel channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      fill(channel, layout.fileBytes());
      HostSegment segment = new HostSegment(layout, map(channel, layout.fileBytes()));
      segment.buffer.putLong(HostLayout.TOKEN_AT, token);
      segment.buffer.putInt(HostLayout.MEMBERS_AT, members);
      segment.buffer.putInt(HostLayout.SLOTS_AT, slots);
      segment.buffer.putInt(HostLayout.SLICE_AT, layout.sliceBytes);
      segment.buffer.putLongOrdered(HostLayout.MAGIC_AT, HostLayout.MAGIC);
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
  public static HostSegment open(Path path, long token, int members) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer mapped = map(channel, channel.size());
      UnsafeBuffer header = new UnsafeBuffer(mapped);
      if (mapped.capacity() >= HostLayout.SLEEPERS_AT
          && header.getLongVolatile(HostLayout.MAGIC_AT) == HostLayout.MAGIC
          && header.getLong(HostLayout.TOKEN_AT) == token
          && header.getInt(HostLayout.MEMBERS_AT) == members) {
        int slots = header.getInt(HostLayout.SLOTS_AT);
        int sliceBytes = header.getInt(HostLayout.SLICE_AT);
        if (slots >= 2 && sliceBytes >= 64) {
          HostLayout layout = new HostLayout(members, slots, sliceBytes);
          if (layout.fileBytes() == mapped.capacity()) {
            return new HostSegment(layout, mapped);
          }
        }
      }
      IoUtil.unmap(mapped);
      throw new IOException(path + " is not the file of this team");
    }
  }

  HostLayout layout() {
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
