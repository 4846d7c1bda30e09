package io.tagfabric.provider.tcp.record;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;

/** Memory outside the heap as sockets want it. */
public final class NioViews {
  private NioViews() {}

  /** Whether a buffer lies there, in a byte buffer. */
  static boolean has(DirectBuffer buffer) {
    ByteBuffer whole = buffer.byteBuffer();
    return whole != null && whole.isDirect();
  }

  /** The memory of a part of a buffer that {@link #has} one. */
  static ByteBuffer of(DirectBuffer buffer, int offset, int length) {
    return buffer.byteBuffer().slice(buffer.wrapAdjustment() + offset, length);
  }
}
