package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.match.table.WaitingMessage;

/**
 * A place for one message that a program has claimed: taken out of matching, so that no receive, no
 * subscription and no other probe sees it, until the program receives or discards it.
 *
 * <p>A claimed message counts against the credit of its sender, and its bytes against the
 * endpoint's budget, as one that waits. It ends with its endpoint. If its sender is lost or cancels
 * it before all its bytes have come, the receive of it fails with the same error as one that has
 * matched.
 *
 * <p>A claim holds one message at a time and belongs to the endpoint that filled it; when its
 * message has been received or discarded it can be used again. Thread: any, one at a time, and not
 * between a call that names it and the completion of that call.
 *
 * @source libfabric fi_tagged(3), FI_CLAIM
 */
public final class Claim {
  /** The claimed messages of an endpoint. */
  @InternalApi
  public interface Holder {
    /** Returns true once they are held for nobody. */
    boolean isClosed();
  }

  /** What is held; null if nothing. Read and written on the loop of its endpoint. */
  private WaitingMessage message;

  /** The claimed messages of its endpoint; null if it holds nothing. */
  private Holder holder;

  private MessageInfo info;

  /** A claim that holds nothing yet. */
  public Claim() {}

  @InternalApi
  public void hold(WaitingMessage newMessage, MessageInfo newInfo, Holder newHolder) {
    message = newMessage;
    holder = newHolder;
    info = newInfo;
  }

  @InternalApi
  public void release() {
    message = null;
    holder = null;
  }

  /** What is held; null if nothing. */
  @InternalApi
  public WaitingMessage message() {
    return message;
  }

  /** The claimed messages of its endpoint; null if it holds nothing. */
  @InternalApi
  public Holder holder() {
    return holder;
  }

  /**
   * The message that was claimed last: its sender, tag, length and immediate data.
   *
   * @throws IllegalStateException if none has been claimed
   */
  public MessageInfo info() {
    if (info == null) {
      throw new IllegalStateException("claimed=false, wait until the claim has completed");
    }
    return info;
  }
}
