package io.tagfabric.wire;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The bytes of a buffer that an operation is given. */
public final class BufferRange {
  private BufferRange() {}

  /**
   * Refuses bytes that do not lie in the buffer.
   *
   * @throws NullPointerException without a buffer
   * @throws IllegalArgumentException if the bytes do not lie in it
   */
  public static void require(DirectBuffer buffer, int offset, int length) {
    Objects.requireNonNull(buffer, "buffer");
    if (offset < 0 || length < 0 || length > buffer.capacity() - offset) {
      throw new IllegalArgumentException(
          "offset="
              + offset
              + " lengthBytes="
              + length
              + " do not lie in the buffer, capacity="
              + buffer.capacity());
    }
  }

  /**
   * Copies buffers into one, one behind the other.
   *
   * @param mostBytes of a message
   * @throws NullPointerException without a list or with a null in it
   * @throws IllegalArgumentException if they have more bytes
   */
  public static DirectBuffer gather(List<? extends DirectBuffer> parts, long mostBytes) {
    long length = sum(parts);
    if (length > mostBytes) {
      throw new IllegalArgumentException(
          "lengthBytes=" + length + " of all parts > endpoint.max-message-size=" + mostBytes);
    }
    byte[] whole = new byte[(int) length];
    int at = 0;
    for (DirectBuffer part : parts) {
      part.getBytes(0, whole, at, part.capacity());
      at += part.capacity();
    }
    return new UnsafeBuffer(whole);
  }

  /**
   * Bytes that buffers have together.
   *
   * @throws IllegalArgumentException if they are more than a buffer can have
   */
  public static int capacityOf(List<? extends DirectBuffer> parts) {
    long sum = sum(parts);
    if (sum > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("capacity=" + sum + " of all parts is above 2^31 - 1");
    }
    return (int) sum;
  }

  private static long sum(List<? extends DirectBuffer> parts) {
    Objects.requireNonNull(parts, "parts");
    long sum = 0;
    for (DirectBuffer part : parts) {
      sum += Objects.requireNonNull(part, "a part").capacity();
    }
    return sum;
  }

  /** A buffer's remaining bytes; its position does not move. */
  public static DirectBuffer remaining(ByteBuffer buffer) {
    Objects.requireNonNull(buffer, "buffer");
    return new UnsafeBuffer(buffer, buffer.position(), buffer.remaining());
  }

  /**
   * The same to write to.
   *
   * @throws IllegalArgumentException if the buffer is read-only
   */
  public static MutableDirectBuffer writable(ByteBuffer buffer) {
    Objects.requireNonNull(buffer, "buffer");
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException("a receive cannot write to a read-only buffer");
    }
    return new UnsafeBuffer(buffer, buffer.position(), buffer.remaining());
  }
}
