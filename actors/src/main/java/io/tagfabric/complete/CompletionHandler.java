package io.tagfabric.complete;

/** Takes completions one by one. */
@FunctionalInterface
public interface CompletionHandler {
  /**
   * Takes one completion; it counts as read even if this method throws.
   *
   * @param entry valid during the call only; keep {@link CompletionEntry#toCompletion()} instead
   */
  void onCompletion(CompletionEntry entry);
}
