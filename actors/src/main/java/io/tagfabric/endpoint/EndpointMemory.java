package io.tagfabric.endpoint;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Completions;
import io.tagfabric.endpoint.Endpoint.AccessMemory;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.progress.ProgressFutures;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * An endpoint's access to memory of peers. This is the direct face; {@link MemoryFutures} is the
 * one with futures, and {@link Accesses} makes the messages for actors. The owner of a region
 * accesses it the same way, with its own endpoint's address as the peer: so its updates are atomic
 * too.
 */
public final class EndpointMemory implements MemoryOperations {
  private static final SendOptions DELIVERED = SendOptions.DEFAULT.at(CompletionLevel.DELIVERY);

  private final Endpoint endpoint;
  private final DirectAccesses direct;
  private final ReachedMemory reached;
  private final MemoryFutures futures;

  EndpointMemory(Endpoint endpoint, DirectAccesses direct, ProgressFutures futures) {
    this.endpoint = endpoint;
    this.direct = direct;
    reached = direct.reached();
    this.futures = new MemoryFutures(endpoint, this, futures);
  }

  /** The same operations with futures. */
  public MemoryFutures futures() {
    return futures;
  }

  @Override
  public Posted write(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      SendOptions options,
      Object context) {
    if (reached.write(to, offset, buffer, bufferOffset, length, options, context)) {
      return Posted.POSTED;
    }
    return post(
        AccessRequests.write(to, offset, buffer, bufferOffset, length, options.level()),
        options,
        context);
  }

  @Override
  public Posted writeData(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      long data,
      SendOptions options,
      Object context) {
    AccessMemory access =
        AccessRequests.write(to, offset, buffer, bufferOffset, length, options.level());
    access.showData(data);
    return post(access, options, context);
  }

  @Override
  public Posted writeSignal(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      SendOptions options,
      Object context) {
    AccessMemory access =
        AccessRequests.write(to, offset, buffer, bufferOffset, length, options.level());
    access.signal();
    return post(access, options, context);
  }

  @Override
  public Posted writeValue(
      RemoteRegion to, long offset, long value, SendOptions options, Object context) {
    if (reached.writeValue(to, offset, value, options, context)) {
      return Posted.POSTED;
    }
    return write(to, offset, AccessRequests.bytesOf(value), 0, Long.BYTES, options, context);
  }

  @Override
  public Posted injectWrite(
      RemoteRegion to, long offset, DirectBuffer buffer, int bufferOffset, int length) {
    endpoint.settings().requireInjectable(length);
    DirectBuffer kept = AccessRequests.copy(buffer, bufferOffset, length);
    // Its slot stays reserved until the peer has said that it is done: a refusal needs it.
    return write(to, offset, kept, 0, length, DELIVERED.silent(), null);
  }

  @Override
  public Posted read(
      RemoteRegion from,
      long offset,
      MutableDirectBuffer buffer,
      int bufferOffset,
      int length,
      Object context) {
    if (reached.read(from, offset, buffer, bufferOffset, length, context)) {
      return Posted.POSTED;
    }
    return post(AccessRequests.read(from, offset, buffer, bufferOffset, length), null, context);
  }

  @Override
  public Posted update(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      SendOptions options,
      Object context) {
    if (reached.update(at, offset, op, kind, operands, operandsOffset, count, options, context)) {
      return Posted.POSTED;
    }
    return post(
        AccessRequests.update(
            at, offset, op, kind, operands, operandsOffset, count, options.level()),
        options,
        context);
  }

  @Override
  public Posted fetch(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset,
      Object context) {
    if (reached.fetch(
        at, offset, op, kind, operands, operandsOffset, count, result, resultOffset, context)) {
      return Posted.POSTED;
    }
    return post(
        AccessRequests.fetch(
            at, offset, op, kind, operands, operandsOffset, count, result, resultOffset),
        null,
        context);
  }

  @Override
  public Posted compare(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer compares,
      int comparesOffset,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      MutableDirectBuffer result,
      int resultOffset,
      Object context) {
    AccessMemory access =
        AccessRequests.compare(
            at,
            offset,
            op,
            kind,
            compares,
            comparesOffset,
            operands,
            operandsOffset,
            count,
            result,
            resultOffset);
    return post(access, null, context);
  }

  @Override
  public Posted flush(int peer, Object context) {
    return post(AccessRequests.flush(peer), null, context);
  }

  @Override
  public Posted flushAll(Object context) {
    return post(AccessRequests.flushAll(), null, context);
  }

  @Override
  public int query(AtomicOp op, AtomicKind kind) {
    return AccessRequests.mostElements(op, kind);
  }

  private Posted post(AccessMemory access, SendOptions options, Object context) {
    access.telling(context, null);
    require(access);
    if (!endpoint.transmitQueue().ring().tryReserve()) {
      return Posted.TRY_AGAIN;
    }
    Completions told = options == null ? null : options.completions();
    if ((told == null ? endpoint.bindings().sends() : told) == Completions.ERRORS) {
      access.silence();
    }
    if (options != null && options.fenced()) {
      access.fence();
    }
    if (options != null && options.immediate()) {
      return endpoint.postedNow(direct.startNow(access));
    }
    start(access);
    return Posted.POSTED;
  }

  /** Starts an access that is in order. */
  void start(AccessMemory access) {
    direct.accepted(access);
    if (!direct.start(access)) {
      endpoint.ref().tell(access);
      if (!endpoint.isOpen()) {
        direct.refuse(access);
      }
    }
  }

  /** That the endpoint is open and may do it, and that its descriptor allows it. */
  void require(AccessMemory access) {
    endpoint.requireOpen();
    AccessRequests.require(access, endpoint.bindings());
  }
}
