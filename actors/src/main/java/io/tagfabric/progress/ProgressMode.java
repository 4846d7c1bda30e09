package io.tagfabric.progress;

/**
 * What runs the passes of a domain's progress loop.
 *
 * @source libfabric fi_domain(3), progress models
 */
public enum ProgressMode {
  /**
   * A {@link ProgressThread} runs passes, and so does any thread that waits, or that reads a queue
   * and finds nothing. The default.
   */
  AUTO,
  /** Only reads and waits of the application run passes, on their own thread. */
  MANUAL
}
