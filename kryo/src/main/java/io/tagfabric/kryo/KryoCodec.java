package io.tagfabric.kryo;

import io.tagfabric.annotation.InternalApi;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Turns objects of registered classes into bytes and back.
 *
 * <p>Threads: any number at once. Buffers are neither kept nor enlarged: what is decoded is copied
 * out, what is encoded goes into the given bytes or nowhere. The byte order of a buffer plays no
 * part.
 *
 * <p>Memory: decoding allocates in proportion to the bytes that are there, whatever lengths they
 * announce.
 */
public final class KryoCodec {
  private final KryoRegistrations registrations;
  private final KryoSettings settings;
  private final KryoPool pool;

  /** A codec with a pool of its own. */
  @InternalApi
  public KryoCodec(KryoRegistrations registrations, KryoSettings settings) {
    this.registrations = Objects.requireNonNull(registrations, "registrations");
    this.settings = Objects.requireNonNull(settings, "settings");
    pool = new KryoPool(registrations, settings);
  }

  /** What this codec writes and reads; nodes compare its fingerprint. */
  public KryoRegistrations registrations() {
    return registrations;
  }

  /** The limits this codec holds to. */
  @InternalApi
  public KryoSettings settings() {
    return settings;
  }

  /**
   * Encodes into a new array of exactly the object's bytes.
   *
   * @throws KryoCodecException if a class is not registered, the nesting too deep, or a serializer
   *     fails
   * @throws KryoOverflowException if the object takes more than {@code maxObjectSizeBytes}
   */
  public byte[] encode(Object object) {
    checkNotNull(object);
    KryoWorker worker = pool.obtain();
    try {
      return worker.copyOfWritten(worker.write(object, Integer.MAX_VALUE));
    } finally {
      pool.free(worker);
    }
  }

  /**
   * Encodes at the buffer's position and moves it behind the object.
   *
   * @throws KryoCodecException as {@link #encode(Object)}
   * @throws KryoOverflowException if the object takes more than the buffer's remaining bytes or
   *     {@code maxObjectSizeBytes}; the buffer is as it was
   */
  public void encode(Object object, ByteBuffer buffer) {
    checkNotNull(object);
    KryoWorker worker = pool.obtain();
    try {
      int lengthBytes = worker.write(object, buffer.remaining());
      buffer.put(worker.written(), 0, lengthBytes);
    } finally {
      pool.free(worker);
    }
  }

  /**
   * Encodes into part of a buffer.
   *
   * @param offset where the object starts
   * @param roomBytes bytes the object may take there
   * @return bytes the object took
   * @throws KryoCodecException as {@link #encode(Object)}
   * @throws KryoOverflowException if the object takes more than {@code roomBytes} or {@code
   *     maxObjectSizeBytes}; the buffer is as it was
   * @throws IndexOutOfBoundsException if the part is not inside the buffer and the buffer does not
   *     expand
   */
  public int encode(Object object, MutableDirectBuffer buffer, int offset, int roomBytes) {
    checkNotNull(object);
    if (!buffer.isExpandable()) {
      buffer.boundsCheck(offset, roomBytes);
    }
    KryoWorker worker = pool.obtain();
    try {
      int lengthBytes = worker.write(object, roomBytes);
      buffer.putBytes(offset, worker.written(), 0, lengthBytes);
      return lengthBytes;
    } finally {
      pool.free(worker);
    }
  }

  /**
   * Decodes the one object that fills the array.
   *
   * @throws KryoCodecException if the bytes are not one object of the registered classes, or exceed
   *     the limits
   */
  public Object decode(byte[] bytes) {
    checkLength(bytes.length);
    KryoWorker worker = pool.obtain();
    try {
      return worker.read(bytes, 0, bytes.length);
    } finally {
      pool.free(worker);
    }
  }

  /**
   * Decodes the one object that fills the buffer from its position to its limit, and moves the
   * position to the limit.
   *
   * @throws KryoCodecException as {@link #decode(byte[])}; the buffer is as it was
   */
  public Object decode(ByteBuffer buffer) {
    int lengthBytes = buffer.remaining();
    checkLength(lengthBytes);
    KryoWorker worker = pool.obtain();
    try {
      Object object;
      if (buffer.hasArray()) {
        int offset = buffer.arrayOffset() + buffer.position();
        object = worker.read(buffer.array(), offset, lengthBytes);
      } else {
        byte[] bytes = worker.scratch(lengthBytes);
        buffer.get(buffer.position(), bytes, 0, lengthBytes);
        object = worker.read(bytes, 0, lengthBytes);
      }
      buffer.position(buffer.limit());
      return object;
    } finally {
      pool.free(worker);
    }
  }

  /**
   * Decodes the one object that fills part of a buffer.
   *
   * @throws KryoCodecException as {@link #decode(byte[])}
   * @throws IndexOutOfBoundsException if the part is not inside the buffer
   */
  public Object decode(DirectBuffer buffer, int offset, int lengthBytes) {
    buffer.boundsCheck(offset, lengthBytes);
    checkLength(lengthBytes);
    KryoWorker worker = pool.obtain();
    try {
      byte[] bytes = worker.scratch(lengthBytes);
      buffer.getBytes(offset, bytes, 0, lengthBytes);
      return worker.read(bytes, 0, lengthBytes);
    } finally {
      pool.free(worker);
    }
  }

  int idleWorkers() {
    return pool.idle();
  }

  private static void checkNotNull(Object object) {
    if (object == null) {
      throw new KryoCodecException("object=null, a message is never null");
    }
  }

  private void checkLength(int lengthBytes) {
    if (lengthBytes > settings.maxObjectSizeBytes()) {
      throw new KryoCodecException(
          "lengthBytes=%d > maxObjectSizeBytes=%d, raise tagfabric.kryo.max-object-size"
              .formatted(lengthBytes, settings.maxObjectSizeBytes()));
    }
  }
}
