package io.tagfabric.endpoint;

import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import java.util.Objects;

/**
 * What an endpoint tells the ends of its operations to. An operation ends in a queue, a counter,
 * both or none; its failure always leaves an entry in the queue.
 *
 * <p>Counters count the operations of programs: of this handle, its futures and its actors. They do
 * not count what a team sends through the endpoint, nor probes.
 *
 * @param transmitQueue where sends end
 * @param receiveQueue where receives end; may be the same
 * @param sends which ends of sends leave an entry, unless the send says otherwise
 * @param receives the same of receives
 * @param sendCounter counts sends; null for none
 * @param receiveCounter counts receives; null for none; may be the same
 * @source libfabric fi_endpoint(3), fi_ep_bind
 */
public record EndpointBindings(
    CompletionQueue transmitQueue,
    CompletionQueue receiveQueue,
    Completions sends,
    Completions receives,
    Counter sendCounter,
    Counter receiveCounter) {
  /** Requires queues. */
  public EndpointBindings {
    Objects.requireNonNull(transmitQueue, "transmitQueue");
    Objects.requireNonNull(receiveQueue, "receiveQueue");
    Objects.requireNonNull(sends, "sends");
    Objects.requireNonNull(receives, "receives");
  }

  /** Every end leaves an entry, and no counter counts. */
  public static EndpointBindings to(CompletionQueue transmitQueue, CompletionQueue receiveQueue) {
    return new EndpointBindings(
        transmitQueue, receiveQueue, Completions.ALL, Completions.ALL, null, null);
  }

  /** The same with a counter of sends. */
  public EndpointBindings countingSends(Counter counter) {
    return new EndpointBindings(
        transmitQueue, receiveQueue, sends, receives, counter, receiveCounter);
  }

  /** The same with a counter of receives. */
  public EndpointBindings countingReceives(Counter counter) {
    return new EndpointBindings(transmitQueue, receiveQueue, sends, receives, sendCounter, counter);
  }

  /** The same with other entries of sends. */
  public EndpointBindings sends(Completions which) {
    return new EndpointBindings(
        transmitQueue, receiveQueue, which, receives, sendCounter, receiveCounter);
  }

  /** The same with other entries of receives. */
  public EndpointBindings receives(Completions which) {
    return new EndpointBindings(
        transmitQueue, receiveQueue, sends, which, sendCounter, receiveCounter);
  }
}
