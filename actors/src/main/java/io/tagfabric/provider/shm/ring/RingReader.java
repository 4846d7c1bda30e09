package io.tagfabric.provider.shm.ring;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * The reading side of a {@link ManyToOneRingBuffer} of which this is the only reader. It reads the
 * same records in the same way, but remembers where it is, and clears short records word by word:
 * for a record of 40 bytes the call that clears memory costs more than all else. A short record
 * that came alone is cleared by the next read: its cache line is the sender's, and a reader that
 * waits for it now answers the message later.
 *
 * <p>Thread: the domain's loop.
 */
public final class RingReader {
  /** Takes a record where it lies. */
  @FunctionalInterface
  public interface RecordHandler {
    /** A record: its type, and where its bytes are in {@link RingReader#buffer}. */
    void onRecord(int type, int index, int length);
  }

  /** Up to here words are cleared one by one. */
  private static final int MAX_WORDWISE_BYTES = 512;

  /** Up to here the next read clears what one has read. */
  private static final int MAX_LATER_BYTES = 128;

  private final AtomicBuffer buffer;
  private final RecordHandler handler;
  private final int capacity;
  private final int headAt;
  private long head;
  private int unreturned;

  /** The only reader of a ring. */
  public RingReader(ManyToOneRingBuffer ring, RecordHandler handler) {
    this.buffer = ring.buffer();
    this.handler = handler;
    capacity = ring.capacity();
    headAt = capacity + RingBufferDescriptor.HEAD_POSITION_OFFSET;
    head = buffer.getLongVolatile(headAt);
  }

  /** The memory that {@link RecordHandler} reads from. */
  public AtomicBuffer buffer() {
    return buffer;
  }

  /** Bytes read so far. */
  public long position() {
    return head;
  }

  /** Whether a committed record waits, or one that was read is not cleared yet. Thread: any. */
  public boolean hasRecord() {
    int index = (int) buffer.getLongVolatile(headAt) & (capacity - 1);
    return buffer.getIntVolatile(index) > 0;
  }

  /**
   * Hands up to {@code limit} records to the handler; also those before one at which it throws
   * count as read, and that one.
   *
   * @return how many
   * @throws BrokenRingException if a record is none that a sender writes
   */
  public int read(int limit) {
    giveBack();
    int first = (int) head & (capacity - 1);
    if (buffer.getIntVolatile(first) <= 0) {
      return 0;
    }
    int untilWrap = capacity - first;
    int bytes = 0;
    int records = 0;
    try {
      while (bytes < untilWrap && records < limit) {
        int at = first + bytes;
        int length = buffer.getIntVolatile(RecordDescriptor.lengthOffset(at));
        if (length <= 0) {
          break;
        }
        if (length < RecordDescriptor.HEADER_LENGTH || length > untilWrap - bytes) {
          throw new BrokenRingException(
              "a record has length=" + length + " at index=" + at + " of capacity=" + capacity);
        }
        bytes += BitUtil.align(length, RecordDescriptor.ALIGNMENT);
        int type = buffer.getInt(RecordDescriptor.typeOffset(at));
        if (type != ManyToOneRingBuffer.PADDING_MSG_TYPE_ID) {
          records++;
          handler.onRecord(
              type, RecordDescriptor.encodedMsgOffset(at), length - RecordDescriptor.HEADER_LENGTH);
        }
      }
    } finally {
      head += bytes;
      unreturned = bytes;
      if (bytes > MAX_LATER_BYTES) {
        giveBack();
      }
    }
    return records;
  }

  /** Lets senders have the room of what was read before. */
  private void giveBack() {
    if (unreturned > 0) {
      int bytes = unreturned;
      unreturned = 0;
      clear((int) (head - bytes) & (capacity - 1), bytes);
      buffer.putLongOrdered(headAt, head);
    }
  }

  private void clear(int at, int bytes) {
    if (bytes > MAX_WORDWISE_BYTES) {
      buffer.setMemory(at, bytes, (byte) 0);
      return;
    }
    for (int end = at + bytes, word = at; word < end; word += Long.BYTES) {
      buffer.putLong(word, 0);
    }
  }
}
