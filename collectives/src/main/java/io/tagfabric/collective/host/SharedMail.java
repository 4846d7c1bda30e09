package io.tagfabric.collective.host;

import java.util.ArrayDeque;
import java.util.function.IntConsumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the members of a team on one host tell one another about the team, in the memory they share:
 * a ring of bytes for each ordered pair, in which one member writes and one reads. A message is its
 * length and its bytes; one that is longer than the room waits here and goes on when the other has
 * read.
 *
 * <p><b>Death.</b> A writer puts bytes first and then raises the number of bytes written, so a
 * member that dies leaves whole messages and perhaps the beginning of one, which nobody ever sees
 * whole. A reader that dies takes no more; what waits for it is forgotten with this member.
 *
 * <p><b>Sleepers.</b> A member that has written, or made room, counts that at the other, and then
 * looks whether it sleeps; one that is about to sleep says so and looks at the count once more. So
 * one sees the other; {@code MailModel} among the tests explores it. While the count is as it was,
 * nobody looks at the rings: a pass costs the same in teams of any size.
 *
 * <p><b>Notes before.</b> Members may have written to one another by other means before they met in
 * this memory. A ring says how many such messages its writer has sent, and is read when these have
 * come.
 *
 * <p>Thread: the loop of the member's domain; {@link #announce} and {@link #withdraw} by any
 * thread.
 */
public final class SharedMail {
  /** No message is longer. */
  public static final int MOST_BYTES = 128 * 1024;

  /** Takes what has come. */
  public interface Reader {
    /** A message of a member of the host has come, by its place. */
    void onMail(int member, byte[] message);

    /** A member has written a length that no message has; nothing more is read of it. */
    void onBroken(int member, int lengthBytes);
  }

  /** What comes from one member. */
  private static final class Incoming {
    private final byte[] length = new byte[Integer.BYTES];
    private byte[] message;
    private int filled;
    private long read;
    private int notes;
    private boolean isBroken;
  }

  /** What waits for room on the way to one member. */
  private static final class Outgoing {
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private int position;
    private long written;
    private boolean isGone;
  }

  private static final long UNKNOWN = -1;

  private final SharedLayout layout;
  private final UnsafeBuffer buffer;
  private final int rank;
  private final IntConsumer waker;
  private final Reader reader;
  private final Incoming[] incoming;
  private final Outgoing[] outgoing;
  private volatile long counted = UNKNOWN;
  private boolean isAdvancing;
  private boolean closed;

  /**
   * Takes a member's place.
   *
   * @param waker runs with the place of a member that sleeps and has something to read, or room
   * @param notesSent messages sent to each member by other means
   * @param notesCome messages that came from each by other means
   */
  public SharedMail(
      SharedSegment segment,
      int rank,
      IntConsumer waker,
      Reader reader,
      int[] notesSent,
      int[] notesCome) {
    this.layout = segment.layout();
    this.buffer = segment.buffer();
    this.rank = rank;
    this.waker = waker;
    this.reader = reader;
    incoming = new Incoming[layout.members];
    outgoing = new Outgoing[layout.members];
    for (int member = 0; member < layout.members; member++) {
      incoming[member] = new Incoming();
      incoming[member].notes = notesCome[member];
      outgoing[member] = new Outgoing();
      if (member != rank) {
        buffer.putIntOrdered(layout.mailNotesAt(rank, member), notesSent[member] + 1);
      }
    }
  }

  /** A message of a member has come by other means, which it sent before it wrote here. */
  public void noteCame(int member) {
    incoming[member].notes++;
    counted = UNKNOWN;
  }

  /**
   * Sends a message to another member.
   *
   * @throws IllegalArgumentException beyond {@value #MOST_BYTES} bytes
   */
  public void send(int to, byte[] message) {
    if (message.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "lengthBytes=" + message.length + " > " + MOST_BYTES + ", send less");
    }
    byte[] whole = new byte[Integer.BYTES + message.length];
    for (int i = 0; i < Integer.BYTES; i++) {
      whole[i] = (byte) (message.length >>> 8 * i);
    }
    System.arraycopy(message, 0, whole, Integer.BYTES, message.length);
    Outgoing out = outgoing[to];
    if (closed || out.isGone) {
      return;
    }
    out.waiting.add(whole);
    write(to);
  }

  /** Writes what waits, and reads what has come; gives the work done. */
  public int advance() {
    if (closed) {
      return 0;
    }
    long count = buffer.getLongVolatile(layout.mailCountAt(rank));
    if (count == counted || isAdvancing) { // a reader drives the loop: what it reads comes first
      return 0;
    }
    counted = count;
    isAdvancing = true;
    int work = 0;
    try {
      for (int member = 0; member < layout.members && !closed; member++) {
        if (member != rank) {
          work += write(member) + (closed ? 0 : read(member));
        }
      }
    } finally {
      isAdvancing = false;
    }
    return work;
  }

  /** Looks at the rings although nobody has counted: a member may have died before it could. */
  public int readAll() {
    counted = UNKNOWN;
    return advance();
  }

  /** Whether something waits for room. */
  public boolean hasWaiting() {
    for (Outgoing each : outgoing) {
      if (!each.waiting.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** A member is gone: what waits for it to make room is dropped. */
  public void forget(int member) {
    outgoing[member].waiting.clear();
    outgoing[member].isGone = true;
  }

  private int write(int to) {
    Outgoing out = outgoing[to];
    if (out.waiting.isEmpty()) {
      return 0;
    }
    long room =
        layout.mailBytes - (out.written - buffer.getLongVolatile(layout.mailReadAt(rank, to)));
    if (room == 0) {
      return 0;
    }
    long written = out.written;
    while (room > 0 && !out.waiting.isEmpty()) {
      byte[] message = out.waiting.peekFirst();
      int length = (int) Math.min(room, message.length - out.position);
      put(to, written, message, out.position, length);
      written += length;
      out.position += length;
      room -= length;
      if (out.position == message.length) {
        out.waiting.removeFirst();
        out.position = 0;
      }
    }
    out.written = written;
    publish(to, written);
    return 1;
  }

  private void put(int to, long at, byte[] message, int offset, int length) {
    int dataAt = layout.mailDataAt(rank, to);
    int place = (int) (at % layout.mailBytes);
    int first = Math.min(length, layout.mailBytes - place);
    buffer.putBytes(dataAt + place, message, offset, first);
    buffer.putBytes(dataAt, message, offset + first, length - first);
  }

  private void publish(int to, long written) {
    buffer.putLongOrdered(layout.mailWrittenAt(rank, to), written);
    wake(to);
  }

  private void wake(int member) {
    buffer.getAndAddLong(layout.mailCountAt(member), 1);
    int at = layout.mailAsleepAt(member);
    if (buffer.getIntVolatile(at) != 0 && buffer.compareAndSetInt(at, 1, 0)) {
      waker.accept(member);
    }
  }

  private int read(int from) {
    if (!isThere(from)) {
      return 0;
    }
    Incoming in = incoming[from];
    long written = buffer.getLongVolatile(layout.mailWrittenAt(from, rank));
    while (in.read < written && !closed && !in.isBroken) {
      take(from, in, written);
    }
    if (!closed) {
      release(from, in.read);
    }
    return 1;
  }

  private void take(int from, Incoming in, long written) {
    byte[] into = in.message == null ? in.length : in.message;
    int length = (int) Math.min(written - in.read, into.length - in.filled);
    int dataAt = layout.mailDataAt(from, rank);
    int place = (int) (in.read % layout.mailBytes);
    int first = Math.min(length, layout.mailBytes - place);
    buffer.getBytes(dataAt + place, into, in.filled, first);
    buffer.getBytes(dataAt, into, in.filled + first, length - first);
    in.read += length;
    in.filled += length;
    if (in.filled < into.length) {
      return;
    }
    in.filled = 0;
    if (into == in.length && !isEmpty(from, in)) {
      return;
    }
    byte[] message = in.message;
    in.message = null;
    reader.onMail(from, message);
  }

  /** Makes room for a message whose length has come; false if its bytes, or none, are to come. */
  private boolean isEmpty(int from, Incoming in) {
    int bytes = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      bytes |= (in.length[i] & 0xff) << 8 * i;
    }
    if (bytes < 0 || bytes > MOST_BYTES) {
      in.isBroken = true;
      reader.onBroken(from, bytes);
      return false;
    }
    in.message = new byte[bytes];
    return bytes == 0;
  }

  private void release(int from, long read) {
    buffer.putLongOrdered(layout.mailReadAt(from, rank), read);
    wake(from);
  }

  /** Whether a ring has bytes that may be read now. */
  private boolean isThere(int from) {
    int notes = buffer.getIntVolatile(layout.mailNotesAt(from, rank));
    return notes > 0
        && !incoming[from].isBroken
        && incoming[from].notes >= notes - 1
        && buffer.getLongVolatile(layout.mailWrittenAt(from, rank)) > incoming[from].read;
  }

  /**
   * Says that nobody looks from now on; a thread is about to sleep.
   *
   * @return false if there is something to do already; then nothing is said
   */
  public synchronized boolean announce() {
    if (closed) {
      return true;
    }
    buffer.putIntVolatile(layout.mailAsleepAt(rank), 1);
    if (buffer.getLongVolatile(layout.mailCountAt(rank)) != counted) {
      withdraw();
      return false;
    }
    return true;
  }

  /** Says that somebody looks again. */
  public synchronized void withdraw() {
    if (!closed) {
      buffer.putIntVolatile(layout.mailAsleepAt(rank), 0);
    }
  }

  /** Touches the memory no more. */
  public synchronized void close() {
    withdraw();
    closed = true;
  }
}
