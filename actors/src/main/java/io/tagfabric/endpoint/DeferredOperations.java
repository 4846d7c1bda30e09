package io.tagfabric.endpoint;

import io.tagfabric.access.Access;
import io.tagfabric.access.EndpointMemory;
import io.tagfabric.access.MemoryOperation;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.Deferral;
import io.tagfabric.complete.DeferredOperation;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.DirectSends;
import io.tagfabric.link.send.SendOperation;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.PostedReceive;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.receive.DirectReceives;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes sends, receives and accesses of an endpoint that a counter starts, see {@link
 * Counter#defer}. Wrong arguments are refused at once. A deferred one has its slot in the queue
 * from the beginning, and its failure is always told. What waits when the endpoint closes ends with
 * CANCELED, in the order deferred.
 */
public final class DeferredOperations {
  private final Endpoint endpoint;
  private final DirectSends direct;
  private final DirectReceives receives;
  private final ProgressLoop loop;

  /** Those that wait, in the order accepted. */
  private final ConcurrentSkipListMap<Long, Deferral> waiting = new ConcurrentSkipListMap<>();

  private final AtomicLong nextNumber = new AtomicLong();

  DeferredOperations(
      Endpoint endpoint, DirectSends direct, DirectReceives receives, ProgressLoop loop) {
    this.endpoint = endpoint;
    this.direct = direct;
    this.receives = receives;
    this.loop = loop;
  }

  /**
   * A send; its buffer is the endpoint's from {@link Counter#defer} to the completion.
   *
   * @throws IllegalArgumentException if it is to leave now or not at all: it begins when its
   *     counter says so, and then waits as others do
   */
  public DeferredOperation send(TaggedSend send, Object context) {
    Endpoint.requirePatient(send.isImmediate());
    endpoint.settings().requireSendable(send.length());
    SendOperation operation = send.operation(context, null);
    endpoint.silence(operation, send.options());
    return new Pending<SendOperation>(() -> reserve(operation), endpoint::start, direct::fail);
  }

  private SendOperation reserve(SendOperation send) {
    if (!endpoint.transmitQueue().ring().tryReserve()) {
      return null;
    }
    direct.accepted(send);
    return send;
  }

  /**
   * A receive; its buffer is the endpoint's from {@link Counter#defer} to the completion.
   *
   * @throws IllegalArgumentException if the receive has no buffer
   */
  public DeferredOperation receive(TaggedReceive receive, Object context) {
    endpoint.requireReceives();
    receive.requireBuffer();
    return new Pending<PostedReceive>(
        () -> endpoint.accept(receive, context), endpoint::start, receives::fail);
  }

  /**
   * An access to memory of a peer; its buffers are the endpoint's from {@link Counter#defer} to the
   * completion, and operands are copied when it is deferred.
   *
   * @throws IllegalArgumentException if it is to leave now or not at all
   * @source libfabric fi_trigger(3), fi_cntr(3), FI_OP_READ and following
   */
  public DeferredOperation access(Access access, Object context) {
    Objects.requireNonNull(access, "access");
    Endpoint.requirePatient(access.isImmediate());
    EndpointMemory memory = endpoint.memory();
    return new Pending<MemoryOperation>(
        () -> memory.accept(access, context), memory::start, memory::fail);
  }

  /** How many operations wait for their counters. Thread: any. */
  public int waitingCount() {
    return waiting.size();
  }

  /** The endpoint begins to close. */
  void close() {
    waiting.values().forEach(Deferral::cancel);
  }

  /** Ends an operation before it has begun. */
  private interface Failing<T> {
    void fail(T operation, FabricError error, String detail);
  }

  private final class Pending<T> extends DeferredOperation {
    private final Supplier<T> reserve;
    private final Consumer<T> begin;
    private final Failing<T> failing;
    private T operation;
    private long number;

    /**
     * One that has not been deferred.
     *
     * @param reserve gives the operation, accepted, or null if its queue has no slot
     */
    Pending(Supplier<T> reserve, Consumer<T> begin, Failing<T> failing) {
      this.reserve = reserve;
      this.begin = begin;
      this.failing = failing;
    }

    @Override
    public ProgressLoop loop() {
      return loop;
    }

    @Override
    public boolean accept(Deferral newDeferral) {
      endpoint.requireOpen();
      operation = reserve.get();
      if (operation == null) {
        return false;
      }
      number = nextNumber.getAndIncrement();
      waiting.put(number, newDeferral);
      if (!endpoint.isOpen()) {
        // It has closed meanwhile, and may not have seen this one.
        newDeferral.cancel();
      }
      return true;
    }

    @Override
    public void start() {
      waiting.remove(number);
      begin.accept(operation);
    }

    @Override
    public void cancel(FabricError error, String detail) {
      waiting.remove(number);
      failing.fail(operation, error, detail);
    }
  }
}
