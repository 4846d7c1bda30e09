package io.tagfabric.provider.tcp.line;

import io.tagfabric.progress.ProgressLoop;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which sockets of a node are read when. A few connections that bring something again and again are
 * read in every look. All others, the listener among them, are in one selector, which is asked now
 * and then: that takes as long whatever their number. Threads that sleep on the loop wake for all
 * of them.
 *
 * <p>Thread: the domain's loop.
 */
public final class Poller {
  /** A connection that may be read in every look. */
  public interface Busy {
    /** Reads once what has come. Returns the work done. */
    int read();

    /** What is read. */
    SocketChannel socket();

    /** Counts a read that has brought something; true each so many. */
    boolean isBusy(int reads, long poll);

    /** Number of the poll that has brought something last. */
    long lastWorkPoll();
  }

  private static final Logger LOG = LoggerFactory.getLogger(Poller.class);

  /** Connections that are read in every look: each costs as much as a question to the selector. */
  private static final int MOST_HOT = 4;

  /** One that brings nothing in so many polls is not read in each any more. */
  private static final int HOT_POLLS = 1024;

  /** So many reads with something are worth more than watching the socket anew. */
  private static final int READS_PER_HUSH = 64;

  /** The selector is asked at least once in so many polls, by a node that has connections. */
  private static final int POLLS_PER_SELECT = 16;

  /** And by one that has none. */
  private static final int IDLE_POLLS_PER_SELECT = 1024;

  private final ProgressLoop loop;
  private final BooleanSupplier isIdle;
  private final Selector selector;
  private final List<Ready> ready = new ArrayList<>();
  private final Consumer<SelectionKey> noteReady = this::noteReady;
  private final ArrayDeque<Runnable> soon = new ArrayDeque<>();
  private final Busy[] hot = new Busy[MOST_HOT];
  private final ProgressLoop.Step poll = this::poll;
  private final Runnable rings = this::rung;
  private int hotCount;
  private long polls;
  private int pollsPerSelect = 1;
  private int pollsToSelect = 1;
  private volatile boolean hasRung;

  /**
   * Watches nothing yet.
   *
   * @param isIdle whether the node has no connections
   */
  public Poller(ProgressLoop loop, BooleanSupplier isIdle) throws IOException {
    this.loop = loop;
    this.isIdle = isIdle;
    selector = Selector.open();
  }

  /** Looks in each poll of the loop from now on. */
  public void start() {
    loop.addPoll(poll);
  }

  /** Looks no more; sockets may still be closed. */
  public void stop() {
    loop.removePoll(poll);
  }

  /** Ends it; nothing may be watched any more. */
  public void close() {
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs something in the next poll. */
  public void soon(Runnable task) {
    soon.add(task);
    loop.wake();
  }

  // ---- sockets ----

  /**
   * Goes on with what a line has to do before its first byte.
   *
   * @param hears is called when that goes on
   * @return whether it has ended
   */
  public boolean isMade(Line line, Ready hears) throws IOException {
    boolean made = line.shake(hears);
    SelectionKey key = line.socket().keyFor(selector);
    if (key != null && key.interestOps() != line.wants()) {
      register(line.socket(), line.wants(), hears);
    }
    return made;
  }

  /** Watches a socket from now on, or otherwise than before. */
  public void register(SelectableChannel socket, int operations, Ready hears) {
    try {
      socket.register(selector, operations, hears);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    loop.watch(socket, operations, rings);
    pollsToSelect = 1;
  }

  /** Closes a connection. */
  public void close(Line line) {
    close(line, line.socket());
  }

  /** Closes what may be watched. */
  public void close(Closeable open, SelectableChannel socket) {
    try {
      open.close();
    } catch (IOException e) {
      LOG.debug("a socket cannot be closed", e);
    }
    loop.unwatch(socket);
    pollsToSelect = 1; // so that the selector forgets it, and the system with it
  }

  /** A connection is made: what it brings is looked for often, for a while. */
  public void hurry() {
    pollsPerSelect = 1;
  }

  // ---- polls ----

  /** A thread that slept has found a socket ready. Thread: any. */
  private void rung() {
    hasRung = true;
  }

  private int poll() {
    polls++;
    int work = 0;
    if (hasRung || --pollsToSelect <= 0) {
      work += select();
    }
    for (int i = 0; i < hotCount; i++) {
      work += hot[i].read();
    }
    if (!soon.isEmpty()) {
      work += runSoon();
    }
    if (hotCount > 0 && polls % HOT_POLLS == 0) {
      coolIdle();
    }
    return work;
  }

  private void noteReady(SelectionKey key) {
    ready.add((Ready) key.attachment());
  }

  private int select() {
    hasRung = false;
    try {
      selector.selectNow(noteReady);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int work = 0;
    for (int i = 0; i < ready.size(); i++) {
      work += ready.get(i).onReady();
    }
    ready.clear();
    int most = isIdle.getAsBoolean() ? IDLE_POLLS_PER_SELECT : POLLS_PER_SELECT;
    pollsPerSelect = work > 0 ? 1 : Math.min(2 * pollsPerSelect, most);
    pollsToSelect = pollsPerSelect;
    return work;
  }

  private int runSoon() {
    int count = soon.size();
    for (int i = 0; i < count; i++) {
      soon.poll().run();
    }
    return count;
  }

  // ---- which connections are read in every look ----

  /** A read has brought something. */
  public void hasWorked(Busy connection, SocketChannel socket) {
    if (connection.isBusy(READS_PER_HUSH, polls)) {
      loop.hushOne(socket);
    }
    for (int i = 0; i < hotCount; i++) {
      if (hot[i] == connection) {
        return;
      }
    }
    if (hotCount < MOST_HOT) {
      hot[hotCount] = connection;
      hotCount++;
      select(connection, false);
    }
  }

  private void coolIdle() {
    for (int i = hotCount - 1; i >= 0; i--) {
      if (polls - hot[i].lastWorkPoll() >= HOT_POLLS) {
        cool(hot[i]);
      }
    }
  }

  /** A connection is not read in each look any more. */
  public void cool(Busy connection) {
    for (int i = 0; i < hotCount; i++) {
      if (hot[i] == connection) {
        hotCount--;
        hot[i] = hot[hotCount];
        hot[hotCount] = null;
        select(connection, true);
        return;
      }
    }
  }

  /** Puts the reading of a connection's socket into the selector, or takes it out. */
  private void select(Busy connection, boolean selected) {
    SelectionKey key = connection.socket().keyFor(selector);
    try {
      if (key != null) {
        key.interestOps(
            selected
                ? key.interestOps() | SelectionKey.OP_READ
                : key.interestOps() & ~SelectionKey.OP_READ);
        pollsToSelect = 1;
      }
    } catch (CancelledKeyException e) {
      LOG.debug("closed meanwhile", e);
    }
  }
}
