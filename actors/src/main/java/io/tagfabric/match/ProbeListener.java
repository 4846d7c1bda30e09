package io.tagfabric.match;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Completion;

/** Is told the outcome of one probe, once. Called on the domain's loop; must not block. */
@InternalApi
public interface ProbeListener {
  void onFound(MessageInfo message);

  void onFailed(Completion.Failed failure);
}
