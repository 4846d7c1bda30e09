package io.tagfabric.wire;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A short message as a record of a ring in memory that both sides reach: no packet, no sequence, no
 * acknowledgement, since the ring keeps order and loses nothing. Only the credit of the message
 * comes back, in a packet.
 *
 * <pre>
 *   0  flow (4): the receiver's number of it
 *   4  1 if there is immediate data (4)
 *   8  tag (8)
 *  16  immediate data (8), if there is any
 *  ..  payload to the end of the record
 * </pre>
 *
 * @source fi_opx(7), packets of type inject
 */
public final class InjectRecord {
  private static final int FLOW_AT = 0;
  private static final int HAS_DATA_AT = 4;
  private static final int TAG_AT = 8;
  private static final int HEADER_BYTES = 16;

  private InjectRecord() {}

  /** Bytes of the record of a message. */
  public static int length(MessageView message) {
    return payloadAt(message.hasData()) + message.length();
  }

  private static int payloadAt(boolean hasData) {
    return hasData ? HEADER_BYTES + Long.BYTES : HEADER_BYTES;
  }

  /**
   * Writes a message.
   *
   * @param flow the receiver's number of it
   */
  public static void write(MutableDirectBuffer record, int at, int flow, MessageView message) {
    boolean hasData = message.hasData();
    record.putInt(at + FLOW_AT, flow);
    record.putInt(at + HAS_DATA_AT, hasData ? 1 : 0);
    record.putLong(at + TAG_AT, message.tag());
    if (hasData) {
      record.putLong(at + HEADER_BYTES, message.data());
    }
    ShortCopy.copy(
        message.buffer(), message.offset(), record, at + payloadAt(hasData), message.length());
  }

  /** The receiver's number of the flow. */
  public static int flow(DirectBuffer record, int at) {
    return record.getInt(at + FLOW_AT);
  }

  /** Shows the message of a record; false if it is too short to be one of these. */
  public static boolean read(DirectBuffer record, int at, int length, MessageView message) {
    boolean hasData = length >= HEADER_BYTES && record.getInt(at + HAS_DATA_AT) != 0;
    int payloadAt = payloadAt(hasData);
    if (length < payloadAt) {
      return false;
    }
    message.show(record.getLong(at + TAG_AT), record, at + payloadAt, length - payloadAt);
    if (hasData) {
      message.showData(record.getLong(at + HEADER_BYTES));
    }
    return true;
  }
}
