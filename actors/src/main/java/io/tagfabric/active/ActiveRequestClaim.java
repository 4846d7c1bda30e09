package io.tagfabric.active;

import java.util.concurrent.CompletionStage;
import org.agrona.MutableDirectBuffer;

/** A claim for an active request, made by {@link ActiveMessages#prepare}. */
public final class ActiveRequestClaim extends ActiveClaim {
  private final ActiveMessages messages;
  private final int peer;
  private final ActivePlace held;

  /**
   * A claim.
   *
   * @param held packet and credit; null if the bytes lie in a buffer
   */
  ActiveRequestClaim(
      ActiveMessages messages,
      int peer,
      ActivePlace held,
      MutableDirectBuffer place,
      int at,
      int capacity,
      int argumentCount) {
    super(place, at, capacity, argumentCount, held != null);
    this.messages = messages;
    this.peer = peer;
    this.held = held;
  }

  /**
   * Sends the request with the first {@code length} bytes of the place. The place is the library's
   * from now on; a buffer of the program is the program's again when the future is done.
   *
   * @param arguments as many as the claim was made for; copied
   * @return as of {@link ActiveMessages#request(int, int, int[], byte[])}; it fails with the error
   *     of the flow, if the peer was lost since the claim
   * @throws IllegalArgumentException beyond {@link #capacity}, if {@code handler} is no index, or
   *     with another number of arguments; the claim stays open
   * @throws IllegalStateException if it was committed or closed, or the endpoint is closed
   */
  public CompletionStage<ActiveReply> commit(int handler, int length, int... arguments) {
    return messages.commit(this, handler, body(length, arguments), true);
  }

  /** The same without a wish for a reply: the future completes when the request has left. */
  public CompletionStage<ActiveReply> commitTell(int handler, int length, int... arguments) {
    return messages.commit(this, handler, body(length, arguments), false);
  }

  /**
   * As {@link #commit(int, int, int...)} with a listener in place of a future, and beyond {@code
   * endpoint.max-pending-futures}.
   *
   * @param listener hears how it ends; null if no reply is wanted
   */
  public void commit(int handler, int length, int[] arguments, ActiveListener listener) {
    messages.commit(this, handler, body(length, arguments), listener);
  }

  int peer() {
    return peer;
  }

  ActivePlace held() {
    return held;
  }

  @Override
  void giveUp() {
    if (held != null) {
      messages.giveUp(held);
    }
  }
}
