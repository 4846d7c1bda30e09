package io.tagfabric.link.send;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.flow.send.PendingSend;

/** A send with what its program wants to hear of it. */
@InternalApi
public class SendOperation extends PendingSend {
  private final SendListener listener;

  public SendOperation(int peer, CompletionLevel level, Object context, SendListener listener) {
    super(peer, level, context);
    this.listener = listener;
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
