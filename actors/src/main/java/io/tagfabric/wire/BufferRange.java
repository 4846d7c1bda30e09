package io.tagfabric.wire;

import java.nio.ByteBuffer;
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
