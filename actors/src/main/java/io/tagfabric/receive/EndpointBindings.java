package io.tagfabric.receive;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.settings.RecordCopy;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import io.tagfabric.link.ConnectPolicy;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

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
 * @param receiveContext takes what comes, with the receives that it shares with other endpoints;
 *     null if it has its own
 * @param datagrams whether what it sends are datagrams
 * @param accesses what it does with memory of peers, and peers by it with memory of this side
 * @param accessCounter counts its reads, writes and updates of memory of peers; null for none
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
    ConnectPolicy onConnect,
    ReceiveContext receiveContext,
    boolean datagrams,
    Set<Access> accesses,
    Counter accessCounter) {
  /**
   * What an endpoint does with memory. Updates need WRITE, and READ too if they tell old values.
   *
   * @source libfabric fi_getinfo(3), FI_READ and following
   */
  public enum Access {
    /** It reads memory of peers. */
    READ,
    /** It writes and updates memory of peers. */
    WRITE,
    /** Peers read by it memory of its domain. */
    REMOTE_READ,
    /** Peers write and update by it memory of its domain. */
    REMOTE_WRITE;

    /** All that peers do. */
    @InternalApi public static final Set<Access> OF_PEERS = Set.of(REMOTE_READ, REMOTE_WRITE);
  }

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
    accesses = Set.copyOf(accesses);
    if (receiveContext != null) {
      requireNone(receiveContext, receiveQueue, receiveCounter, direction);
    }
  }

  private static void requireNone(
      ReceiveContext context, CompletionQueue queue, Counter counter, Direction direction) {
    if (queue != context.receiveQueue() || counter != null || direction == Direction.SEND) {
      throw new IllegalArgumentException(
          "the endpoint shares the receives of context ["
              + context.name()
              + "], whose queue and counter tell of them: give it no others, and do not open it to"
              + " send only");
    }
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
        ConnectPolicy.ACCEPT,
        null,
        false,
        EnumSet.allOf(Access.class),
        null);
  }

  /**
   * The same for an endpoint that takes what comes with the receives of a context, which complete
   * in the context's queue.
   */
  public static EndpointBindings to(CompletionQueue transmitQueue, ReceiveContext context) {
    return RecordCopy.with(to(transmitQueue, context.receiveQueue()), "receiveContext", context);
  }

  /** The same with a counter of sends. */
  public EndpointBindings countingSends(Counter counter) {
    return RecordCopy.with(this, "sendCounter", counter);
  }

  /** The same with a counter of receives. */
  public EndpointBindings countingReceives(Counter counter) {
    return RecordCopy.with(this, "receiveCounter", counter);
  }

  /** The same with a counter of accesses to memory of peers. */
  public EndpointBindings countingAccesses(Counter counter) {
    return RecordCopy.with(this, "accessCounter", counter);
  }

  /** The same for an endpoint that does only this with memory; nothing at all if none is given. */
  public EndpointBindings accessing(Access... which) {
    Set<Access> all = EnumSet.noneOf(Access.class);
    all.addAll(List.of(which));
    return RecordCopy.with(this, "accesses", all);
  }

  /** The same with other entries of sends. */
  public EndpointBindings sends(Completions which) {
    return RecordCopy.with(this, "sends", which);
  }

  /** The same with other entries of receives. */
  public EndpointBindings receives(Completions which) {
    return RecordCopy.with(this, "receives", which);
  }

  /** The same for an endpoint that does not do all. */
  public EndpointBindings only(Direction newDirection) {
    return RecordCopy.with(this, "direction", newDirection);
  }

  /** The same with a decision about each peer that says hello. */
  public EndpointBindings onConnect(ConnectPolicy policy) {
    return RecordCopy.with(this, "onConnect", policy);
  }

  /**
   * The same for an endpoint whose sends, with a tag or without, are datagrams: each leaves in one
   * packet, is sent once, may overtake others, and is dropped and counted where no receive is
   * posted for it. The first sets a flow up, as any send does, so that both sides prove the job's
   * key; after that neither keeps anything of a datagram.
   *
   * <p>A send completes when its datagram has been handed to the provider, or dropped because that
   * had no room: levels beyond TRANSMIT fail with OPERATION_NOT_SUPPORTED, a message longer than a
   * packet with MESSAGE_SIZE. {@code Endpoint.flowCounters} has the numbers. Any endpoint receives
   * datagrams. No team opens on such an endpoint.
   *
   * @source libfabric fi_endpoint(3), FI_EP_DGRAM
   */
  public EndpointBindings sendingDatagrams() {
    return RecordCopy.with(this, "datagrams", true);
  }

  /** Whether it does this. */
  @InternalApi
  public boolean does(Direction one) {
    return direction == Direction.BOTH || direction == one;
  }
}
