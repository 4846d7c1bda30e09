package io.tagfabric.bench.measure;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One end of a measured pair: sends messages to the other and counts those that come back. All
 * messages of one length share a buffer, for nobody looks into them while the clock runs. Thread:
 * one.
 */
public interface End {
  /** Sets the lengths of what follows and counts anew. Nothing may be under way. */
  void begin(int sentBytes, int receivedBytes);

  /** Messages received since {@link #begin}. */
  int received();

  /** Makes room for one message; where receives are not posted, does nothing. */
  void postReceive();

  /** Sends {@link #outgoing}; returns when it is accepted, which may take a while. */
  void send();

  /** Counts what has arrived, without waiting. */
  void poll();

  /**
   * Waits until so many messages have been received since {@link #begin}.
   *
   * @throws IllegalStateException if none comes for half a minute
   */
  void await(int messages);

  /** As {@link #await}, but asleep from the first moment, where a wait may also poll. */
  default void awaitAsleep(int messages) {
    await(messages);
  }

  /** Length of the longest message that can be sent. */
  default int maxBytes() {
    return Integer.MAX_VALUE;
  }

  /** What {@link #send} sends. */
  MutableDirectBuffer outgoing();

  /** The message that came last. */
  DirectBuffer incoming();
}
