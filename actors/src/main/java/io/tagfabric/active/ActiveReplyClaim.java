package io.tagfabric.active;

import org.agrona.MutableDirectBuffer;

/**
 * A claim for the reply to an active request. One of {@link ActiveCall#prepareReply(int, int, int)}
 * is of the domain's loop, and is closed if the handler leaves it open when it returns. One of
 * {@link ReceivedRequest#prepareReply(int, int, int)} is of any one thread.
 */
public final class ActiveReplyClaim extends ActiveClaim {
  /** Whose reply it is. */
  interface Replier {
    /** Takes a committed reply; false if it is too late. */
    boolean reply(ActiveBody body, ActivePlace place);

    /** The claim was closed without a commit. */
    void giveUp(ActivePlace place);
  }

  private final Replier replier;
  private final ActivePlace held;

  ActiveReplyClaim(
      Replier replier,
      ActivePlace held,
      MutableDirectBuffer place,
      int at,
      int capacity,
      int argumentCount) {
    super(place, at, capacity, argumentCount, held != null && held.packet() != null);
    this.replier = replier;
    this.held = held;
  }

  /**
   * Replies with the first {@code length} bytes of the place. Within a call it leaves when the
   * handler has returned, and not if that throws.
   *
   * @param arguments as many as the claim was made for; copied
   * @return false if it is too late: the time of a request that was kept has passed, or the sender
   *     or this endpoint is gone
   * @throws IllegalArgumentException beyond {@link #capacity}, or with another number of arguments;
   *     the claim stays open
   * @throws IllegalStateException if it was committed or closed, or the request was answered
   */
  public boolean commit(int length, int... arguments) {
    ActiveBody body = body(length, arguments);
    boolean inTime = replier.reply(body, held);
    end();
    return inTime;
  }

  @Override
  void giveUp() {
    if (held != null) {
      replier.giveUp(held);
    }
  }
}
