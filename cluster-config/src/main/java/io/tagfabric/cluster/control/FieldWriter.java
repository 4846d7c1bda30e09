package io.tagfabric.cluster.control;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes that grow, little-endian. Single threaded. */
final class FieldWriter {
  private ByteBuffer buffer;

  FieldWriter(int bytes) {
    buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  void putByte(int value) {
    room(Byte.BYTES).put((byte) value);
  }

  void putShort(int value) {
    room(Short.BYTES).putShort((short) value);
  }

  void putInt(int value) {
    room(Integer.BYTES).putInt(value);
  }

  void putLong(long value) {
    room(Long.BYTES).putLong(value);
  }

  void putBytes(byte[] bytes) {
    room(bytes.length).put(bytes);
  }

  byte[] bytes() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      int capacity = Math.max(2 * buffer.capacity(), buffer.position() + bytes);
      buffer = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(buffer.flip());
    }
    return buffer;
  }
}
