package io.tagfabric.provider.tcp.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bytes on their way to one peer, by their positions in a stream that outlives the sockets it
 * travels by: what is written, what the present socket has taken of it, and what the peer has
 * confirmed. Bytes are kept until they are confirmed, so the stream goes on at another socket from
 * whichever byte the peer has not got.
 *
 * <pre>
 *  0 ------- confirmed -------- sent -------- written
 *    (gone)     |     kept, on the way  | kept, waiting
 * </pre>
 *
 * <p>Thread: the domain's loop.
 */
public final class SendStream {
  /** Pieces that one call hands to a socket. */
  private static final int MOST_PIECES = 16;

  /**
   * Bytes that one call hands to a socket at most: while the system copies them the reader hardly
   * gets at those before.
   */
  static final int MOST_AT_ONCE_BYTES = 384 * 1024;

  private final Chunks pool;
  private final long mostKeptBytes;
  private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
  private final ByteBuffer[] pieces = new ByteBuffer[MOST_PIECES];
  private Chunk last;

  /** Whether there may be bytes that are lent. */
  private boolean lends;

  private long confirmed;
  private long sent;
  private long written;

  /**
   * An empty stream.
   *
   * @param mostKeptBytes beyond so many {@link #hasRoom} is false
   */
  public SendStream(Chunks pool, long mostKeptBytes) {
    this.pool = pool;
    this.mostKeptBytes = mostKeptBytes;
  }

  /** Whether one more record may be written. */
  public boolean hasRoom() {
    return written - confirmed < mostKeptBytes;
  }

  /** Bytes that no socket has taken. */
  public long waitingBytes() {
    return written - sent;
  }

  /** Position behind the last byte written. */
  public long written() {
    return written;
  }

  /** Position up to which the peer has all. */
  public long confirmed() {
    return confirmed;
  }

  /** Makes room for a record; it is to be written at {@link #at} of {@link #buffer}. */
  void open(int recordBytes) {
    if (last == null || last.remaining() < recordBytes) {
      queue(pool.take(recordBytes));
    }
  }

  /** The same for a record that no other follows for long, perhaps. */
  void openShort(int recordBytes) {
    if (last == null || last.remaining() < recordBytes) {
      queue(pool.takeTiny());
    }
  }

  private void queue(Chunk chunk) {
    chunk.queue(written);
    chunks.addLast(chunk);
    last = chunk;
  }

  UnsafeBuffer buffer() {
    return last.buffer();
  }

  int at() {
    return last.length();
  }

  /** The record that {@link #open} made room for is written. */
  void close(int recordBytes) {
    last.append(recordBytes);
    written += recordBytes;
  }

  /** Appends a chunk that holds one record, from its begin on. */
  void append(Chunk chunk, int recordBytes) {
    queue(chunk);
    close(recordBytes);
    last = null; // what is behind the record is the packet's
  }

  /** Appends bytes of a record that the program leaves alone until they are confirmed. */
  void lend(ByteBuffer bytes) {
    int length = bytes.remaining();
    queue(new Chunk(bytes));
    close(length);
    last = null;
    lends = true;
  }

  /**
   * Copies the bytes that are lent and not confirmed.
   *
   * @return false if some are not there any more; then the stream is of no use
   */
  public boolean copyLent() {
    if (!lends) {
      return true;
    }
    lends = false;
    try {
      for (int i = chunks.size(); i > 0; i--) {
        Chunk chunk = chunks.pollFirst();
        chunks.addLast(chunk.isLent() ? chunk.copied() : chunk);
      }
      return true;
    } catch (InternalError cut) {
      return false;
    }
  }

  /**
   * Hands to a socket what waits, as much as it takes.
   *
   * @return the bytes it has taken
   */
  public long sendTo(GatheringByteChannel socket) throws IOException {
    if (written == sent) {
      return 0;
    }
    if (last != null && last.end() - last.length() <= sent) {
      int taken = socket.write(last.from(sent));
      sent += taken;
      return taken;
    }
    int count = 0;
    long mostAt = sent + MOST_AT_ONCE_BYTES;
    for (Iterator<Chunk> each = chunks.iterator(); each.hasNext() && count < MOST_PIECES; ) {
      Chunk chunk = each.next();
      if (chunk.end() > sent) {
        ByteBuffer piece = chunk.from(Math.max(sent, chunk.end() - chunk.length()));
        pieces[count] = piece;
        count++;
        if (chunk.end() >= mostAt) {
          piece.limit(piece.limit() - (int) (chunk.end() - mostAt));
          break;
        }
      }
    }
    long taken = count == 1 ? socket.write(pieces[0]) : socket.write(pieces, 0, count);
    sent += taken;
    return taken;
  }

  /**
   * The peer has all up to a position.
   *
   * @return false if it cannot have that
   */
  public boolean confirm(long upTo) {
    if (upTo > sent) {
      return false;
    }
    if (upTo <= confirmed) {
      return true;
    }
    confirmed = upTo;
    while (!chunks.isEmpty() && chunks.peekFirst().end() <= confirmed) {
      Chunk done = chunks.pollFirst();
      if (done == last) {
        last = null;
      }
      pool.giveBack(done);
    }
    return true;
  }

  /**
   * Goes on at another socket.
   *
   * @param peerHas position up to which the peer has all
   * @return false if it cannot have that
   */
  public boolean resume(long peerHas) {
    // It may have got more than the last confirmation of it that has come here says.
    if (peerHas < confirmed || peerHas > sent) {
      return false;
    }
    confirm(peerHas);
    sent = peerHas;
    return true;
  }

  /** Nothing is sent any more. */
  public void clear() {
    chunks.forEach(pool::giveBack);
    chunks.clear();
    last = null;
    lends = false;
    confirmed = written;
    sent = written;
  }
}
