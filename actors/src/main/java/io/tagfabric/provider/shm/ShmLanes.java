package io.tagfabric.provider.shm;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The lanes of a domain, as its loop reads them. A sender takes one by setting its bit in a word of
 * the domain's file; the domain takes the bit away when the sender writes no more and all is read.
 *
 * <p>Thread: the domain's loop, {@link #hasRecord} any; {@link #take} that of a sender.
 */
public final class ShmLanes {
  /** A lane hands over so many records before the next one has its turn. */
  private static final int RECORDS_PER_TURN = 64;

  /** No lane. */
  static final int NONE = -1;

  /** Takes a record where it lies. */
  @FunctionalInterface
  public interface RecordHandler {
    /** A record: its type, and where its bytes are. */
    void onRecord(AtomicBuffer memory, int type, int index, int length);
  }

  private final UnsafeBuffer buffer;
  private final LaneReader[] readers;
  private volatile long trusted = -1;

  /**
   * The lanes of a file.
   *
   * @param buffer the file of the domain
   */
  public ShmLanes(UnsafeBuffer buffer, ShmLayout layout, RecordHandler handler) {
    this.buffer = buffer;
    readers = new LaneReader[layout.lanes];
    for (int lane = 0; lane < readers.length; lane++) {
      AtomicBuffer memory = new UnsafeBuffer(buffer, layout.laneAt(lane), layout.laneMemoryBytes());
      readers[lane] =
          new LaneReader(
              memory, (type, index, length) -> handler.onRecord(memory, type, index, length));
    }
  }

  /**
   * Takes a lane of a domain for a sender.
   *
   * @param buffer the file of the domain
   * @return {@link #NONE} if all are taken
   */
  static int take(UnsafeBuffer buffer, ShmLayout layout) {
    while (true) {
      long used = buffer.getLongVolatile(ShmLayout.LANES_USED_AT);
      int lane = Long.numberOfTrailingZeros(~used);
      if (lane >= layout.lanes) {
        return NONE;
      }
      if (buffer.compareAndSetLong(ShmLayout.LANES_USED_AT, used, used | 1L << lane)) {
        return lane;
      }
    }
  }

  /** Lanes with a sender that can be trusted to be the only one. */
  private long used() {
    long all = readers.length == 0 ? 0 : -1L >>> -readers.length;
    return buffer.getLongVolatile(ShmLayout.LANES_USED_AT) & all & trusted;
  }

  /** Hands records to the handler, some of each lane; gives how many. */
  int read() {
    return read(RECORDS_PER_TURN);
  }

  /** Hands up to {@code limit} records of each lane to the handler; gives how many in all. */
  public int read(int limit) {
    int records = 0;
    for (long left = used(); left != 0; left &= left - 1) {
      records += readers[Long.numberOfTrailingZeros(left)].read(limit);
    }
    return records;
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

  /** Whether all records of a lane are read; its sender writes no more. */
  boolean isDrained(int lane) {
    return lane < 0 || lane >= readers.length || readers[lane].isDrained();
  }

  /** The sender of a lane is gone: another one may take it, if all it wrote is read. */
  void free(int lane) {
    if (lane < 0 || lane >= readers.length) {
      return;
    }
    long bit = 1L << lane;
    if (!readers[lane].isDrained()) {
      trusted &= ~bit; // whoever wrote it may still do so
    } else if ((used() & bit) != 0) {
      buffer.getAndAddLong(ShmLayout.LANES_USED_AT, -bit);
    }
  }
}
