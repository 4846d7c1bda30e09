package io.tagfabric.access;

import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.memory.RegionReach;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Posts accesses to memory of peers: of an endpoint, or of an {@link AccessRegion}. A call returns
 * at once; what has been POSTED completes exactly once in the endpoint's transmit queue, as {@link
 * io.tagfabric.complete.Completion.Accessed} or {@link io.tagfabric.complete.Completion.Failed}.
 *
 * <p>{@link Access} says what there is, and in which order it is done. The other calls are short
 * forms of {@link #post}, which make nothing for memory that this side reaches. What the endpoint
 * was opened without is refused at the call with OPERATION_NOT_SUPPORTED.
 *
 * <p>Thread: any; calls of one thread keep their order. Programs do not extend it.
 */
public abstract class MemoryOperations {
  private static final SendOptions DELIVERED =
      SendOptions.DEFAULT.at(CompletionLevel.DELIVERY).silent();

  private final EndpointSettings settings;

  MemoryOperations(EndpointSettings settings) {
    this.settings = settings;
  }

  /**
   * What this side reaches.
   *
   * @throws IllegalStateException if no access is accepted any more
   */
  abstract ReachedMemory reached();

  /**
   * Accepts an operation.
   *
   * @param options null for none
   */
  abstract Posted submit(MemoryOperation operation, SendOptions options, Object context);

  private Posted submit(Access access, Object context) {
    return submit(access.operation(CompletionLevel.INJECT), access.options(), context);
  }

  /**
   * Posts an access.
   *
   * @param context comes back in the completion; may be null
   * @return TRY_AGAIN if there is no slot for the completion, or if the access is to leave now and
   *     cannot
   * @throws IllegalStateException if the endpoint is closed
   */
  public final Posted post(Access access, Object context) {
    return reached().access(access, context) ? Posted.POSTED : submit(access, context);
  }

  /** Posts {@link Access#write(RemoteRegion, long, DirectBuffer, int, int)}. */
  public final Posted write(
      RemoteRegion to,
      long offset,
      DirectBuffer buffer,
      int bufferOffset,
      int length,
      SendOptions options,
      Object context) {
    return reached().write(to, offset, buffer, bufferOffset, length, options, context)
        ? Posted.POSTED
        : submit(
            ShortForms.writing(to, offset, buffer, bufferOffset, length, options),
            options,
            context);
  }

  /** Posts {@link Access#writeValue}. */
  public final Posted writeValue(
      RemoteRegion to, long offset, long value, SendOptions options, Object context) {
    return reached().writeValue(to, offset, value, options, context)
        ? Posted.POSTED
        : submit(
            ShortForms.writing(to, offset, Access.bytesOf(value), 0, Long.BYTES, options),
            options,
            context);
  }

  /**
   * Writes few bytes, whose buffer may be used again at once. A success leaves no entry, a failure
   * does, with a null context.
   *
   * @throws IllegalArgumentException if there are more bytes than {@code inject-size}
   * @source libfabric fi_rma(3), fi_inject_write
   */
  public final Posted injectWrite(
      RemoteRegion to, long offset, DirectBuffer buffer, int bufferOffset, int length) {
    settings.requireInjectable(length);
    Access.write(to, offset, buffer, bufferOffset, length); // refuses what is wrong
    byte[] kept = new byte[length];
    buffer.getBytes(bufferOffset, kept);
    // Its slot stays reserved until the peer has said that it is done: a refusal needs it.
    return write(to, offset, new UnsafeBuffer(kept), 0, length, DELIVERED, null);
  }

  /** Posts {@link Access#read(RemoteRegion, long, MutableDirectBuffer, int, int)}. */
  public final Posted read(
      RemoteRegion from,
      long offset,
      MutableDirectBuffer buffer,
      int bufferOffset,
      int length,
      Object context) {
    return reached().read(from, offset, buffer, bufferOffset, length, context)
        ? Posted.POSTED
        : submit(ShortForms.reading(from, offset, buffer, bufferOffset, length), null, context);
  }

  /**
   * Posts {@link Access#update(RemoteRegion, long, AtomicOp, AtomicKind, DirectBuffer, int, int)}.
   */
  public final Posted update(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      int operandsOffset,
      int count,
      SendOptions options,
      Object context) {
    return reached().update(at, offset, op, kind, operands, operandsOffset, count, options, context)
        ? Posted.POSTED
        : submit(
            ShortForms.updating(at, offset, op, kind, operands, operandsOffset, count, options),
            options,
            context);
  }

  /** Posts {@link Access#fetch}. */
  public final Posted fetch(
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
    return reached()
            .fetch(
                at,
                offset,
                op,
                kind,
                operands,
                operandsOffset,
                count,
                result,
                resultOffset,
                context)
        ? Posted.POSTED
        : submit(
            ShortForms.fetching(
                at, offset, op, kind, operands, operandsOffset, count, result, resultOffset),
            null,
            context);
  }

  /** Posts {@link Access#flush}. */
  public final Posted flush(int peer, Object context) {
    return submit(Access.flush(peer), context);
  }

  /** Posts {@link Access#flushAll}. */
  public final Posted flushAll(Object context) {
    return submit(Access.flushAll(), context);
  }

  /**
   * How many elements one operation may update.
   *
   * @return 0 if there is no such operation for such elements
   * @source libfabric fi_atomic(3), fi_query_atomic
   */
  public final int query(AtomicOp op, AtomicKind kind) {
    return Access.mostElements(op, kind);
  }

  /**
   * Who does the updates of a region's elements: all of them are done in the memory itself, by
   * whoever asks, or all by the loop of the region's domain.
   */
  public final RegionReach query(RegionDescriptor region) {
    return region.reach();
  }
}
