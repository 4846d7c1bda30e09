package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;

/**
 * Lets a program that brings work from outside the JVM know whether it has to wake a thread. What
 * wakes is a channel given to {@link ProgressLoop#watch}.
 *
 * <p>A thread that is about to sleep there announces it and looks for work once more; a program
 * that brings work looks for the announcement afterwards and rings. A full fence between the two
 * steps of each makes sure that one sees the other. A program may do without its fence if the bell
 * {@linkplain #isQuiet looks again} when what the program had written must have become visible.
 */
@InternalApi
public interface Doorbell {
  /**
   * Says that no thread looks for work from now on, so that a program that brings some rings.
   * Thread: any.
   *
   * @return false if there is work already; then nothing is announced
   */
  boolean announce();

  /**
   * Looks for work once more, {@link LoopSleepers#LOOK_AGAIN_NS} after it was announced that there
   * is none. Thread: the one that announced.
   *
   * @return false if there is some, and the thread should not sleep on
   */
  default boolean isQuiet() {
    return true;
  }

  /** Says that somebody looks again. Thread: any. */
  void withdraw();
}
