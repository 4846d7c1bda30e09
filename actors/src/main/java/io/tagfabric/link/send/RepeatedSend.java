package io.tagfabric.link.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.error.FabricError;
import io.tagfabric.wire.BufferRange;
import java.util.Objects;
import org.agrona.DirectBuffer;

/**
 * A send to one peer that is begun again and again, each time with another message. Beginning it
 * and telling its end make nothing, as long as the endpoint's mailbox is not needed. It ends as
 * soon as the bytes have left their buffer (INJECT).
 *
 * <p>Thread: the domain's loop. It may be begun again when its listener has heard of the end.
 */
@InternalApi
public final class RepeatedSend extends SendOperation {
  /** Is told the outcome of each sending, once. What it throws is logged and lost. */
  public interface Listener {
    void onSent();

    void onFailed(FabricError error, String detail);
  }

  private final Listener listener;

  /**
   * Prepares it.
   *
   * @param peer index in the domain's address vector
   * @param listener also the context by which it is taken back
   */
  public RepeatedSend(int peer, Listener listener) {
    super(peer, CompletionLevel.INJECT, Objects.requireNonNull(listener, "listener"), null);
    this.listener = listener;
    internal();
  }

  /**
   * Gives it a message, to be begun with.
   *
   * @throws IllegalArgumentException if the bytes do not lie in the buffer
   */
  public void again(long tag, DirectBuffer buffer, int offset, int length) {
    BufferRange.require(buffer, offset, length);
    begunAgain();
    show(tag, buffer, offset, length);
  }

  @Override
  Listener hearer() {
    return listener;
  }
}
