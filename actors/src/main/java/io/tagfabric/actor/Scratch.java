package io.tagfabric.actor;

import akka.serialization.ByteBufferSerializer;
import akka.serialization.Serialization;
import akka.serialization.Serializer;
import akka.serialization.Serializers;
import io.tagfabric.actor.twin.NearActors;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import scala.runtime.AbstractFunction0;

/**
 * Memory in which one thread writes one message at a time: {@value #HEADER} bytes, sender and
 * recipient as text where they have no number, then what the serializer of the message writes.
 *
 * <pre>
 *   0        4              6                 8
 *   | type   | sender bytes | recipient bytes | sender | recipient | message
 * </pre>
 */
final class Scratch extends AbstractFunction0<Void> {
  static final int HEADER = 8;
  static final int MAX_TEXT = 0xffff;

  private static final int USUAL_BYTES = 4 * 1024;
  private static final int KEPT_BYTES = 1 << 20;
  private static final byte[] NO_TEXT = {};
  private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

  private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
  private ByteBuffer bytes = allocate(USUAL_BYTES);
  private boolean inUse;

  // what is written now
  private int maxBytes;
  private Object message;
  private Serializer serializer;
  private String manifest;
  private int start;

  private Scratch() {}

  /** That of this thread; another one while a serializer tells something itself. */
  static Scratch take() {
    Scratch scratch = OF_THREAD.get();
    Scratch free = scratch.inUse ? new Scratch() : scratch;
    free.inUse = true;
    return free;
  }

  /** The message is gone. */
  void give() {
    message = null;
    serializer = null;
    manifest = null;
    inUse = false;
    if (bytes.capacity() > KEPT_BYTES) {
      bytes = allocate(USUAL_BYTES);
    }
  }

  private static ByteBuffer allocate(int capacity) {
    return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Serializer id of the message that was shown. */
  int serializerId() {
    return serializer.identifier();
  }

  String manifest() {
    return manifest;
  }

  /** Chooses the serializer of a message. */
  void show(Serialization serialization, Object newMessage) {
    message = newMessage;
    serializer = serialization.findSerializerFor(newMessage);
    manifest = Serializers.manifestFor(serializer, newMessage);
  }

  /**
   * Writes it; the bytes lie in {@link #view} from 0.
   *
   * @param sender null if there is none
   * @param recipient null if it has a number
   * @return how many
   * @throws IllegalArgumentException if there are more than {@code newMaxBytes}
   */
  int write(NearActors near, int type, String sender, String recipient, int newMaxBytes) {
    byte[] from = sender == null ? NO_TEXT : sender.getBytes(StandardCharsets.UTF_8);
    byte[] to = recipient == null ? NO_TEXT : recipient.getBytes(StandardCharsets.UTF_8);
    if (from.length > MAX_TEXT || to.length > MAX_TEXT) {
      throw new IllegalArgumentException(
          "a path of "
              + Math.max(from.length, to.length)
              + " bytes > "
              + MAX_TEXT
              + ", give the actor a shorter one");
    }
    maxBytes = newMaxBytes;
    start = HEADER + from.length + to.length;
    ensure(start);
    near.writing(this);
    int length = bytes.position();
    if (length > maxBytes) {
      throw tooLong(length);
    }
    bytes.putInt(0, type).putShort(4, (short) from.length).putShort(6, (short) to.length);
    bytes.put(HEADER, from).put(HEADER + from.length, to);
    view.wrap(bytes, 0, length);
    return length;
  }

  private IllegalArgumentException tooLong(long length) {
    return new IllegalArgumentException(
        "lengthBytes="
            + length
            + " > maxMessageBytes="
            + maxBytes
            + ", raise tagfabric.endpoint.max-message-size");
  }

  private void ensure(int capacity) {
    if (bytes.capacity() < capacity) {
      bytes = allocate(capacity);
    }
  }

  @Override
  public Void apply() {
    if (serializer instanceof ByteBufferSerializer direct) {
      writeDirect(direct);
    } else {
      byte[] body = serializer.toBinary(message);
      if ((long) start + body.length > maxBytes) {
        throw tooLong((long) start + body.length);
      }
      ensure(start + body.length);
      bytes.clear().position(start);
      bytes.put(body);
    }
    return null;
  }

  private void writeDirect(ByteBufferSerializer direct) {
    while (true) {
      bytes.clear().position(start);
      try {
        direct.toBinary(message, bytes);
        return;
      } catch (BufferOverflowException e) {
        if (bytes.capacity() >= maxBytes) {
          throw tooLong(bytes.capacity() + 1L);
        }
        ensure((int) Math.min(maxBytes, bytes.capacity() * 4L));
      }
    }
  }

  /** Where the bytes are. */
  UnsafeBuffer view() {
    return view;
  }
}
