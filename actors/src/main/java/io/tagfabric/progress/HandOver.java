package io.tagfabric.progress;

/**
 * How the cores of a domain hand over to one another; {@code tagfabric.progress.hand-over}. An
 * actor of a domain is guarded by the ownership of the loop: its mailbox is one way in, the loop's
 * own call the other.
 */
public enum HandOver {
  /**
   * By calls: steps down (an arrival to its matcher, a completion to its queue) at once, steps up
   * or sideways when the handler has returned, through the {@link StepQueue}.
   */
  CALL,
  /** Each step is a message to the actor around the core; for study, traces and simulation. */
  MAILBOX
}
