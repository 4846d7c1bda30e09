package io.tagfabric.provider.shm;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/**
 * The entry that a sender has taken in the file of a domain, and its way into the ring there. Its
 * own file stands in it, by which the domain finds out whether the sender lives. Thread: the
 * sender's loop.
 */
public final class ShmEntry {
  private final UnsafeBuffer buffer;
  private final int number;
  private final RingWriter writer;

  private ShmEntry(UnsafeBuffer buffer, int number, RingWriter writer) {
    this.buffer = buffer;
    this.number = number;
    this.writer = writer;
  }

  /**
   * Takes a free entry.
   *
   * @param buffer the file of the domain
   * @param ring the ring in it
   * @param path of the sender's own file, at most {@link ShmLayout#MAX_PATH_BYTES} bytes
   * @return null if all entries are taken
   */
  public static ShmEntry take(UnsafeBuffer buffer, ManyToOneRingBuffer ring, byte[] path) {
    for (int entry = 0; entry < ShmLayout.SENDERS; entry++) {
      int at = ShmLayout.senderAt(entry);
      if (buffer.getIntVolatile(at) == ShmLayout.SENDER_FREE
          && buffer.compareAndSetInt(at, ShmLayout.SENDER_FREE, ShmLayout.SENDER_TAKEN)) {
        buffer.putInt(at + ShmLayout.SENDER_PATH_LENGTH, path.length);
        buffer.putBytes(at + ShmLayout.SENDER_PATH, path);
        RingWriter writer = new RingWriter(ring, buffer, at + ShmLayout.SENDER_CLAIMS);
        buffer.putIntOrdered(at, ShmLayout.SENDER_READY);
        return new ShmEntry(buffer, entry, writer);
      }
    }
    return null;
  }

  /** Which entry it is. */
  public int number() {
    return number;
  }

  /** The way into the ring. */
  public RingWriter writer() {
    return writer;
  }

  /** The sender writes no more; the domain frees the entry when it has read all. */
  public void leave() {
    buffer.putIntOrdered(ShmLayout.senderAt(number), ShmLayout.SENDER_LEFT);
  }
}
