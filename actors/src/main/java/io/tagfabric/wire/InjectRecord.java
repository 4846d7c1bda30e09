package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A short message as a record of a ring in memory that both sides reach, or of a connection: no
 * packet, no sequence, no acknowledgement, since either keeps order and loses nothing. Only the
 * credit of the message comes back, in a packet.
 *
 * <pre>
 *   0  key of the flow (8), see {@link FlowKey}; bit 31 is set if there is immediate data
 *   8  tag (8)
 *  16  immediate data (8), if there is any
 *  ..  payload to the end of the record
 * </pre>
 *
 * @source fi_opx(7), packets of type inject
 */
@InternalApi
public final class InjectRecord {
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
  private static final int FLOW_AT = 0;
  private static final int TAG_AT = 8;
  private static final int HEADER_BYTES = 16;

  /** Bytes of a record beside the message at most. */
  public static final int MOST_HEADER_BYTES = HEADER_BYTES + Long.BYTES;

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
   * @param flow key of the flow
   */
  public static void write(MutableDirectBuffer record, int at, long flow, MessageView message) {
    boolean hasData = message.hasData();
    record.putLong(at + FLOW_AT, hasData ? flow | FlowKey.DATA_BIT : flow, ORDER);
    record.putLong(at + TAG_AT, message.tag(), ORDER);
    if (hasData) {
      record.putLong(at + HEADER_BYTES, message.data(), ORDER);
    }
    ShortCopy.copy(
        message.buffer(), message.offset(), record, at + payloadAt(hasData), message.length());
  }

  /** Key of the flow. */
  public static long flow(DirectBuffer record, int at) {
    return record.getLong(at + FLOW_AT, ORDER) & ~FlowKey.DATA_BIT;
  }

  /** Shows the message of a record; false if it is too short to be one of these. */
  public static boolean read(DirectBuffer record, int at, int length, MessageView message) {
    boolean hasData =
        length >= HEADER_BYTES && (record.getLong(at + FLOW_AT, ORDER) & FlowKey.DATA_BIT) != 0;
    int payloadAt = payloadAt(hasData);
    if (length < payloadAt) {
      return false;
    }
    message.show(record.getLong(at + TAG_AT, ORDER), record, at + payloadAt, length - payloadAt);
    if (hasData) {
      message.showData(record.getLong(at + HEADER_BYTES, ORDER));
    }
    return true;
  }
}
