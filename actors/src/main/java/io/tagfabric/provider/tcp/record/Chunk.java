package io.tagfabric.provider.tcp.record;

import io.tagfabric.wire.Packet;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory outside the heap with consecutive bytes of a stream: the node's, or bytes that a program
 * has lent. Thread: the domain's loop.
 */
public final class Chunk {
  private final ByteBuffer bytes;
  private final UnsafeBuffer buffer;
  private final Packet packet;

  /** Position in the stream of its first byte. */
  private long begin;

  private int length;
  private boolean queued;

  /**
   * A chunk.
   *
   * @param capacity bytes of records
   * @param whenReleased hears that the packet in it is released and no stream has it; null if it is
   *     to have no packet
   */
  Chunk(int capacity, Consumer<Chunk> whenReleased) {
    bytes = ByteBuffer.allocateDirect(capacity);
    buffer = new UnsafeBuffer(bytes);
    packet =
        whenReleased == null
            ? null
            : Packet.lent(
                buffer,
                Records.HEADER_BYTES,
                capacity - Records.HEADER_BYTES,
                released -> {
                  if (!queued) {
                    whenReleased.accept(this);
                  }
                });
    if (packet != null) {
      queued = true;
      packet.release();
      queued = false;
    }
  }

  /** Bytes that are lent. */
  Chunk(ByteBuffer lent) {
    bytes = lent;
    buffer = null;
    packet = null;
  }

  /** Whether its bytes are a program's. */
  boolean isLent() {
    return buffer == null;
  }

  /**
   * The same part of a stream, in memory of its own.
   *
   * @throws InternalError if the file behind the bytes has been made shorter
   */
  Chunk copied() {
    Chunk copy = new Chunk(length, null);
    copy.queue(begin);
    copy.append(length);
    copy.buffer.putBytes(0, bytes.clear(), 0, length);
    return copy;
  }

  /** The packet that lies behind the header of the chunk's only record; null if there is none. */
  public Packet packet() {
    return packet;
  }

  int capacity() {
    return buffer.capacity();
  }

  UnsafeBuffer buffer() {
    return buffer;
  }

  /** Makes it the next part of a stream. */
  void queue(long beginsAt) {
    begin = beginsAt;
    length = 0;
    queued = true;
  }

  /** It is part of no stream any more. */
  void unqueue() {
    queued = false;
  }

  int length() {
    return length;
  }

  int remaining() {
    return buffer.capacity() - length;
  }

  void append(int count) {
    length += count;
  }

  /** Position in the stream behind its last byte. */
  long end() {
    return begin + length;
  }

  /** Its bytes from a position of the stream on, for a socket to take. */
  ByteBuffer from(long position) {
    bytes.limit(length).position((int) (position - begin));
    return bytes;
  }
}
