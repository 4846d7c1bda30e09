package io.tagfabric.collective.schedule;

import io.tagfabric.annotation.InternalApi;

/**
 * Elements that lie side by side in one memory.
 *
 * @param memory which one
 * @param offset the first element
 * @param length number of elements, may be 0
 */
@InternalApi
public record Slice(Memory memory, int offset, int length) {
  public Slice {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(
          "offset=" + offset + " length=" + length + " of a slice of " + memory + " are not >= 0");
    }
  }

  /** A part of this slice; its offset counts from this slice's start. */
  public Slice part(int from, int partLength) {
    if (from + partLength > length) {
      throw new IllegalArgumentException(
          "from=" + from + " partLength=" + partLength + " > length=" + length);
    }
    return new Slice(memory, offset + from, partLength);
  }
}
