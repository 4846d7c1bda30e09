package io.tagfabric.endpoint;

import io.tagfabric.complete.Completion;

/** Is told the outcome of one send, once. Called on the domain's loop; must not block. */
public interface SendListener {
  void onSent(Completion.Sent sent);

  void onFailed(Completion.Failed failure);
}
