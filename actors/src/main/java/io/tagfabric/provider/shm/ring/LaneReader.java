package io.tagfabric.provider.shm.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.AtomicBuffer;

/**
 * The reading side of a lane. It clears nothing: the sender does, before it writes. So the cache
 * lines of a lane go one way.
 *
 * <p>Thread: the domain's loop, {@link #hasRecord} any.
 */
public final class LaneReader {
  private static final int REPORTS_PER_LAP = 4;
  private static final VarHandle POSITION;

  static {
    try {
      POSITION = MethodHandles.lookup().findVarHandle(LaneReader.class, "position", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final AtomicBuffer memory;
  private final RingReader.RecordHandler handler;
  private final int capacity;
  private final int mask;
  private long position;
  private long reported;

  /**
   * The only reader of a lane.
   *
   * @param memory of the lane, as {@link LaneLayout} says
   */
  public LaneReader(AtomicBuffer memory, RingReader.RecordHandler handler) {
    this.memory = memory;
    this.handler = handler;
    capacity = LaneLayout.capacity(memory.capacity());
    mask = capacity - 1;
    reported = memory.getLongVolatile(LaneLayout.HEAD_AT);
    position = reported;
  }

  /** Whether a record waits, or one is being read. Thread: any. */
  public boolean hasRecord() {
    long looked = (long) POSITION.getVolatile(this);
    return memory.getLongVolatile(LaneLayout.at(looked, mask)) != 0
        || (long) POSITION.getVolatile(this) != looked;
  }

  /**
   * Hands records to the handler, up to {@code limit} with the padding between them; also those
   * before one at which it throws count as read, and that one.
   *
   * @return how many
   * @throws BrokenRingException if a record is none that a sender writes
   */
  public int read(int limit) {
    int records = 0;
    int padding = 0;
    while (records + padding < limit) {
      int at = LaneLayout.at(position, mask);
      long header = memory.getLongVolatile(at);
      if (header == 0) {
        break;
      }
      int length = LaneLayout.length(header);
      if (length < LaneLayout.HEADER_BYTES || length > capacity - ((int) position & mask)) {
        throw new BrokenRingException(
            "a record has length=" + length + " at position=" + position + " of a lane");
      }
      try {
        if (LaneLayout.type(header) == LaneLayout.PADDING) {
          padding++; // of a sender that writes nothing else the turn ends too
        } else {
          records++;
          handler.onRecord(
              LaneLayout.type(header),
              at + LaneLayout.HEADER_BYTES,
              length - LaneLayout.HEADER_BYTES);
        }
      } finally {
        moveTo(position + LaneLayout.recordBytes(length - LaneLayout.HEADER_BYTES));
      }
    }
    return records + padding;
  }

  private void moveTo(long next) {
    POSITION.setRelease(this, next);
    if (next - reported >= capacity / REPORTS_PER_LAP) {
      report();
    }
  }

  /** Lets the sender have the room of all that is read. */
  private void report() {
    reported = position;
    memory.putLongOrdered(LaneLayout.HEAD_AT, position);
  }

  /**
   * Ends it for a sender that writes no more: another one can go on here.
   *
   * @return false if there are records yet
   */
  public boolean isDrained() {
    if (memory.getLongVolatile(LaneLayout.at(position, mask)) != 0) {
      return false;
    }
    report();
    return true;
  }
}
