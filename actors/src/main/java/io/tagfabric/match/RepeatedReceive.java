package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.error.FabricError;
import java.util.Objects;
import org.agrona.MutableDirectBuffer;

/**
 * A receive from one peer into one buffer that is posted again and again, each time for another
 * tag. Posting it and telling its end make nothing, as long as the matcher's mailbox is not needed.
 *
 * <p>Thread: the domain's loop. It may be posted again when its listener has heard of the end.
 */
@InternalApi
public final class RepeatedReceive extends PostedReceive {
  /** Is told the outcome of each posting, once. What it throws is logged and lost. */
  public interface Listener {
    /** The bytes of a message are in the buffer. */
    void onReceived(int lengthBytes);

    /** There will be no message, or one that the buffer has no room for (TRUNCATED). */
    void onFailed(FabricError error, String detail);
  }

  private final Listener listener;

  /**
   * Prepares it.
   *
   * @param peer index in the domain's address vector
   * @param listener also the context by which it is cancelled
   */
  public RepeatedReceive(
      int peer, MutableDirectBuffer buffer, int offset, int capacity, Listener listener) {
    super(0, 0, peer, Objects.requireNonNull(listener, "listener"));
    this.listener = listener;
    into(buffer, offset, capacity);
    internal();
  }

  /**
   * Makes it one for a tag, to be posted.
   *
   * @throws IllegalStateException if it waits for a message
   */
  public void again(long tag) {
    renew(tag);
  }

  @Override
  public Listener hearer() {
    return listener;
  }
}
