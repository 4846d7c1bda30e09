package io.tagfabric.complete;

import io.tagfabric.annotation.InternalApi;

/** Where finished operations are written to. Single threaded: the domain's loop. */
@FunctionalInterface
@InternalApi
public interface CompletionSink {
  /** An empty entry to fill at once; it is published after the current message is handled. */
  CompletionEntry next();
}
