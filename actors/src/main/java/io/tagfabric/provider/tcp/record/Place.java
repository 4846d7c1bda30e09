package io.tagfabric.provider.tcp.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where the bytes of a long message shall lie: memory of a posted receive that the peer writes by
 * {@link Records#PLACE}. It refers to the memory itself, whatever the program does with its buffer
 * meanwhile. Thread: the domain's loop.
 */
public final class Place {
  /** Fewer are copied: that costs less than to read and write them by themselves. */
  public static final int LEAST_BYTES = 16 * 1024;

  private final Placing writer;
  private final UnsafeBuffer target;

  /** The same memory for a socket to read into; null if it must be copied there. */
  private final ByteBuffer direct;

  private boolean unreadable;
  private boolean whole = true;

  /**
   * A place.
   *
   * @param writer of the connection that may write there
   */
  Place(Placing writer, DirectBuffer buffer, int offset, int length) {
    this.writer = writer;
    target = new UnsafeBuffer(buffer, offset, length);
    direct =
        NioViews.has(buffer) && !buffer.byteBuffer().isReadOnly()
            ? NioViews.of(buffer, offset, length)
            : null;
  }

  Placing writer() {
    return writer;
  }

  /** Whether so many bytes from a position on lie in it. */
  public boolean contains(long position, int length) {
    return position >= 0 && position <= target.capacity() - length;
  }

  /** Whether it lies outside the heap. */
  boolean isDirect() {
    return direct != null;
  }

  /** Whether a socket can read into it. */
  boolean isRead() {
    return direct != null && !unreadable;
  }

  /** Reads what comes next; as much as there is, up to a number of bytes. */
  int read(ReadableByteChannel socket, int at, int most) throws IOException {
    try {
      return socket.read(direct.limit(at + most).position(at));
    } catch (IOException e) {
      unreadable = true; // the memory may be gone; to copy there tells
      throw e;
    }
  }

  /** Copies what has come. */
  void put(int at, DirectBuffer from, int offset, int length) {
    try {
      target.putBytes(at, from, offset, length);
    } catch (InternalError cut) { // by whoever has made the file behind it shorter
      whole = false;
    }
  }

  /** Whether all bytes that have come could be put there. */
  public boolean isWhole() {
    return whole;
  }
}
