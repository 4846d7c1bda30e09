package io.tagfabric.provider.shm;

import java.util.function.IntFunction;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/**
 * The entry that a sender has taken in the file of a domain, and its way to the reader there: a
 * lane of its own while there are any, else the ring of all. Its own file stands in it, by which
 * the domain finds out whether the sender lives. Thread: the sender's loop.
 */
public final class ShmEntry {
  private final UnsafeBuffer buffer;
  private final int number;
  private final RecordWriter writer;

  private ShmEntry(UnsafeBuffer buffer, int number, RecordWriter writer) {
    this.buffer = buffer;
    this.number = number;
    this.writer = writer;
  }

  /**
   * Takes a free entry.
   *
   * @param buffer the file of the domain
   * @param layout of the file
   * @param ring the ring in it
   * @param lane the memory of a lane in it
   * @param path of the sender's own file, at most {@link ShmLayout#MAX_PATH_BYTES} bytes
   * @param longestBytes longest record that the sender writes
   * @return null if all entries are taken
   */
  public static ShmEntry take(
      UnsafeBuffer buffer,
      ShmLayout layout,
      ManyToOneRingBuffer ring,
      IntFunction<AtomicBuffer> lane,
      byte[] path,
      int longestBytes) {
    for (int entry = 0; entry < ShmLayout.SENDERS; entry++) {
      int at = ShmLayout.senderAt(entry);
      if (buffer.getIntVolatile(at) == ShmLayout.SENDER_FREE
          && buffer.compareAndSetInt(at, ShmLayout.SENDER_FREE, ShmLayout.SENDER_TAKEN)) {
        buffer.putInt(at + ShmLayout.SENDER_PATH_LENGTH, path.length);
        buffer.putBytes(at + ShmLayout.SENDER_PATH, path);
        int taken =
            longestBytes <= LaneLayout.longestRecord(layout.laneBytes)
                ? ShmLanes.take(buffer, layout)
                : ShmLanes.NONE;
        buffer.putInt(at + ShmLayout.SENDER_LANE, taken + 1);
        RecordWriter writer =
            taken == ShmLanes.NONE
                ? new RingWriter(ring, buffer, at + ShmLayout.SENDER_CLAIMS)
                : new LaneWriter(lane.apply(taken));
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

  /** The way to the reader. */
  public RecordWriter writer() {
    return writer;
  }

  /** The sender writes no more; the domain frees the entry when it has read all. */
  public void leave() {
    buffer.putIntOrdered(ShmLayout.senderAt(number), ShmLayout.SENDER_LEFT);
  }
}
