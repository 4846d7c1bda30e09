package io.tagfabric.access;

import io.tagfabric.memory.MemoryTarget;
import java.util.function.Consumer;

/** A fill in parts, none of which holds the peer's loop up. */
record FillDivision(long bytes, byte value) implements Division {
  @Override
  public void forEach(MemoryOperation whole, Consumer<MemoryOperation> part) {
    for (long done = 0; done < bytes; ) {
      int length = (int) Math.min(MemoryTarget.MOST_FILLED_BYTES, bytes - done);
      MemoryOperation one = whole.part(whole.regionOffset() + done);
      one.fill(length, value);
      part.accept(one);
      done += length;
    }
  }
}
