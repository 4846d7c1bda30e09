package io.tagfabric.collective;

import io.tagfabric.access.Access;
import io.tagfabric.access.MemoryFutures;
import io.tagfabric.access.RemoteRegion;
import io.tagfabric.collective.reduce.Elements;
import io.tagfabric.collective.run.CollectiveCall;
import io.tagfabric.collective.run.Decision;
import io.tagfabric.complete.Completion;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.memory.AtomicKind;
import io.tagfabric.memory.AtomicOp;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What the members of a team have agreed to do with elements of one kind: {@link Team#atomics}
 * makes it. It refuses every other operation at the call, so that no member counts a word in one
 * way while another does in another. Which region a call names is the program's affair.
 *
 * <p>Updates are atomic against all accesses by peers, those outside the domain too.
 *
 * <p>Thread: any.
 *
 * @source GASNet-EX, gex_AD_Create and gex_AD_Op
 */
public final class AtomicsDomain implements AutoCloseable {
  private final Team team;
  private final AtomicKind kind;
  private final Set<AtomicOp> operations;
  private final AtomicBoolean closed;
  private final MemoryFutures memory;

  private AtomicsDomain(
      Team team,
      AtomicKind kind,
      Set<AtomicOp> operations,
      AtomicBoolean closed,
      MemoryFutures memory) {
    this.team = team;
    this.kind = kind;
    this.operations = operations;
    this.closed = closed;
    this.memory = memory;
  }

  static CompletionStage<AtomicsDomain> make(Team team, AtomicKind kind, Set<AtomicOp> operations) {
    if (operations.isEmpty()) {
      throw new IllegalArgumentException("operations=[] allow nothing, name one at least");
    }
    for (AtomicOp each : operations) {
      if (!each.takes(kind)) {
        throw new FabricException(
            FabricError.OPERATION_NOT_SUPPORTED,
            each + " of " + kind + " elements is not known, leave it out");
      }
    }
    long mask = 0;
    for (AtomicOp each : operations) {
      mask |= 1L << each.number();
    }
    Elements own = Elements.of(new long[] {kind.number(), mask});
    Elements all = Elements.of(new long[2 * team.size()]);
    return team.runner()
        .startForAll(CollectiveCall.allgather(own, all))
        .thenApply(
            agreed -> {
              requireSame(team, all.longs(), agreed);
              return new AtomicsDomain(
                  team,
                  kind,
                  Set.copyOf(operations),
                  new AtomicBoolean(),
                  team.endpoint().memory().futures());
            });
  }

  private static void requireSame(Team team, long[] all, Decision agreed) {
    for (int rank = 0; rank < team.size(); rank++) {
      if (agreed.lost().get(rank)) {
        throw failed(team, FabricError.CONNECTION_RESET, rank, "is gone");
      }
      if (all[2 * rank] != all[0] || all[2 * rank + 1] != all[1]) {
        throw failed(
            team,
            FabricError.INVALID,
            rank,
            "asks for "
                + text(all[2 * rank], all[2 * rank + 1])
                + " where rank 0 asks for "
                + text(all[0], all[1])
                + ", name the same everywhere");
      }
    }
  }

  private static FabricException failed(Team team, FabricError error, int rank, String what) {
    return new FabricException(error, "rank " + rank + " [" + team.address(rank) + "] " + what);
  }

  private static String text(long number, long mask) {
    Set<AtomicOp> named = EnumSet.noneOf(AtomicOp.class);
    for (AtomicOp each : AtomicOp.values()) {
      if ((mask >>> each.number() & 1) != 0) {
        named.add(each);
      }
    }
    for (AtomicKind each : AtomicKind.values()) {
      if (each.number() == number) {
        return named + " of " + each;
      }
    }
    return named + " of kind=" + number;
  }

  /** The team whose members have it. */
  public Team team() {
    return team;
  }

  /** The elements that it updates. */
  public AtomicKind kind() {
    return kind;
  }

  /** What may be done with them. */
  public Set<AtomicOp> operations() {
    return operations;
  }

  /**
   * The same domain, whose updates are accepted only if they can leave now, as {@link
   * MemoryFutures#now}. To close one is to close the other.
   */
  public AtomicsDomain now() {
    return new AtomicsDomain(team, kind, operations, closed, memory.now());
  }

  /**
   * Updates as many elements as a buffer has.
   *
   * @throws FabricException OPERATION_NOT_SUPPORTED if the members have not agreed on it; else as
   *     {@link io.tagfabric.access.MemoryOperations#update}
   * @throws IllegalStateException if this member has closed it
   */
  public CompletionStage<Completion.Accessed> update(
      RemoteRegion at, long offset, AtomicOp op, DirectBuffer operands) {
    return allowing(op).start(Access.update(at, offset, op, kind, operands));
  }

  /** The same, and tells what as many elements as the result has were before. */
  public CompletionStage<Completion.Accessed> fetch(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      DirectBuffer operands,
      MutableDirectBuffer result) {
    return allowing(op).start(Access.fetch(at, offset, op, kind, operands, result));
  }

  /** The same as a comparison says. */
  public CompletionStage<Completion.Accessed> compare(
      RemoteRegion at,
      long offset,
      AtomicOp op,
      DirectBuffer compares,
      DirectBuffer operands,
      MutableDirectBuffer result) {
    return allowing(op).start(Access.compare(at, offset, op, kind, compares, operands, result));
  }

  private MemoryFutures allowing(AtomicOp op) {
    if (closed.get()) {
      throw new IllegalStateException("the atomics domain is closed, make another");
    }
    if (!operations.contains(op)) {
      throw new FabricException(
          FabricError.OPERATION_NOT_SUPPORTED,
          op
              + " is none of operations="
              + EnumSet.copyOf(operations)
              + " of "
              + kind
              + " elements, on which the members have agreed");
    }
    return memory;
  }

  /**
   * Does no more updates of this member's. No call of the team, and no memory is closed.
   * Idempotent.
   */
  @Override
  public void close() {
    closed.set(true);
  }

  @Override
  public String toString() {
    return "AtomicsDomain[" + EnumSet.copyOf(operations) + " of " + kind + ", " + team + "]";
  }
}
