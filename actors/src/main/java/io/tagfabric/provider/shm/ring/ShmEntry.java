package io.tagfabric.provider.shm.ring;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/**
 * The entry that a sender has taken in the file of a domain, and its way to the reader there: the
 * first entries have a lane each, the others share the ring. The sender's own file stands in it, by
 * which the domain finds out whether the sender lives. While that is not written yet, the word that
 * says so has some bits of a hash of it: a domain whose sender was killed then finds no file with
 * such a path that lives.
 *
 * <p>Nobody leaves an entry: the domain frees it when it sees that the sender is closed or dead and
 * has read all. By then it may be another's, so the sender must not write there once more.
 *
 * <p>Thread: the sender's loop.
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
    boolean fits = longestBytes <= LaneLayout.longestRecord(layout.laneBytes);
    int first = fits ? 0 : layout.lanes;
    int word = takenBy(path);
    for (int i = 0; i < ShmLayout.SENDERS; i++) {
      int entry = (first + i) % ShmLayout.SENDERS;
      int at = ShmLayout.senderAt(entry);
      if (buffer.getIntVolatile(at) != ShmLayout.SENDER_FREE
          || !buffer.compareAndSetInt(at, ShmLayout.SENDER_FREE, word)) {
        continue;
      }
      buffer.putInt(at + ShmLayout.SENDER_PATH_LENGTH, path.length);
      buffer.putBytes(at + ShmLayout.SENDER_PATH, path);
      RecordWriter writer;
      if (fits && entry < layout.lanes) {
        writer = new LaneWriter(lane.apply(entry));
        ShmLanes.enter(buffer, entry);
      } else {
        writer = new RingWriter(ring, buffer, at + ShmLayout.SENDER_CLAIMS);
      }
      // It fails if this one was taken for dead, its file being removed by somebody.
      if (buffer.compareAndSetInt(at, word, ShmLayout.SENDER_READY)) {
        return new ShmEntry(buffer, entry, writer);
      }
    }
    return null;
  }

  /** The state of an entry that a sender has taken and not made ready. */
  public static int takenBy(byte[] path) {
    return Arrays.hashCode(path) << ShmLayout.STATE_BITS | ShmLayout.SENDER_TAKEN;
  }

  /** Whether the domain reads no more of what this sender writes. */
  public boolean isCutOff() {
    return buffer.getIntVolatile(ShmLayout.senderAt(number)) == ShmLayout.SENDER_CUT_OFF;
  }

  /** Which entry it is. */
  public int number() {
    return number;
  }

  /** The way to the reader. */
  public RecordWriter writer() {
    return writer;
  }
}
