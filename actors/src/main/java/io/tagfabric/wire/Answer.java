package io.tagfabric.wire;

import io.tagfabric.annotation.InternalApi;

/**
 * Frames by which a service answers a request. They leave on the flow that the request came by, and
 * need no credit, because who asks has made room for them: give the request's own credit back when
 * the answer has ended, so that a peer cannot ask for more than it has credit for. Called on the
 * domain's loop; must not block.
 */
public abstract class Answer {
  /** Bytes of each of its frames before the payload. */
  public abstract int overheadBytes();

  /** Payload bytes that are left to write; asked before each frame. */
  public abstract int leftBytes();

  /** Whether no frame is left to write. */
  public abstract boolean isOver();

  /**
   * Appends a frame to a packet that has room for it.
   *
   * @param bytes of payload, of those that are left
   */
  public abstract void write(AccessWriter writer, Packet packet, int bytes);

  /**
   * The packet in which its payload lies already, at the place where its only frame has it; null if
   * it lies elsewhere. {@link #write} may be given this packet, which is the flow's from then on,
   * or another.
   */
  @InternalApi
  public Packet prepared() {
    return null;
  }

  /** It is over, or the flow is: nothing more is asked of it. Told once. */
  public abstract void onEnd();
}
