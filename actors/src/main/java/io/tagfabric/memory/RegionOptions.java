package io.tagfabric.memory;

import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Counter;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * How a region is registered. Immutable: make it once, and use it for many regions.
 *
 * <p>A write with a signal, or with immediate data, raises what is named here when all its bytes
 * are placed: first the counter counts it, then the queue gets an entry, then the listener hears. A
 * write with immediate data to a region without a queue leaves its entry in the receive queue of
 * the endpoint that it came to.
 *
 * @param key that peers know it by; empty for a random one
 * @param context comes back in the entries; may be null
 * @param counter counts these writes; null for none
 * @param queue gets an entry for each, as {@link io.tagfabric.complete.Completion.AccessedByPeer};
 *     null for none. Where it has no slot, the entry waits, and so does the credit of the write
 * @param listener hears of each; null for none
 * @param accesses counts all that peers do: writes when their bytes are placed, reads when theirs
 *     have left, updates; null for none. With it the domain's loop does all of it, as peers that
 *     access memory themselves tell nobody
 * @source libfabric fi_mr(3), fi_mr_attr and fi_mr_bind
 */
public record RegionOptions(
    OptionalLong key,
    Object context,
    Counter counter,
    CompletionQueue queue,
    RegionListener listener,
    Counter accesses) {
  /** A random key, and no signals. */
  public static final RegionOptions DEFAULT =
      new RegionOptions(OptionalLong.empty(), null, null, null, null, null);

  /** Requires a key, or that there is none. */
  public RegionOptions {
    Objects.requireNonNull(key, "key");
  }

  /** The same with a key of the program's. */
  public RegionOptions withKey(long newKey) {
    return RecordCopy.with(this, "key", OptionalLong.of(newKey));
  }

  /** The same with a context. */
  public RegionOptions withContext(Object newContext) {
    return RecordCopy.with(this, "context", newContext);
  }

  /** The same with a counter of signals. */
  public RegionOptions counting(Counter newCounter) {
    return RecordCopy.with(this, "counter", newCounter);
  }

  /** The same with a queue of signals. */
  public RegionOptions to(CompletionQueue newQueue) {
    return RecordCopy.with(this, "queue", newQueue);
  }

  /** The same with a listener of signals. */
  public RegionOptions telling(RegionListener newListener) {
    return RecordCopy.with(this, "listener", newListener);
  }

  /**
   * The same with a counter of all accesses; peers then ask the loop for each.
   *
   * @source libfabric fi_domain(3), FI_RMA_EVENT
   */
  public RegionOptions countingAll(Counter newCounter) {
    return RecordCopy.with(this, "accesses", newCounter);
  }
}
