package io.tagfabric.wire;

/**
 * Where received frames come from, and whom to tell that their memory is free again. Single
 * threaded: used on the receiving domain's loop only.
 */
public interface FrameOrigin {
  /** Index of the sender in the receiving domain's address vector. */
  int peer();

  /**
   * Gives eager credit back to the sender: a message has been matched, or will never be.
   *
   * @param payloadBytes length of the message's payload
   */
  void consumedEager(int payloadBytes);

  /** Gives the credit of one request to send back. */
  void consumedRequest();

  /**
   * The messages of a packet have been matched or buffered; called once for each packet that had
   * any, in order.
   *
   * @param sequence the packet's
   */
  void processed(long sequence);

  /**
   * Whether the sender was given up, so that nothing more can be asked of it. One whose flow is not
   * set up yet is not lost: what it is asked for waits until it can be told.
   */
  boolean isLost();
}
