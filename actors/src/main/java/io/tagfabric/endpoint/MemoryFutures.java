package io.tagfabric.endpoint;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.endpoint.Endpoint.AccessMemory;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.RegionDescriptor;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import java.nio.ByteOrder;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * {@link MemoryOperations} with a future each. Waiting for a future drives the domain's loop; one
 * that fails does so with a {@link io.tagfabric.error.FabricException}. Writes and updates end when
 * the peer has said that they are done.
 *
 * <p>Thread: any. At most {@code endpoint.max-pending-futures} of them are under way; one more
 * fails at once with AGAIN.
 */
public final class MemoryFutures {
  private final EndpointMemory memory;
  private final ProgressFutures futures;
  private final PendingFutures pending;

  MemoryFutures(Endpoint endpoint, EndpointMemory memory, ProgressFutures futures) {
    this.memory = memory;
    this.futures = futures;
    pending = new PendingFutures(futures, endpoint.settings().maxPendingFutures());
  }

  /** Writes a whole buffer, which must not change until the future completes. */
  public CompletionStage<Completion.Accessed> write(
      int peer, RegionDescriptor region, long offset, DirectBuffer bytes) {
    return start(
        done ->
            Accesses.write(
                peer,
                region,
                offset,
                bytes,
                0,
                bytes.capacity(),
                CompletionLevel.DELIVERY,
                null,
                done));
  }

  /** The same with 8 bytes of immediate data. */
  public CompletionStage<Completion.Accessed> writeData(
      int peer, RegionDescriptor region, long offset, DirectBuffer bytes, long data) {
    return start(
        done ->
            Accesses.writeData(
                peer,
                region,
                offset,
                bytes,
                0,
                bytes.capacity(),
                data,
                CompletionLevel.DELIVERY,
                null,
                done));
  }

  /** The same with a signal. */
  public CompletionStage<Completion.Accessed> writeSignal(
      int peer, RegionDescriptor region, long offset, DirectBuffer bytes) {
    return start(
        done ->
            Accesses.writeSignal(
                peer,
                region,
                offset,
                bytes,
                0,
                bytes.capacity(),
                CompletionLevel.DELIVERY,
                null,
                done));
  }

  /** Writes a value of 8 bytes, little-endian. */
  public CompletionStage<Completion.Accessed> writeValue(
      int peer, RegionDescriptor region, long offset, long value) {
    return write(peer, region, offset, Accesses.bytesOf(value));
  }

  /** Reads bytes into a whole buffer. */
  public CompletionStage<Completion.Accessed> read(
      int peer, RegionDescriptor region, long offset, MutableDirectBuffer bytes) {
    return start(
        done -> Accesses.read(peer, region, offset, bytes, 0, bytes.capacity(), null, done));
  }

  /** Reads a value of 8 bytes, little-endian. */
  public CompletionStage<Long> readValue(int peer, RegionDescriptor region, long offset) {
    UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);
    return value(
        value, done -> Accesses.read(peer, region, offset, value, 0, Long.BYTES, null, done));
  }

  /** Updates as many elements as a buffer has. */
  public CompletionStage<Completion.Accessed> update(
      int peer,
      RegionDescriptor region,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands) {
    int count = operands.capacity() / kind.bytes();
    return start(
        done ->
            Accesses.update(
                peer,
                region,
                offset,
                op,
                kind,
                operands,
                0,
                count,
                CompletionLevel.DELIVERY,
                null,
                done));
  }

  /** Updates as many elements as a buffer of results has, which tells what they were before. */
  public CompletionStage<Completion.Accessed> fetch(
      int peer,
      RegionDescriptor region,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      MutableDirectBuffer result) {
    int count = result.capacity() / kind.bytes();
    return start(
        done ->
            Accesses.fetch(
                peer, region, offset, op, kind, operands, 0, count, result, 0, null, done));
  }

  /** Updates an INT64 and completes with what it was before. */
  public CompletionStage<Long> fetch(
      int peer, RegionDescriptor region, long offset, AtomicOp op, long operand) {
    UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);
    return value(
        value,
        done ->
            Accesses.fetch(
                peer,
                region,
                offset,
                op,
                AtomicKind.INT64,
                Accesses.bytesOf(operand),
                0,
                1,
                value,
                0,
                null,
                done));
  }

  /** Updates elements as a comparison says; as {@link #fetch}. */
  public CompletionStage<Completion.Accessed> compare(
      int peer,
      RegionDescriptor region,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer compares,
      DirectBuffer operands,
      MutableDirectBuffer result) {
    int count = result.capacity() / kind.bytes();
    return start(
        done ->
            Accesses.compare(
                peer, region, offset, op, kind, compares, 0, operands, 0, count, result, 0, null,
                done));
  }

  /** Sets an INT64 to a value if it is what is expected; completes with what it was before. */
  public CompletionStage<Long> compareAndSwap(
      int peer, RegionDescriptor region, long offset, long expected, long value) {
    UnsafeBuffer old = new UnsafeBuffer(new byte[Long.BYTES]);
    return value(
        old,
        done ->
            Accesses.compare(
                peer,
                region,
                offset,
                AtomicOp.CSWAP,
                AtomicKind.INT64,
                Accesses.bytesOf(expected),
                0,
                Accesses.bytesOf(value),
                0,
                1,
                old,
                0,
                null,
                done));
  }

  /** As {@link MemoryOperations#flush}. */
  public CompletionStage<Completion.Accessed> flush(int peer) {
    return start(done -> Accesses.flush(peer, null, done));
  }

  /** As {@link MemoryOperations#flushAll}. */
  public CompletionStage<Completion.Accessed> flushAll() {
    return start(done -> Accesses.flushAll(null, done));
  }

  private CompletionStage<Long> value(
      UnsafeBuffer bytes, Function<AccessListener, AccessMemory> maker) {
    ProgressFuture<Long> future = futures.create();
    return start(
        future,
        maker.apply(pending.access(future, notUsed -> bytes.getLong(0, ByteOrder.LITTLE_ENDIAN))));
  }

  private CompletionStage<Completion.Accessed> start(Function<AccessListener, AccessMemory> maker) {
    ProgressFuture<Completion.Accessed> future = futures.create();
    return start(future, maker.apply(pending.access(future, accessed -> accessed)));
  }

  private <T> CompletionStage<T> start(ProgressFuture<T> future, AccessMemory access) {
    memory.require(access);
    if (pending.accept(future)) {
      memory.start(access);
    }
    return future;
  }
}
