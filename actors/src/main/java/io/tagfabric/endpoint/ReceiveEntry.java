package io.tagfabric.endpoint;

import io.tagfabric.complete.CompletionOutbox;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.ReceiveContext;

/** How a thread that has the loop posts receives without telling the matcher. */
record ReceiveEntry(ReceiveContext receives, CompletionOutbox completions) {
  /**
   * Posts a receive that has been accepted.
   *
   * @return whether it has met a message, so that there is something to flush
   */
  boolean post(PostedReceive receive) {
    boolean met = true;
    try {
      met = receives.post(receive);
    } catch (RuntimeException e) {
      receives.fail(e, receive);
    }
    completions.flush();
    return met;
  }

  /** Fails a receive that was told to the matcher, unless the matcher has begun with it. */
  void refuse(PostedReceive receive) {
    receives.refuse(receive);
    completions.flush();
  }
}
