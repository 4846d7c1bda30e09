package io.tagfabric.endpoint;

import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import java.util.Objects;

/**
 * Where the operations of an endpoint end: in a queue, in a counter, in both or in none. A failure
 * always leaves an entry in the queue.
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
 * @param direction whether it sends, receives or both
 * @param onConnect is asked about each peer that says hello
 * @source libfabric fi_endpoint(3), fi_ep_bind
 */
public record EndpointBindings(
    CompletionQueue transmitQueue,
    CompletionQueue receiveQueue,
    Completions sends,
    Completions receives,
    Counter sendCounter,
    Counter receiveCounter,
    Direction direction,
    ConnectPolicy onConnect) {
  /** What an endpoint does. */
  public enum Direction {
    /** Sends and receives. */
    BOTH,
    /** Sends only: receives are refused, and peers that send to it are told. */
    SEND,
    /** Receives only: sends are refused. */
    RECEIVE
  }

  /** Requires queues. */
  public EndpointBindings {
    Objects.requireNonNull(transmitQueue, "transmitQueue");
    Objects.requireNonNull(receiveQueue, "receiveQueue");
    Objects.requireNonNull(sends, "sends");
    Objects.requireNonNull(receives, "receives");
    Objects.requireNonNull(direction, "direction");
    Objects.requireNonNull(onConnect, "onConnect");
  }

  /** Every end leaves an entry, and no counter counts. */
  public static EndpointBindings to(CompletionQueue transmitQueue, CompletionQueue receiveQueue) {
    return new EndpointBindings(
        transmitQueue,
        receiveQueue,
        Completions.ALL,
        Completions.ALL,
        null,
        null,
        Direction.BOTH,
        ConnectPolicy.ACCEPT);
  }

  /** The same with a counter of sends. */
  public EndpointBindings countingSends(Counter counter) {
    return new EndpointBindings(
        transmitQueue,
        receiveQueue,
        sends,
        receives,
        counter,
        receiveCounter,
        direction,
        onConnect);
  }

  /** The same with a counter of receives. */
  public EndpointBindings countingReceives(Counter counter) {
    return new EndpointBindings(
        transmitQueue, receiveQueue, sends, receives, sendCounter, counter, direction, onConnect);
  }

  /** The same with other entries of sends. */
  public EndpointBindings sends(Completions which) {
    return new EndpointBindings(
        transmitQueue,
        receiveQueue,
        which,
        receives,
        sendCounter,
        receiveCounter,
        direction,
        onConnect);
  }

  /** The same with other entries of receives. */
  public EndpointBindings receives(Completions which) {
    return new EndpointBindings(
        transmitQueue,
        receiveQueue,
        sends,
        which,
        sendCounter,
        receiveCounter,
        direction,
        onConnect);
  }

  /** The same for an endpoint that does not do all. */
  public EndpointBindings only(Direction newDirection) {
    return new EndpointBindings(
        transmitQueue,
        receiveQueue,
        sends,
        receives,
        sendCounter,
        receiveCounter,
        newDirection,
        onConnect);
  }

  /** The same with a decision about each peer that says hello. */
  public EndpointBindings onConnect(ConnectPolicy policy) {
    return new EndpointBindings(
        transmitQueue,
        receiveQueue,
        sends,
        receives,
        sendCounter,
        receiveCounter,
        direction,
        policy);
  }

  /** Whether it does this. */
  boolean does(Direction one) {
    return direction == Direction.BOTH || direction == one;
  }
}
