package io.tagfabric.endpoint;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.flow.PendingSend;
import org.agrona.DirectBuffer;

/** A send with what its program wants to hear of it. */
class SendOperation extends PendingSend {
  private final Object context;
  private final boolean silent;
  private final SendListener listener;

  SendOperation(
      int peer,
      long tag,
      DirectBuffer buffer,
      int offset,
      int length,
      boolean hasData,
      long data,
      CompletionLevel level,
      Object context,
      boolean silent,
      SendListener listener) {
    super(peer, tag, buffer, offset, length, hasData, data, level);
    this.context = context;
    this.silent = silent;
    this.listener = listener;
  }

  final Object context() {
    return context;
  }

  /** Whether success leaves no entry in the queue. */
  final boolean isSilent() {
    return silent;
  }

  /** Who is told; null for the endpoint's transmit queue. */
  final SendListener listener() {
    return listener;
  }
}
