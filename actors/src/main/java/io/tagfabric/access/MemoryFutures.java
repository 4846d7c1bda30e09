package io.tagfabric.access;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.link.PendingFutures;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import io.tagfabric.memory.Slices;
import io.tagfabric.progress.ProgressFuture;
import io.tagfabric.progress.ProgressFutures;
import java.nio.ByteOrder;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
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
  private final boolean immediate;

  MemoryFutures(int maxPending, EndpointMemory memory, ProgressFutures futures) {
    this(memory, futures, new PendingFutures(futures, maxPending), false);
  }

  private MemoryFutures(
      EndpointMemory memory, ProgressFutures futures, PendingFutures pending, boolean immediate) {
    this.memory = memory;
    this.futures = futures;
    this.pending = pending;
    this.immediate = immediate;
  }

  /**
   * The same operations, now or not at all, as {@code SendOptions.now} says: the future of one that
   * cannot leave now has failed with AGAIN on return, and nothing of it is kept. Flushes are as
   * ever.
   *
   * @source GASNet-EX, GEX_FLAG_IMMEDIATE
   */
  public MemoryFutures now() {
    return immediate ? this : new MemoryFutures(memory, futures, pending, true);
  }

  /** Writes a whole buffer, which must not change until the future completes. */
  public CompletionStage<Completion.Accessed> write(
      RemoteRegion to, long offset, DirectBuffer bytes) {
    return start(writing(to, offset, bytes));
  }

  /** The same with 8 bytes of immediate data. */
  public CompletionStage<Completion.Accessed> writeData(
      RemoteRegion to, long offset, DirectBuffer bytes, long data) {
    MemoryOperation access = writing(to, offset, bytes);
    access.showData(data);
    return start(access);
  }

  /** The same with a signal. */
  public CompletionStage<Completion.Accessed> writeSignal(
      RemoteRegion to, long offset, DirectBuffer bytes) {
    MemoryOperation access = writing(to, offset, bytes);
    access.signal();
    return start(access);
  }

  private static MemoryOperation writing(RemoteRegion to, long offset, DirectBuffer bytes) {
    return AccessRequests.write(to, offset, bytes, 0, bytes.capacity(), CompletionLevel.DELIVERY);
  }

  /** Writes a value of 8 bytes, little-endian. */
  public CompletionStage<Completion.Accessed> writeValue(RemoteRegion to, long offset, long value) {
    return write(to, offset, AccessRequests.bytesOf(value));
  }

  /** Reads bytes into a whole buffer. */
  public CompletionStage<Completion.Accessed> read(
      RemoteRegion from, long offset, MutableDirectBuffer bytes) {
    return start(AccessRequests.read(from, offset, bytes, 0, bytes.capacity()));
  }

  /** Reads a value of 8 bytes, little-endian. */
  public CompletionStage<Long> readValue(RemoteRegion from, long offset) {
    UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);
    return value(value, AccessRequests.read(from, offset, value, 0, Long.BYTES));
  }

  /** Writes pieces of a buffer, which must not change until the future completes. */
  public CompletionStage<Completion.Accessed> writeSlices(
      RemoteRegion to, Slices there, DirectBuffer buffer, Slices here) {
    return start(AccessRequests.writeSlices(to, there, buffer, here, CompletionLevel.DELIVERY));
  }

  /** Reads pieces of a region. */
  public CompletionStage<Completion.Accessed> readSlices(
      RemoteRegion from, Slices there, MutableDirectBuffer buffer, Slices here) {
    return start(AccessRequests.readSlices(from, there, buffer, here));
  }

  /** Sets bytes to one value. */
  public CompletionStage<Completion.Accessed> fill(
      RemoteRegion to, long offset, long length, byte value) {
    return start(AccessRequests.fill(to, offset, length, value, CompletionLevel.DELIVERY));
  }

  /** Updates as many elements as a buffer has. */
  public CompletionStage<Completion.Accessed> update(
      RemoteRegion at, long offset, AtomicOp op, AtomicKind kind, DirectBuffer operands) {
    int count = AccessRequests.elements(operands, kind);
    return start(
        AccessRequests.update(at, offset, op, kind, operands, 0, count, CompletionLevel.DELIVERY));
  }

  /** Updates as many elements as a buffer of results has, which tells what they were before. */
  public CompletionStage<Completion.Accessed> fetch(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer operands,
      MutableDirectBuffer result) {
    int count = AccessRequests.elements(result, kind);
    return start(AccessRequests.fetch(at, offset, op, kind, operands, 0, count, result, 0));
  }

  /** Updates an INT64 and completes with what it was before. */
  public CompletionStage<Long> fetch(RemoteRegion at, long offset, AtomicOp op, long operand) {
    UnsafeBuffer old = new UnsafeBuffer(new byte[Long.BYTES]);
    DirectBuffer operands = AccessRequests.bytesOf(operand);
    return value(
        old, AccessRequests.fetch(at, offset, op, AtomicKind.INT64, operands, 0, 1, old, 0));
  }

  /** Updates elements as a comparison says; as {@link #fetch}. */
  public CompletionStage<Completion.Accessed> compare(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      AtomicKind kind,
      DirectBuffer compares,
      DirectBuffer operands,
      MutableDirectBuffer result) {
    int count = AccessRequests.elements(result, kind);
    return start(
        AccessRequests.compare(at, offset, op, kind, compares, 0, operands, 0, count, result, 0));
  }

  /** Sets an INT64 to a value if it is what is expected; completes with what it was before. */
  public CompletionStage<Long> compareAndSwap(
      RemoteRegion at, long offset, long expected, long value) {
    UnsafeBuffer old = new UnsafeBuffer(new byte[Long.BYTES]);
    MemoryOperation access =
        AccessRequests.compare(
            at,
            offset,
            AtomicOp.CSWAP,
            AtomicKind.INT64,
            AccessRequests.bytesOf(expected),
            0,
            AccessRequests.bytesOf(value),
            0,
            1,
            old,
            0);
    return value(old, access);
  }

  /**
   * The same of memory that is longer than a region may be. Of {@link #now} it refuses what lies in
   * several segments, as one part could leave and another not.
   */
  public SegmentFutures ofSegments() {
    return new SegmentFutures(this);
  }

  /** As {@link MemoryOperations#flush}. */
  public CompletionStage<Completion.Accessed> flush(int peer) {
    return start(AccessRequests.flush(peer));
  }

  /** As {@link MemoryOperations#flushAll}. */
  public CompletionStage<Completion.Accessed> flushAll() {
    return start(AccessRequests.flushAll());
  }

  /** Whether an operation is accepted only if it can leave now. */
  boolean isImmediate() {
    return immediate;
  }

  private CompletionStage<Long> value(UnsafeBuffer bytes, MemoryOperation access) {
    return start(access, notUsed -> bytes.getLong(0, ByteOrder.LITTLE_ENDIAN));
  }

  private CompletionStage<Completion.Accessed> start(MemoryOperation access) {
    return start(access, accessed -> accessed);
  }

  /** Begins something, unless too much is under way, with who is to hear of its end. */
  CompletionStage<Completion.Accessed> startBy(Consumer<AccessListener> begin) {
    ProgressFuture<Completion.Accessed> future = futures.create();
    if (pending.accept(future)) {
      begin.accept(listener(future, accessed -> accessed));
    }
    return future;
  }

  /** Completes the future of an accepted access, with what is made of its completion. */
  private <T> AccessListener listener(
      ProgressFuture<T> future, Function<? super Completion.Accessed, T> outcome) {
    return new AccessListener() {
      @Override
      public void onAccessed(Completion.Accessed accessed) {
        pending.complete(future, outcome.apply(accessed));
      }

      @Override
      public void onFailed(Completion.Failed failure) {
        pending.fail(future, failure);
      }
    };
  }

  private <T> CompletionStage<T> start(
      MemoryOperation access, Function<? super Completion.Accessed, T> outcome) {
    memory.require(access);
    ProgressFuture<T> future = futures.create();
    if (pending.accept(future)) {
      access.telling(null, listener(future, outcome));
      if (!immediate || access.isOfNoRegion()) {
        memory.start(access);
      } else if (!memory.startNow(access)) {
        pending.refuseNow(future, access.peer());
      }
    }
    return future;
  }
}
