package io.tagfabric.provider.shm.ring;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;

/**
 * The writing side of a lane: a ring of records with one sender and one reader, so that neither has
 * to take anything from another. {@link LaneLayout} says how it lies in memory.
 *
 * <p>A record is written, then the header behind it is set to zero, then its own header is set with
 * release order: who sees it sees the record, and that nothing is behind it yet. What a killed
 * sender has not published is never seen, so nothing needs repair.
 *
 * <p>A sender with nothing else to do {@linkplain #prepare prepares} the next records: it writes
 * zeros wherever one of their headers may be. The cache lines come to its core so while nobody
 * waits for them; else the next record would fetch each of them from the reader's core.
 *
 * <p>Thread: the sender's loop.
 */
public final class LaneWriter implements RecordWriter {
  /** So many bytes are made ready for the next records, and twice those of the last one. */
  private static final int LEAST_AHEAD = 256;

  private static final int RECORDS_AHEAD = 2;

  private final AtomicBuffer memory;
  private final int capacity;
  private final int mask;
  private final int longest;

  private long tail;
  private long headSeen;

  /** Wherever a header may be behind the tail and before here, there is a zero. */
  private long clearedTo;

  private int claimedType;
  private int claimedLength;
  private long claimedAt;
  private long claimedEnd;
  private boolean claimed;

  /**
   * The only sender of a lane; it goes on where the one before ended.
   *
   * @param memory of the lane, as {@link LaneLayout} says
   */
  public LaneWriter(AtomicBuffer memory) {
    this.memory = memory;
    capacity = LaneLayout.capacity(memory.capacity());
    mask = capacity - 1;
    longest = LaneLayout.longestRecord(capacity);
    headSeen = memory.getLongVolatile(LaneLayout.HEAD_AT);
    tail = headSeen & -LaneLayout.ALIGNMENT; // whatever a reader has written
    clearedTo = tail + LaneLayout.ALIGNMENT;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if there would never be room for it
   */
  @Override
  public int claim(int type, int length) {
    if (length > longest) {
      throw new IllegalArgumentException("length=" + length + " > " + longest + " of a lane");
    }
    int bytes = LaneLayout.recordBytes(length);
    int padding = padding(bytes);
    // The header behind the record is written too.
    long needed = tail + padding + bytes + LaneLayout.ALIGNMENT - capacity;
    if (needed > headSeen) {
      headSeen = memory.getLongVolatile(LaneLayout.HEAD_AT);
      if (needed > headSeen) {
        return -1;
      }
    }
    claimedType = type;
    claimedLength = length;
    claimedAt = tail + padding;
    claimedEnd = claimedAt + bytes;
    claimed = true;
    return LaneLayout.at(claimedAt, mask) + LaneLayout.HEADER_BYTES;
  }

  /** Bytes up to the end of the ring if a record has no room before it. */
  private int padding(int bytes) {
    int untilEnd = capacity - ((int) tail & mask);
    return untilEnd < bytes ? untilEnd : 0;
  }

  @Override
  public boolean hasClaim() {
    return claimed;
  }

  @Override
  public MutableDirectBuffer buffer() {
    return memory;
  }

  @Override
  public void abort(int index) {
    claimed = false;
    clearedTo = tail + LaneLayout.ALIGNMENT; // what was written lies there
  }

  @Override
  public void commit(int index) {
    claimed = false;
    long header = LaneLayout.header(claimedType, claimedLength + LaneLayout.HEADER_BYTES);
    long next = claimedEnd;
    clearedTo = Math.max(clearedTo, next);
    clearTo(next + LaneLayout.ALIGNMENT);
    if (claimedAt > tail) {
      memory.putLong(LaneLayout.at(claimedAt, mask), header);
      header = LaneLayout.header(LaneLayout.PADDING, (int) (claimedAt - tail));
    }
    memory.putLongOrdered(LaneLayout.at(tail, mask), header);
    tail = next;
  }

  @Override
  public void prepare() {
    if (!claimed) {
      int ahead = LEAST_AHEAD + RECORDS_AHEAD * LaneLayout.recordBytes(claimedLength);
      clearTo(Math.min(tail + ahead, headSeen + capacity));
    }
  }

  private void clearTo(long end) {
    for (; clearedTo < end; clearedTo += LaneLayout.ALIGNMENT) {
      memory.putLong(LaneLayout.at(clearedTo, mask), 0);
    }
  }
}
