package io.tagfabric.launch.output;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A stream that several share, with a thread of its own, since a write to it may block for ever:
 * nobody reads the pipe, or a terminal is stopped.
 *
 * <p>A thread that {@link #put}s text waits while the queue is full, so a slow reader slows down
 * the printing rank. A thread that {@link #force}s it never waits. What is put at once comes out at
 * once, in pieces of at most 4 KiB that end at a line's end if they can: that is what a pipe takes
 * as a whole.
 *
 * <p>When a write fails, or somebody {@link #drop}s the rest, all that comes later is dropped, too,
 * and nobody waits any more. Thread: any.
 */
public final class StreamWriter implements AutoCloseable {
  /** Is told that a line has been left without its end. */
  @FunctionalInterface
  interface Pausing {
    /** Nothing has come for a while. */
    void paused();
  }

  static final int CAPACITY_BYTES = 256 * 1024;

  private static final int PIECE_BYTES = 4096;
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

  /** How often those that wait look at the clock. */
  private static final long LOOK_MS = 50;

  private static final byte[] NOTHING = new byte[0];
  private static final byte[] LINE_END = {'\n'};

  private final OutputStream out;
  private final Consumer<String> whenLost;
  private final LongSupplier clockNs;
  private final Deque<byte[]> queue = new ArrayDeque<>();
  private final Map<Pausing, Long> reminders = new LinkedHashMap<>();
  private final Thread thread;
  private Object open;
  private long waitingBytes;
  private long writtenBytes;
  private Stall stall;
  private String stallText = "";
  private boolean dropping;
  private boolean lost;
  private boolean gone;
  private boolean closed;

  private StreamWriter(
      OutputStream out, Consumer<String> whenLost, LongSupplier clockNs, String name) {
    this.out = out;
    this.whenLost = whenLost;
    this.clockNs = clockNs;
    thread = new Thread(this::write, name);
    thread.setDaemon(true);
  }

  /**
   * Starts the thread.
   *
   * @param whenLost runs once, with the reason, when text is lost; not if the reader has gone away
   */
  public static StreamWriter start(
      OutputStream out, Consumer<String> whenLost, LongSupplier clockNs, String name) {
    StreamWriter writer = new StreamWriter(out, whenLost, clockNs, name);
    writer.thread.start();
    return writer;
  }

  /**
   * Adds text; waits while there is no room for it.
   *
   * @param owner whose text it is; a line that another owner has left open is ended first
   * @param tag goes in front, unless the text continues a line of this owner
   * @param text the writer's from now on
   * @param endsLine whether the text's last line is whole
   */
  void put(Object owner, byte[] tag, byte[] text, boolean endsLine) {
    String why = "";
    boolean interrupted = false;
    synchronized (this) {
      while (!dropping && waitingBytes > 0 && waitingBytes + text.length > CAPACITY_BYTES) {
        if (stall != null && stall.isOver(writtenBytes)) {
          why = stallText;
          dropAll(true);
        } else {
          interrupted |= pauseInterrupted(LOOK_MS);
        }
      }
      append(owner, tag, text, endsLine);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    tell(why);
  }

  /** Adds whole lines, or bytes that have none, without waiting for room. */
  public synchronized void force(byte[] text) {
    append(this, NOTHING, text, true);
  }

  /** Adds the beginning or more of a line without waiting for room. */
  synchronized void forceOpen(Object owner, byte[] tag, byte[] text) {
    append(owner, tag, text, false);
  }

  /** Ends the line if it is this owner's that is open. */
  synchronized void endLine(Object owner) {
    if (open == owner && !dropping) {
      add(LINE_END);
      open = null;
      notifyAll();
    }
  }

  private void append(Object owner, byte[] tag, byte[] text, boolean endsLine) {
    if (dropping) {
      lost |= !gone && !closed;
      return;
    }
    if (open != owner) {
      if (open != null) {
        add(LINE_END);
      }
      add(tag);
    }
    add(text);
    open = endsLine ? null : owner;
    notifyAll();
  }

  private void add(byte[] text) {
    if (text.length > 0) {
      queue.add(text);
      waitingBytes += text.length;
    }
  }

  /** Calls back once nobody has asked for this for a while; on the writer's thread. */
  synchronized void remind(Pausing who) {
    if (reminders.put(who, clockNs.getAsLong() + PAUSE_NS) == null) {
      notifyAll();
    }
  }

  /**
   * From now on, if those that put text wait and the stream takes nothing for some time, the rest
   * is dropped.
   */
  synchronized void hurry(Duration patience) {
    stall = new Stall(patience.toNanos(), clockNs, writtenBytes);
    stallText = "it has taken nothing for " + patience.toMillis() / 1000.0 + " s";
    notifyAll();
  }

  /** Drops what waits and all that comes. */
  void drop(String why) {
    boolean first;
    synchronized (this) {
      first = !dropping;
      dropAll(true);
    }
    if (first) {
      tell(why);
    }
  }

  private void dropAll(boolean isLoss) {
    dropping = true;
    lost |= isLoss;
    queue.clear();
    reminders.clear();
    waitingBytes = 0;
    notifyAll();
  }

  private void tell(String why) {
    if (!why.isEmpty()) {
      whenLost.accept(why);
    }
  }

  /** How much the stream has taken. */
  synchronized long writtenBytes() {
    return writtenBytes;
  }

  /** Whether nothing waits: all was taken, or is dropped. */
  synchronized boolean isIdle() {
    return waitingBytes == 0;
  }

  /** Whether text was dropped that somebody might have read. */
  synchronized boolean isLost() {
    return lost;
  }

  /** Waits until nothing waits; drops the rest if the stream takes nothing for some time. */
  public void drain(Duration patience) throws InterruptedException {
    Stall still = new Stall(patience.toNanos(), clockNs, writtenBytes());
    while (!isIdle()) {
      if (still.isOver(writtenBytes())) {
        drop("");
      }
      synchronized (this) {
        if (waitingBytes > 0) {
          wait(LOOK_MS);
        }
      }
    }
  }

  /** Ends the thread, unless a write holds it; what still waits is dropped. */
  @Override
  public synchronized void close() {
    closed = true;
    dropAll(waitingBytes > 0);
  }

  private void write() {
    while (true) {
      byte[] text;
      Pausing due;
      synchronized (this) {
        text = queue.peek();
        due = text == null ? nextDue() : null;
        if (text == null && due == null) {
          if (closed) {
            return;
          }
          pauseInterrupted(reminders.isEmpty() ? 0 : LOOK_MS);
        }
      }
      if (due != null) {
        due.paused();
      }
      if (text != null && !writeAll(text)) {
        return;
      }
    }
  }

  private Pausing nextDue() {
    long nowNs = clockNs.getAsLong();
    for (Map.Entry<Pausing, Long> reminder : reminders.entrySet()) {
      if (nowNs - reminder.getValue() >= 0) {
        reminders.remove(reminder.getKey());
        return reminder.getKey();
      }
    }
    return null;
  }

  private boolean writeAll(byte[] text) {
    try {
      for (int from = 0; from < text.length && !isDropping(); ) {
        int length = pieceLength(text, from);
        out.write(text, from, length);
        out.flush();
        taken(length);
        from += length;
      }
    } catch (IOException failure) {
      failed(failure);
      return false;
    }
    synchronized (this) {
      // dropped meanwhile, it is not there any more
      if (!dropping) {
        queue.remove();
      }
    }
    return true;
  }

  private synchronized boolean isDropping() {
    return dropping;
  }

  private static int pieceLength(byte[] text, int from) {
    if (text.length - from <= PIECE_BYTES) {
      return text.length - from;
    }
    for (int end = from + PIECE_BYTES; end > from; end--) {
      if (text[end - 1] == '\n') {
        return end - from;
      }
    }
    return PIECE_BYTES;
  }

  private synchronized void taken(int length) {
    writtenBytes += length;
    if (!dropping) {
      waitingBytes -= length;
    }
    notifyAll();
  }

  private void failed(IOException failure) {
    boolean isNews;
    synchronized (this) {
      gone = failure instanceof ReaderGoneException;
      isNews = !dropping && !gone;
      dropAll(!gone);
    }
    if (isNews) {
      tell(String.valueOf(failure.getMessage()));
    }
  }

  /** Waits until something changes, or so long at most if it is not 0. */
  @SuppressWarnings("WaitNotInLoop") // its callers are loops
  private boolean pauseInterrupted(long ms) {
    try {
      wait(ms);
      return false;
    } catch (InterruptedException interrupted) {
      return true;
    }
  }
}
