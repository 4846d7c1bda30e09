package io.tagfabric.fabric;

import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of fabric memory that the domains of one ActorSystem may have at a time. Thread: any.
 *
 * @source GASNet ibv-conduit, GASNET_PHYSMEM_MAX
 */
final class MemoryBudget {
  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  /**
   * A budget.
   *
   * @param limit in bytes; 0 for none
   */
  MemoryBudget(long limit) {
    this.limit = limit;
  }

  /**
   * Takes bytes.
   *
   * @throws FabricException NO_MEMORY if they are more than what is left; then none are taken
   */
  void take(long bytes) {
    long before = taken.getAndUpdate(has -> fits(has, bytes) ? has + bytes : has);
    if (!fits(before, bytes)) {
      throw new FabricException(
          FabricError.NO_MEMORY,
          "fabric memory of bytes="
              + bytes
              + " does not fit into the budget: taken="
              + before
              + " of tagfabric.memory.budget="
              + limit
              + ", close what is not used, allocate less, or raise it");
    }
  }

  private boolean fits(long has, long bytes) {
    return limit == 0 || bytes <= limit - has;
  }

  void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  long taken() {
    return taken.get();
  }
}
