package io.tagfabric.progress;

/**
 * Who may drive a loop that has a progress thread; {@code tagfabric.progress.poll-mode}. In MANUAL
 * mode, and while the progress thread is not started or paused, any thread may.
 *
 * @source GASNet ibv-conduit, GASNET_RCV_THREAD_POLL_MODE
 */
public enum PollMode {
  /** Whoever finds the loop free: a thread that waits drives, and the progress thread sleeps. */
  SERIALIZED,
  /** The progress thread alone: a thread that waits only looks whether its wait is over. */
  EXCLUSIVE
}
