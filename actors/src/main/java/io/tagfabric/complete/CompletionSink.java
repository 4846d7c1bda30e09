package io.tagfabric.complete;

/** Where finished operations are written to. Single threaded: the domain's loop. */
@FunctionalInterface
public interface CompletionSink {
  /** An empty entry to fill at once; it is published after the current message is handled. */
  CompletionEntry next();
}
