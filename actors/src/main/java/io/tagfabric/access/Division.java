package io.tagfabric.access;

import java.util.function.Consumer;

/** How an access is done as several, one after the other. */
interface Division {
  /** Hands out the parts, in their order. */
  void forEach(MemoryOperation whole, Consumer<MemoryOperation> part);
}
