package io.tagfabric.provider.shm.ring;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;

/**
 * One sender's way into a {@link ManyToOneRingBuffer} of another process. Its count is odd from
 * before a claim until after the commit, so that {@link ShmSenders} sees whose open claim it may be
 * that a killed process left. Thread: the sender's loop.
 */
public final class RingWriter implements RecordWriter {
  private final ManyToOneRingBuffer ring;
  private final UnsafeBuffer counts;
  private final int countAt;
  private long count;

  /**
   * The way into a ring.
   *
   * @param ring of the other process
   * @param counts the memory with the count, which this sets to 0
   * @param countAt where it is there
   */
  public RingWriter(ManyToOneRingBuffer ring, UnsafeBuffer counts, int countAt) {
    this.ring = ring;
    this.counts = counts;
    this.countAt = countAt;
    counts.putLongOrdered(countAt, 0);
  }

  @Override
  public int claim(int type, int length) {
    counts.putLongOrdered(countAt, ++count);
    int index = ring.tryClaim(type, length);
    if (index < 0) {
      counts.putLongOrdered(countAt, ++count);
    }
    return index;
  }

  @Override
  public boolean hasClaim() {
    return (count & 1) != 0;
  }

  @Override
  public MutableDirectBuffer buffer() {
    return ring.buffer();
  }

  @Override
  public void abort(int index) {
    ring.abort(index);
    counts.putLongOrdered(countAt, ++count);
  }

  @Override
  public void commit(int index) {
    ring.commit(index);
    counts.putLongOrdered(countAt, ++count);
  }

  /** Nothing: where the next record lies is for all senders to say. */
  @Override
  public void prepare() {
    // as above
  }
}
