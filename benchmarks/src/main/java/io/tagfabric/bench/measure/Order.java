package io.tagfabric.bench.measure;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What the near end tells the far one before a run.
 *
 * @param work what to do
 * @param mover which end moves the messages: {@link #SELF}, or a number that both ends understand
 * @param bytes length of a message
 * @param count round trips, messages, or depth
 * @param window messages under way
 */
public record Order(Work work, int mover, int bytes, int count, int window) {
  /** The ends that exchange the orders move the messages too. */
  public static final int SELF = 0;

  /** Length of an order. */
  public static final int BYTES = 5 * Integer.BYTES;

  /** Length of an answer or acknowledgement. */
  public static final int ANSWER_BYTES = Long.BYTES;

  /** Nothing more. */
  public static final Order END = new Order(Work.END, SELF, 0, 0, 0);

  /** What a far end can be told to do. */
  public enum Work {
    /** Answer every message. */
    PONG(1),
    /** Acknowledge every half window. */
    DRAIN(2),
    /** Post receives, say so, and wait for their messages. */
    MATCH_POSTED(3),
    /** Wait until messages have come for which nothing is posted, then post and measure. */
    MATCH_UNEXPECTED(4),
    /** Say in the answer how many bytes have been allocated since the last such order. */
    TELL_ALLOCATED(5),
    /** Nothing more. */
    END(6),
    /** Wait until messages have come for which nothing is posted, then look for the last. */
    MATCH_PROBED(7),
    /** Send as the near end does, and take what it sends. */
    BOTH_WAYS(8),
    /** Answer every message, asleep until it comes. */
    ANSWER_ASLEEP(9);

    private final int code;

    Work(int code) {
      this.code = code;
    }

    private static Work of(int code) {
      for (Work work : values()) {
        if (work.code == code) {
          return work;
        }
      }
      throw new IllegalArgumentException("code=" + code + " is no order, the ends disagree");
    }
  }

  /** An order to take part in a measurement of messages. */
  public static Order of(TransferKind kind, int mover, int bytes, int count, int window) {
    return new Order(kind.farWork(), mover, bytes, count, window);
  }

  /** Writes the order to the beginning of a buffer. */
  public void write(MutableDirectBuffer buffer) {
    buffer.putInt(0, work.code);
    buffer.putInt(4, mover);
    buffer.putInt(8, bytes);
    buffer.putInt(12, count);
    buffer.putInt(16, window);
  }

  /** Reads an order from the beginning of a buffer. */
  public static Order read(DirectBuffer buffer) {
    return new Order(
        Work.of(buffer.getInt(0)),
        buffer.getInt(4),
        buffer.getInt(8),
        buffer.getInt(12),
        buffer.getInt(16));
  }
}
