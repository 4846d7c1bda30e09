package io.tagfabric.collective.schedule;

import io.tagfabric.annotation.InternalApi;

/** The memories a schedule speaks of; they are bound to real ones when it runs. */
@InternalApi
public enum Memory {
  /** What the caller contributes; only read. */
  INPUT,
  /** Where the caller wants the result; of a broadcast also where the root's data are. */
  OUTPUT,
  /** Memory of the run, undefined at its start. */
  SCRATCH;

  /** Part of this memory, in elements. */
  public Slice slice(int offset, int length) {
    return new Slice(this, offset, length);
  }
}
