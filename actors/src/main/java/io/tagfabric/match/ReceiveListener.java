package io.tagfabric.match;

import io.tagfabric.complete.Completion;
import io.tagfabric.tag.TaggedMessage;

/**
 * Is told the outcome of one receive, once. Called on the domain's loop; must not block. What it
 * throws is logged and lost, and disturbs nothing else.
 */
public interface ReceiveListener {
  void onReceived(TaggedMessage message);

  void onFailed(Completion.Failed failure);
}
