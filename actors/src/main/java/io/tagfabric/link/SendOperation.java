package io.tagfabric.link;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.flow.PendingSend;
import io.tagfabric.wire.BufferRange;
import java.util.Objects;
import org.agrona.DirectBuffer;

/** A send with what its program wants to hear of it. */
@InternalApi
public class SendOperation extends PendingSend {
  private final SendListener listener;

  public SendOperation(int peer, CompletionLevel level, Object context, SendListener listener) {
    super(peer, level, context);
    this.listener = listener;
  }

  /**
   * A send of a whole buffer.
   *
   * @throws NullPointerException without a buffer or a level
   */
  public static SendOperation of(
      int peer, long tag, DirectBuffer bytes, CompletionLevel level, SendListener listener) {
    require(bytes, 0, bytes.capacity(), level);
    SendOperation send = new SendOperation(peer, level, null, listener);
    send.show(tag, bytes, 0, bytes.capacity());
    return send;
  }

  /**
   * Refuses what no send can be made of, whichever face it comes by.
   *
   * @throws NullPointerException without a buffer or a level
   * @throws IllegalArgumentException if the bytes do not lie in the buffer
   */
  public static void require(DirectBuffer buffer, int offset, int length, CompletionLevel level) {
    BufferRange.require(buffer, offset, length);
    Objects.requireNonNull(level, "level");
  }

  /** Who hears of an end that nothing is made for; null unless it is a {@link RepeatedSend}. */
  RepeatedSend.Listener hearer() {
    return null;
  }

  /** It has ended, and is to be sent once more. */
  final void begunAgain() {
    renew();
  }

  /** What hears of its end; null for the endpoint's transmit queue. */
  final SendListener listener() {
    return listener;
  }
}
