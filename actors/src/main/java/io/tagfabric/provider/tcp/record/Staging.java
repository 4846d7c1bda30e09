package io.tagfabric.provider.tcp.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where the sockets of a node are read: records are taken where they lie. A record of which only a
 * part has come stays here until another connection is read; then its reader keeps the part.
 * Thread: the domain's loop.
 */
public final class Staging {
  /** Takes the records of one connection. */
  public interface Reader {
    /**
     * Takes a record, which is there during the call only.
     *
     * @return whether to go on
     */
    boolean onRecord(UnsafeBuffer buffer, int at);

    /** A {@link Records#PLACE} record begins; only its fields are there. */
    void onPlace(UnsafeBuffer buffer, int at);

    /** Where the payload of such a record goes. */
    Placing placing();

    /** The part of a record that was kept; null if there is none. */
    byte[] rest();

    /** Keeps the part of a record; null for none. */
    void rest(byte[] part);
  }

  /** So little is read where a place's bytes may follow, which would be copied then. */
  static final int SHORT_BYTES = 4 * 1024;

  private final int longestBodyBytes;
  private final ByteBuffer bytes;
  private final UnsafeBuffer buffer;
  private Reader owner;
  private int from;
  private int to;

  /**
   * Nothing is read yet.
   *
   * @param capacity bytes read at once at most
   * @param longestBodyBytes of a record
   */
  public Staging(int capacity, int longestBodyBytes) {
    this.longestBodyBytes = longestBodyBytes;
    bytes = ByteBuffer.allocateDirect(capacity);
    buffer = new UnsafeBuffer(bytes);
  }

  /**
   * Reads once what has come.
   *
   * @return the bytes, 0 if none, negative at the end of the stream
   */
  public int read(Reader reader, ReadableByteChannel socket) throws IOException {
    if (owner != reader) {
      change(reader);
    } else if (bytes.capacity() - to < Records.length(longestBodyBytes)) {
      moveToBegin();
    }
    Placing placing = reader.placing();
    if (from == to && placing.isRead()) {
      return placing.read(socket, bytes.capacity());
    }
    boolean isShort = placing.isAwaited() && !placing.isUnderWay();
    int end = isShort ? Math.min(to + SHORT_BYTES, bytes.capacity()) : bytes.capacity();
    int read = socket.read(bytes.limit(end).position(to));
    to += Math.max(0, read);
    return read;
  }

  private void change(Reader reader) {
    if (owner != null) {
      leave();
    }
    owner = reader;
    byte[] rest = reader.rest();
    if (rest != null) {
      buffer.putBytes(0, rest);
      to = rest.length;
      reader.rest(null);
    }
  }

  private void leave() {
    if (from < to) {
      byte[] rest = new byte[to - from];
      buffer.getBytes(from, rest);
      owner.rest(rest);
    }
    owner = null;
    from = 0;
    to = 0;
  }

  private void moveToBegin() {
    buffer.putBytes(0, buffer, from, to - from);
    to -= from;
    from = 0;
  }

  /**
   * Hands the records that are whole to the reader that has read last.
   *
   * @return false if what has come is no record
   */
  public boolean parse() {
    boolean goesOn = true;
    Placing placing = owner.placing();
    if (placing.isUnderWay()) {
      from += placing.take(buffer, from, to - from);
    }
    while (goesOn && to - from >= Records.HEADER_BYTES) {
      int bodyBytes = Records.bodyBytes(buffer, from);
      if (Records.kind(buffer, from) == Records.PLACE) {
        if (bodyBytes < Records.PLACE_BYTES
            || bodyBytes > Records.PLACE_BYTES + Records.MOST_PLACED_BYTES) {
          return false;
        }
        if (to - from < Records.HEADER_BYTES + Records.PLACE_BYTES) {
          break;
        }
        owner.onPlace(buffer, from);
        from += Records.HEADER_BYTES + Records.PLACE_BYTES;
        from += placing.take(buffer, from, to - from);
        continue;
      }
      if (bodyBytes < 0 || bodyBytes > longestBodyBytes) {
        return false;
      }
      int recordBytes = Records.length(bodyBytes);
      if (to - from < recordBytes) {
        break;
      }
      int at = from;
      from += recordBytes;
      goesOn = owner.onRecord(buffer, at);
    }
    if (from == to) {
      from = 0;
      to = 0;
    }
    return true;
  }

  /** Nothing more is read of a connection. */
  public void forget(Reader reader) {
    if (owner == reader) {
      owner = null;
      from = 0;
      to = 0;
    }
  }
}
