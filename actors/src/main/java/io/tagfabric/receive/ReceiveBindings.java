package io.tagfabric.receive;

import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import java.util.Objects;

/**
 * What a {@link ReceiveContext} tells the ends of its receives to.
 *
 * @param queue where receives end
 * @param completions which ends leave an entry, unless the receive says otherwise
 * @param counter counts receives; null for none
 */
public record ReceiveBindings(CompletionQueue queue, Completions completions, Counter counter) {
  /** Requires a queue. */
  public ReceiveBindings {
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(completions, "completions");
  }

  /** Every end leaves an entry, and no counter counts. */
  public static ReceiveBindings to(CompletionQueue queue) {
    return new ReceiveBindings(queue, Completions.ALL, null);
  }

  /** The same with a counter. */
  public ReceiveBindings counting(Counter newCounter) {
    return new ReceiveBindings(queue, completions, newCounter);
  }

  /** The same with other entries. */
  public ReceiveBindings telling(Completions which) {
    return new ReceiveBindings(queue, which, counter);
  }
}
