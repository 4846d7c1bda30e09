package io.tagfabric.provider.shm.ring;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The lanes of a domain, as its loop reads them. The senders with the first entries have one each;
 * a bit in a word of the domain's file says that there is something to read. The domain takes it
 * away when the sender writes no more and all is read.
 *
 * <p>A lane that holds what no sender writes is cut off, and no other.
 *
 * <p>Thread: the domain's loop, {@link #hasRecord} any; {@link #enter} that of a sender.
 */
public final class ShmLanes {
  /** A lane hands over so many records before the next one has its turn. */
  private static final int RECORDS_PER_TURN = 64;

  /** Takes a record where it lies. */
  @FunctionalInterface
  public interface RecordHandler {
    /** A record: its type, and where its bytes are. */
    void onRecord(AtomicBuffer memory, int type, int index, int length);

    /** A lane holds what no sender writes; nothing more is read from it. */
    default void onBroken(int lane, String detail) {
      throw new BrokenRingException(detail);
    }
  }

  private final UnsafeBuffer buffer;
  private final RecordHandler handler;
  private final LaneReader[] readers;

  /** A bit for each lane there is of which nothing is known that no sender writes. */
  private volatile long trusted;

  /**
   * The lanes of a file.
   *
   * @param buffer the file of the domain
   */
  public ShmLanes(UnsafeBuffer buffer, ShmLayout layout, RecordHandler handler) {
    this.buffer = buffer;
    this.handler = handler;
    readers = new LaneReader[layout.lanes];
    trusted = readers.length == 0 ? 0 : -1L >>> -readers.length;
    for (int lane = 0; lane < readers.length; lane++) {
      AtomicBuffer memory = new UnsafeBuffer(buffer, layout.laneAt(lane), layout.laneMemoryBytes());
      readers[lane] =
          new LaneReader(
              memory, (type, index, length) -> handler.onRecord(memory, type, index, length));
    }
  }

  /**
   * From now on a lane is read: its sender has the entry of that number.
   *
   * @param buffer the file of the domain
   */
  public static void enter(UnsafeBuffer buffer, int lane) {
    long used;
    do {
      used = buffer.getLongVolatile(ShmLayout.LANES_USED_AT);
    } while (!buffer.compareAndSetLong(ShmLayout.LANES_USED_AT, used, used | 1L << lane));
  }

  /** Lanes with a sender that can be trusted to be the only one. */
  private long used() {
    return buffer.getLongVolatile(ShmLayout.LANES_USED_AT) & trusted;
  }

  /** Hands records to the handler, some of each lane; gives how many. */
  public int read() {
    return read(RECORDS_PER_TURN);
  }

  /** Hands up to {@code limit} records of each lane to the handler; gives how many in all. */
  public int read(int limit) {
    int records = 0;
    for (long left = used(); left != 0; left &= left - 1) {
      records += readLane(Long.numberOfTrailingZeros(left), limit);
    }
    return records;
  }

  private int readLane(int lane, int limit) {
    try {
      return readers[lane].read(limit);
    } catch (BrokenRingException e) {
      cutOff(lane);
      handler.onBroken(lane, e.getMessage());
      return 1;
    }
  }

  /** Nothing more is read from the lane of a sender, if it has one, whoever writes there. */
  void cutOff(int sender) {
    if (sender < readers.length) {
      trusted &= ~(1L << sender);
    }
  }

  /** Whether a sender with an entry has a lane, and nothing is read from it any more. */
  boolean isCutOff(int sender) {
    return sender < readers.length && (trusted & 1L << sender) == 0;
  }

  /** Whether a record waits in a lane. Thread: any. */
  public boolean hasRecord() {
    for (long left = used(); left != 0; left &= left - 1) {
      if (readers[Long.numberOfTrailingZeros(left)].hasRecord()) {
        return true;
      }
    }
    return false;
  }

  /** Whether all is read that a sender wrote into its lane, if it has one; it writes no more. */
  public boolean isDrained(int sender) {
    return sender >= readers.length || isCutOff(sender) || readers[sender].isDrained();
  }

  /**
   * The sender of an entry is gone.
   *
   * @return whether another sender may have the entry; it may not if the lane is cut off or not
   *     read to the end, because its writer may still write
   */
  public boolean free(int sender) {
    if (sender >= readers.length) {
      return true;
    }
    if (isCutOff(sender)) {
      return false;
    }
    if (!readers[sender].isDrained()) {
      cutOff(sender);
      return false;
    }
    long used;
    do {
      used = buffer.getLongVolatile(ShmLayout.LANES_USED_AT);
    } while (!buffer.compareAndSetLong(ShmLayout.LANES_USED_AT, used, used & ~(1L << sender)));
    return true;
  }
}
