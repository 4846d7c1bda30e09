package io.tagfabric.endpoint;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.flow.PendingSend;

/** A send with what its program wants to hear of it. */
class SendOperation extends PendingSend {
  private final Object context;
  private final SendListener listener;
  private boolean silent;
  private boolean begun;

  SendOperation(int peer, CompletionLevel level, Object context, SendListener listener) {
    super(peer, level);
    this.context = context;
    this.listener = listener;
  }

  final Object context() {
    return context;
  }

  /** A success shall leave no entry in the queue. */
  final void silence() {
    silent = true;
  }

  /** Whether success leaves no entry in the queue. */
  final boolean isSilent() {
    return silent;
  }

  /** Whether nobody has begun with a send that was told; then the caller does. On the loop. */
  final boolean begin() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /** Who is told; null for the endpoint's transmit queue. */
  final SendListener listener() {
    return listener;
  }
}
