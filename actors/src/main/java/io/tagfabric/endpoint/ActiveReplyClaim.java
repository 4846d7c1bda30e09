package io.tagfabric.endpoint;

import org.agrona.MutableDirectBuffer;

/**
 * A claim for the reply to an active request, made by {@link ActiveCall#prepareReply(int, int,
 * int)}. One that the handler leaves open when it returns is closed. Thread: the domain's loop.
 */
public final class ActiveReplyClaim extends ActiveClaim {
  private final ActiveCall call;
  private final ActivePlace held;

  ActiveReplyClaim(
      ActiveCall call,
      ActivePlace held,
      MutableDirectBuffer place,
      int at,
      int capacity,
      int argumentCount) {
    super(place, at, capacity, argumentCount, held != null && held.packet() != null);
    this.call = call;
    this.held = held;
  }

  /**
   * Replies with the first {@code length} bytes of the place. It leaves when the handler has
   * returned, and not if that throws.
   *
   * @param arguments as many as the claim was made for; copied
   * @throws IllegalArgumentException beyond {@link #capacity}, or with another number of arguments;
   *     the claim stays open
   * @throws IllegalStateException if it was committed or closed, or the request was answered
   */
  public void commit(int length, int... arguments) {
    ActiveBody body = body(length, arguments);
    call.reply(body, held);
    end();
  }

  @Override
  void giveUp() {
    if (held != null) {
      held.giveUp();
    }
  }
}
