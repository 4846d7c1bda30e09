package io.tagfabric.actor;

import io.tagfabric.actor.RefMessage.RefLookup;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Questions for actors by name that a peer has not answered. Guarded by the road's lock. */
final class RoadLookups {
  /** One by its number; complete it without the lock. */
  private record Lookup(String name, String type, CompletableFuture<String> path) {}

  private final Map<Long, Lookup> lookups = new LinkedHashMap<>();
  private long last;

  boolean isEmpty() {
    return lookups.isEmpty();
  }

  /** Enters a question. */
  RefLookup enter(String name, Class<?> messages, CompletableFuture<String> path) {
    Lookup lookup = new Lookup(name, messages.getName(), path);
    lookups.put(++last, lookup);
    return new RefLookup(last, lookup.name, lookup.type);
  }

  /** Gives out all questions, for a peer that has just been reached. */
  void forEach(Consumer<RefLookup> action) {
    lookups.forEach(
        (number, lookup) -> action.accept(new RefLookup(number, lookup.name, lookup.type)));
  }

  /** Takes a question out; null if there is none of the number. */
  CompletableFuture<String> take(long number) {
    Lookup lookup = lookups.remove(number);
    return lookup == null ? null : lookup.path;
  }

  /** Fails all. */
  void fail(FabricError error, String detail) {
    List<Lookup> all = List.copyOf(lookups.values());
    lookups.clear();
    all.forEach(each -> each.path.completeExceptionally(new FabricException(error, detail)));
  }
}
