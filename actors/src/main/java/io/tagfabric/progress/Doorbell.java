package io.tagfabric.progress;

import java.nio.channels.SelectableChannel;

/**
 * Ends the sleep of a loop's threads when work comes from outside the JVM, where nobody can unpark
 * them.
 *
 * <p>Whoever is about to sleep announces it and looks for work once more; whoever brings work looks
 * for the announcement afterwards and rings. A full fence between the two steps of each makes sure
 * that one sees the other.
 */
public interface Doorbell {
  /**
   * Says that nobody looks for work from now on, so that whoever brings some rings. Thread: any.
   *
   * @return false if there is work already; then nothing is announced
   */
  boolean announce();

  /** Says that somebody looks again. Thread: any. */
  void withdraw();

  /**
   * Sleeps until somebody rings, {@link #wake} is called, or the time is over; may return early.
   * Thread: any, one at a time.
   */
  void await(long maxNs);

  /** Ends the sleep of the thread in {@link #await}, or its next one. Thread: any. */
  void wake();

  /** Also ends sleeps when a channel can be read; {@link WatchedSockets} helps. Thread: any. */
  void watch(SelectableChannel channel);

  /** Ends what {@link #watch} began, also for a closed channel. Thread: any. */
  void unwatch(SelectableChannel channel);
}
