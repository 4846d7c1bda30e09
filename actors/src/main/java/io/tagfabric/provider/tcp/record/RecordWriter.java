package io.tagfabric.provider.tcp.record;

import io.tagfabric.wire.InjectRecord;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import org.agrona.DirectBuffer;

/** Writes records behind one another into a stream. Thread: the domain's loop. */
public final class RecordWriter {
  /** Bytes of a long message that are copied into one record. */
  private static final int COPIED_BYTES = 48 * 1024;

  private final Chunks chunks;
  private final SendStream stream;

  /**
   * Writes to a stream.
   *
   * @param chunks those of the node, in which long packets lie from the start
   */
  public RecordWriter(Chunks chunks, SendStream stream) {
    this.chunks = chunks;
    this.stream = stream;
  }

  /** Writes a packet; one that lies in a chunk goes from there. */
  public void packet(int endpoint, Packet packet) {
    int length = packet.length();
    int recordBytes = Records.length(length);
    Chunk lent = chunks.lent(packet);
    if (lent == null) {
      stream.open(recordBytes);
      int at = stream.at();
      Records.header(stream.buffer(), at, Records.PACKET, endpoint, length);
      stream.buffer().putBytes(at + Records.HEADER_BYTES, packet.buffer(), 0, length);
      stream.close(recordBytes);
    } else {
      Records.header(lent.buffer(), 0, Records.PACKET, endpoint, length);
      stream.append(lent, recordBytes);
    }
  }

  /** Writes a short message by itself; false if it is too long for that. */
  public boolean inject(int endpoint, long flow, MessageView message) {
    int length = InjectRecord.length(message);
    if (length > Chunks.SMALL_BYTES - Records.HEADER_BYTES) {
      return false;
    }
    int recordBytes = Records.length(length);
    stream.open(recordBytes);
    int at = stream.at();
    Records.header(stream.buffer(), at, Records.INJECT, endpoint, length);
    InjectRecord.write(stream.buffer(), at + Records.HEADER_BYTES, flow, message);
    stream.close(recordBytes);
    return true;
  }

  /** Writes the frames of a packet without its header. */
  public void frames(int endpoint, long flow, Packet packet) {
    int frames = packet.length() - Packet.HEADER_LENGTH;
    int recordBytes = Records.length(Long.BYTES + frames);
    stream.open(recordBytes);
    int at = stream.at();
    Records.header(stream.buffer(), at, Records.FRAMES, endpoint, Long.BYTES + frames);
    int body = at + Records.HEADER_BYTES;
    stream.buffer().putLong(body, flow, Records.ORDER);
    stream.buffer().putBytes(body + Long.BYTES, packet.buffer(), Packet.HEADER_LENGTH, frames);
    stream.close(recordBytes);
  }

  /** Whether {@link #bytes} lends so many bytes to the stream, in place of a copy. */
  public static boolean lends(DirectBuffer source, int length) {
    return length >= Place.LEAST_BYTES && NioViews.has(source);
  }

  /** Writes bytes of a long message, for a place that the peer has named. */
  public void bytes(long place, long position, DirectBuffer source, int offset, int length) {
    boolean lent = lends(source, length);
    int most = lent ? Records.MOST_PLACED_BYTES : COPIED_BYTES;
    for (int done = 0; done < length; ) {
      int part = Math.min(length - done, most);
      bytes(place, position + done, source, offset + done, part, lent);
      done += part;
    }
  }

  private void bytes(
      long place, long position, DirectBuffer source, int offset, int part, boolean lent) {
    int head = Records.HEADER_BYTES + Records.PLACE_BYTES;
    int padding = Records.padding(Records.PLACE_BYTES + part);
    if (lent) {
      stream.openShort(head);
      Records.place(stream.buffer(), stream.at(), place, position, part);
      stream.close(head);
      stream.lend(NioViews.of(source, offset, part));
      if (padding > 0) {
        stream.openShort(padding);
        stream.close(padding);
      }
    } else {
      stream.open(head + part + padding);
      int at = stream.at();
      Records.place(stream.buffer(), at, place, position, part);
      stream.buffer().putBytes(at + head, source, offset, part);
      stream.close(head + part + padding);
    }
  }

  /** Writes a record with a number, for the peer's node itself. */
  public void control(int kind, long value) {
    int recordBytes = Records.length(Long.BYTES);
    stream.openShort(recordBytes);
    int at = stream.at();
    Records.header(stream.buffer(), at, kind, 0, Long.BYTES);
    stream.buffer().putLong(at + Records.HEADER_BYTES, value, Records.ORDER);
    stream.close(recordBytes);
  }
}
