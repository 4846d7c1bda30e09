package io.tagfabric.fabric;

import io.tagfabric.provider.FabricMemory;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.agrona.MutableDirectBuffer;

/** The fabric memory of one domain, within the budget of all. Thread: any. */
final class DomainMemories {
  private final MemoryBudget budget;
  private final Set<Counted> open = ConcurrentHashMap.newKeySet();

  DomainMemories(MemoryBudget budget) {
    this.budget = budget;
  }

  /**
   * Memory that goes back into the budget when it is closed.
   *
   * @param source runs if the bytes are within it
   */
  FabricMemory allocate(int bytes, Supplier<FabricMemory> source) {
    budget.take(bytes);
    Counted counted;
    try {
      counted = new Counted(source.get(), bytes);
    } catch (RuntimeException | Error e) {
      budget.giveBack(bytes);
      throw e;
    }
    open.add(counted);
    return counted;
  }

  void closeAll() {
    open.forEach(FabricMemory::close);
  }

  /** Compared by identity. */
  private final class Counted implements FabricMemory {
    private final FabricMemory memory;
    private final int bytes;

    private Counted(FabricMemory memory, int bytes) {
      this.memory = memory;
      this.bytes = bytes;
    }

    @Override
    public MutableDirectBuffer buffer() {
      return memory.buffer();
    }

    @Override
    public Optional<String> sharedBy() {
      return memory.sharedBy();
    }

    @Override
    public void close() {
      memory.close();
      if (open.remove(this)) {
        budget.giveBack(bytes);
      }
    }
  }
}
