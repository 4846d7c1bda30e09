package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;
import org.agrona.DirectBuffer;

/**
 * What comes for the receives of an endpoint, decoded and admitted ({@link FrameOrigin#admit}), in
 * the order each sender sent it. A message that came by itself and one that came in a packet are
 * told by the same call. Buffers and views are there only during a call. Single threaded: the
 * domain's loop.
 */
@InternalApi
public interface TaggedArrivals {
  /** A whole message. */
  void whole(FrameOrigin origin, MessageView message);

  /** A whole message that takes no credit, and is dropped if no receive is there for it. */
  void datagram(FrameOrigin origin, MessageView message);

  /**
   * The beginning of a message of several packets.
   *
   * @param part its tag, its immediate data and its first bytes
   * @param message the sender's number of it
   * @param total bytes of the whole message
   */
  void first(FrameOrigin origin, MessageView part, long message, long total);

  /**
   * More bytes of the message that {@link #first} began.
   *
   * @param position where in the message they belong
   */
  void next(
      FrameOrigin origin, long message, long position, DirectBuffer bytes, int offset, int length);

  /**
   * A message whose bytes wait at the sender.
   *
   * @param envelope its tag and its immediate data, no bytes
   * @param message the sender's number of it
   * @param length bytes of the whole message
   * @param wantsFinish whether the sender waits to hear that the receive has ended
   * @param memory where the bytes can be read in the sender's memory; null if nowhere
   */
  void announced(
      FrameOrigin origin,
      MessageView envelope,
      long message,
      long length,
      boolean wantsFinish,
      MemoryKey memory);

  /** The sender gives a message up of which not all bytes have come. */
  void aborted(FrameOrigin origin, long message, int errorCode);

  /**
   * Bytes of a message that was asked for.
   *
   * @param receive this side's number of the receive that took it
   * @param position where in the message they belong
   */
  void data(
      FrameOrigin origin, long receive, long position, DirectBuffer bytes, int offset, int length);

  /** As {@link #data}, but the sender has written the bytes where they belong. */
  void placed(FrameOrigin origin, long receive, long position, int length);
}
