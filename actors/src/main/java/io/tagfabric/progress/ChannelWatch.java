package io.tagfabric.progress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets one sleeping thread of a loop wake when something arrives at a transport's channel. A thread
 * claims the watch before it looks for work a last time, sleeps in it, and releases it.
 *
 * <p>Sleeps are counted in milliseconds, rounded up: a timer may fire up to 1 ms late.
 */
final class ChannelWatch {
  private static final long NS_PER_MS = 1_000_000L;

  /** How often, a millisecond apart, a channel is added that another thread has yet to forget. */
  private static final int ADDS_BESIDE_A_REMOVE = 1000;

  /** What is watched of a channel, and who hears of it: null if it is left to polls. */
  private record Watched(int operations, Runnable heard) {}

  private final Selector selector;
  private final AtomicReference<Thread> sleeper = new AtomicReference<>();

  /** Somebody has woken the claimer. */
  private volatile boolean woken;

  /** Whether channels that polls read are not watched until the next sleep. */
  private volatile boolean hushed;

  /** Single channels of which the same is true. Thread: the claimer. */
  private final List<SelectionKey> quiet = new ArrayList<>();

  ChannelWatch() {
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Watches a non-blocking channel until it is closed or removed. Thread: any.
   *
   * @param operations of {@link SelectionKey}
   * @param heard runs on the thread that slept when the channel is ready; null to leave it to polls
   */
  void add(SelectableChannel channel, int operations, Runnable heard) {
    Watched watched = new Watched(operations, heard);
    for (int tries = 1; !register(channel, watched, tries == ADDS_BESIDE_A_REMOVE); tries++) {
      forgetCancelled();
      LockSupport.parkNanos(this, NS_PER_MS);
    }
    wake();
  }

  /** False if the channel was removed a moment ago, and the selector has yet to forget it. */
  private boolean register(SelectableChannel channel, Watched watched, boolean isLastTry) {
    try {
      channel.register(selector, watched.operations, watched);
      return true;
    } catch (ClosedChannelException e) {
      throw new UncheckedIOException(e);
    } catch (CancelledKeyException e) {
      if (isLastTry) {
        throw e;
      }
      return false;
    }
  }

  /**
   * Forgets a channel; true if none is left. The socket of a closed channel is freed only when no
   * selector knows it any more. Thread: any.
   */
  boolean remove(SelectableChannel channel) {
    SelectionKey key = channel.keyFor(selector);
    if (key != null) {
      key.cancel();
    }
    forgetCancelled();
    return selector.keys().stream().noneMatch(SelectionKey::isValid);
  }

  /** Has the selector forget what is cancelled, by itself or by the thread that sleeps there. */
  private void forgetCancelled() {
    if (sleeper.compareAndSet(null, Thread.currentThread())) {
      try {
        selector.selectNow(ChannelWatch::hear);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        sleeper.set(null);
      }
    } else {
      woken = true;
      selector.wakeup();
    }
  }

  void close() {
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes the calling thread the one that may sleep here; false if another is. */
  boolean claim() {
    return sleeper.compareAndSet(null, Thread.currentThread());
  }

  void release() {
    woken = false;
    sleeper.set(null);
  }

  /** Whether {@link #hush} would do something. */
  boolean isHushed() {
    return hushed;
  }

  /**
   * Stops watching channels that polls read until the next sleep: as long as the system has to note
   * for a selector that a datagram has come, each costs its sender a fifth of a microsecond more.
   * Thread: the claimer.
   */
  void hush() {
    hushed = true;
    try {
      watchPolled(false);
      selector.selectNow(); // tells the system; what is ready is heard by the next sleep
      selector.selectedKeys().clear();
    } catch (IOException | ClosedSelectorException e) {
      return; // the next sleep watches them again, if it can
    }
  }

  private void watchPolled(boolean watches) {
    for (SelectionKey key : selector.keys()) {
      if (((Watched) key.attachment()).heard == null) {
        watch(key, watches);
      }
    }
  }

  private static void watch(SelectionKey key, boolean watches) {
    try {
      key.interestOps(watches ? ((Watched) key.attachment()).operations : 0);
    } catch (CancelledKeyException e) {
      // closed, perhaps this moment on another thread
    }
  }

  /** Whether {@link #hushOne(SelectableChannel)} would do something. */
  boolean isWatched(SelectableChannel channel) {
    SelectionKey key = channel.keyFor(selector);
    try {
      return key != null && key.interestOps() != 0;
    } catch (CancelledKeyException e) {
      return false;
    }
  }

  /** As {@link #hush()} for one channel. Thread: the claimer. */
  void hushOne(SelectableChannel channel) {
    SelectionKey key = channel.keyFor(selector);
    if (key == null) {
      return;
    }
    try {
      watch(key, false);
      quiet.add(key);
      selector.selectNow(); // tells the system; what is ready is heard by the next sleep
      selector.selectedKeys().clear();
    } catch (IOException | ClosedSelectorException e) {
      return; // the next sleep watches it again, if it can
    }
  }

  /**
   * Sleeps until a channel has something, a wake-up or the limit. Thread: the claimer.
   *
   * @return whether neither a channel nor a wake-up has ended it, nor one before it under the same
   *     claim
   */
  boolean sleep(long limitNs) {
    try {
      if (hushed) {
        hushed = false;
        watchPolled(true);
      }
      if (!quiet.isEmpty()) {
        quiet.forEach(key -> watch(key, true));
        quiet.clear();
      }
      long limitMs = Math.max(1, (limitNs + NS_PER_MS - 1) / NS_PER_MS);
      return selector.select(ChannelWatch::hear, limitMs) == 0 && !woken;
    } catch (IOException | ClosedSelectorException e) {
      // Without a selector a sleep is short: nobody would end it.
      LockSupport.parkNanos(this, NS_PER_MS);
      return false;
    }
  }

  private static void hear(SelectionKey key) {
    Runnable heard = ((Watched) key.attachment()).heard;
    if (heard != null) {
      heard.run();
    }
  }

  /** Ends the sleep of the thread that sleeps here, or its next one. Cheap when none does. */
  void wake() {
    if (sleeper.get() != null) {
      woken = true;
      selector.wakeup();
    }
  }
}
