package io.tagfabric.access;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.complete.Completions;
import io.tagfabric.link.send.PendingFutures;
import io.tagfabric.link.send.SendOptions;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
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
 * Starts accesses to memory of peers, with a future each. Waiting for a future drives the domain's
 * loop; one that fails does so with a {@link io.tagfabric.error.FabricException}. Writes and
 * updates end when the peer has said that they are done.
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

  /**
   * Starts an access.
   *
   * @throws IllegalArgumentException if its options say that a success is not told
   */
  public CompletionStage<Completion.Accessed> start(Access access) {
    return start(access, accessed -> accessed);
  }

  /** Writes a whole buffer, which must not change until the future completes. */
  public CompletionStage<Completion.Accessed> write(
      RemoteRegion to, long offset, DirectBuffer bytes) {
    return start(Access.write(to, offset, bytes));
  }

  /** Writes a value of 8 bytes, little-endian. */
  public CompletionStage<Completion.Accessed> writeValue(RemoteRegion to, long offset, long value) {
    return start(Access.writeValue(to, offset, value));
  }

  /** Reads bytes into a whole buffer. */
  public CompletionStage<Completion.Accessed> read(
      RemoteRegion from, long offset, MutableDirectBuffer bytes) {
    return start(Access.read(from, offset, bytes));
  }

  /** Reads a value of 8 bytes, little-endian. */
  public CompletionStage<Long> readValue(RemoteRegion from, long offset) {
    UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);
    return value(value, Access.read(from, offset, value));
  }

  /** Updates an INT64 and completes with what it was before. */
  public CompletionStage<Long> fetch(RemoteRegion at, long offset, AtomicOp op, long operand) {
    UnsafeBuffer old = new UnsafeBuffer(new byte[Long.BYTES]);
    return value(old, Access.fetch(at, offset, op, AtomicKind.INT64, Access.bytesOf(operand), old));
  }

  /** Sets an INT64 to a value if it is what is expected; completes with what it was before. */
  public CompletionStage<Long> compareAndSwap(
      RemoteRegion at, long offset, long expected, long value) {
    UnsafeBuffer old = new UnsafeBuffer(new byte[Long.BYTES]);
    Access access =
        Access.compare(
            at,
            offset,
            AtomicOp.CSWAP,
            AtomicKind.INT64,
            Access.bytesOf(expected),
            Access.bytesOf(value),
            old);
    return value(old, access);
  }

  /**
   * The same of memory that is longer than a region may be. Of {@link #now} it refuses what lies in
   * several segments, as one part could leave and another not.
   */
  public SegmentFutures ofSegments() {
    return new SegmentFutures(this);
  }

  /** As {@link Access#flush}. */
  public CompletionStage<Completion.Accessed> flush(int peer) {
    return start(Access.flush(peer));
  }

  /** As {@link Access#flushAll}. */
  public CompletionStage<Completion.Accessed> flushAll() {
    return start(Access.flushAll());
  }

  /** Whether an operation is accepted only if it can leave now. */
  boolean isImmediate() {
    return immediate;
  }

  private CompletionStage<Long> value(UnsafeBuffer bytes, Access access) {
    return start(access, notUsed -> bytes.getLong(0, ByteOrder.LITTLE_ENDIAN));
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
      Access access, Function<? super Completion.Accessed, T> outcome) {
    SendOptions options = access.options();
    if (options != null && options.completions() == Completions.ERRORS) {
      throw new IllegalArgumentException(
          "completions=ERRORS: a future of a success that is not told would never complete, post"
              + " the access");
    }
    MemoryOperation operation = access.operation(CompletionLevel.DELIVERY);
    memory.require(operation);
    ProgressFuture<T> future = futures.create();
    if (pending.accept(future)) {
      operation.telling(null, listener(future, outcome));
      if (operation.isOfNoRegion() || !(immediate || access.isImmediate())) {
        memory.start(operation);
      } else if (!memory.startNow(operation)) {
        pending.refuseNow(future, access.peer());
      }
    }
    return future;
  }
}
