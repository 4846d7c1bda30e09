package io.tagfabric.fabric;

import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.provider.FabricMemory;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.ProviderUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.agrona.MutableDirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The fabric memory of one domain, within the budget of all. Thread: any. */
final class DomainMemories {
  private static final Logger LOG = LoggerFactory.getLogger(DomainMemories.class);

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

  /** Memory that a provider shares, the first that can; else memory of this JVM. */
  static FabricMemory shared(List<Provider> providers, Settings settings, int bytes) {
    for (Provider provider : providers) {
      try {
        Optional<FabricMemory> memory = provider.allocate(settings, bytes);
        if (memory.isPresent()) {
          return memory.get();
        }
      } catch (ProviderUnavailableException e) {
        LOG.warn("fabric memory is not shared by [{}]: {}", provider.name(), e.getMessage());
      }
    }
    return new PrivateMemory(bytes);
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
