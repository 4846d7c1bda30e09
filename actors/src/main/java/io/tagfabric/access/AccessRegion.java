package io.tagfabric.access;

import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.link.EndpointGate;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.SendOptions;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many accesses to memory with one end. The accesses themselves leave no entries and take no slots
 * of the queue; the contexts that they are given are not used. {@link #end(Object)} asks for one
 * entry, {@link #end()} for one future. It comes when every access has ended, each at its own
 * level: if all are writes of level INJECT, when all their buffers may be used again; if all are of
 * level DELIVERY, when all is done at the peers.
 *
 * <p>If accesses have failed, so does the end, with the error of the first failure; its text says
 * how many there were.
 *
 * <p>An endpoint may have several regions open, and a region may access several peers. A region
 * that is never ended holds nothing.
 *
 * <p>Thread: any. A call answers {@link Posted#TRY_AGAIN} if {@link #MOST} accesses are under way,
 * or if its options say {@link SendOptions#now} and it cannot leave now. Nothing of it is kept
 * then; drive the endpoint, by a read of its queue or any wait.
 *
 * @source GASNet-EX, implicit operations and access regions
 */
public final class AccessRegion extends MemoryOperations {
  /** Accesses that may be under way at a time. */
  public static final int MOST = 65_535;

  private final EndpointGate gate;
  private final EndpointMemory memory;
  private final ReachedMemory reached;
  private final AtomicBoolean ended = new AtomicBoolean();

  /** Those under way, and one as long as the region is open. */
  private final AtomicInteger left = new AtomicInteger(1);

  private final AccessListener each =
      new AccessListener() {
        @Override
        public void onAccessed(Completion.Accessed accessed) {
          leave();
        }

        @Override
        public void onFailed(Completion.Failed failure) {
          failed(failure);
          leave();
        }
      };

  // Of the loop until nothing is under way, then of who ends it.
  private FabricError error;
  private String detail;
  private int failures;
  private MemoryOperation end;

  AccessRegion(EndpointGate gate, EndpointMemory memory, DirectAccesses direct) {
    super(gate.settings());
    reached = direct.reachedImplicitly();
    this.gate = gate;
    this.memory = memory;
  }

  /** Accesses that have not ended. Looking does not drive. */
  public int underWay() {
    return Math.max(0, left.get() - (ended.get() ? 0 : 1));
  }

  /**
   * Takes no further access, and completes in the endpoint's transmit queue when all have ended, as
   * {@link Completion.Accessed} without a peer or as {@link Completion.Failed}.
   *
   * @param context comes back in the completion; may be null
   * @return TRY_AGAIN if the queue has no slot; the region is still open then
   * @throws IllegalStateException if it has been ended
   */
  public Posted end(Object context) {
    requireOpen();
    if (!gate.reserve()) {
      return Posted.TRY_AGAIN;
    }
    if (!ended.compareAndSet(false, true)) {
      gate.release();
      requireOpen();
    }
    endBy(newEnd().telling(context, null));
    return Posted.POSTED;
  }

  /**
   * The same with a future. Waiting for it drives the domain's loop.
   *
   * @return fails with AGAIN if {@code endpoint.max-pending-futures} are under way; the region is
   *     still open then
   */
  public CompletionStage<Completion.Accessed> end() {
    return memory
        .futures()
        .startBy(
            listener -> {
              if (!ended.compareAndSet(false, true)) {
                requireOpen();
              }
              endBy(newEnd().telling(null, listener));
            });
  }

  private static MemoryOperation newEnd() {
    MemoryOperation access =
        new MemoryOperation(MemoryOperation.Kind.END, MemoryOperation.ALL_PEERS);
    access.internal();
    return access;
  }

  private void endBy(MemoryOperation newEnd) {
    end = newEnd;
    leave();
  }

  private void requireOpen() {
    if (ended.get()) {
      throw new IllegalStateException("the access region has ended, open another");
    }
  }

  @Override
  ReachedMemory reached() {
    requireOpen();
    return reached;
  }

  @Override
  Posted submit(MemoryOperation operation, SendOptions options, Object context) {
    requireOpen();
    operation.telling(null, each);
    operation.implicit();
    memory.require(operation);
    if (!enter()) {
      return Posted.TRY_AGAIN;
    }
    if (options == null || !options.immediate()) {
      memory.start(operation);
    } else if (!memory.startNow(operation)) {
      leave();
      return Posted.TRY_AGAIN;
    }
    return Posted.POSTED;
  }

  private boolean enter() {
    while (true) {
      int now = left.get();
      if (now == 0) {
        requireOpen();
      }
      if (now > MOST) {
        return false;
      }
      if (left.compareAndSet(now, now + 1)) {
        return true;
      }
    }
  }

  private void failed(Completion.Failed failure) {
    failures++;
    if (error == null) {
      error = failure.error();
      detail = failure.detail();
    }
  }

  private void leave() {
    if (left.decrementAndGet() == 0) {
      if (error != null) {
        end.endsWith(error, "failedAccesses=" + failures + ", the first: " + detail);
      }
      memory.start(end);
    }
  }
}
