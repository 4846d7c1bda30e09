package io.tagfabric.memory;

/** Whether an access lies in memory, whatever numbers a peer sends. */
final class Bounds {
  private Bounds() {}

  /** Whether {@code length} bytes from {@code offset} on lie in so many bytes; never overflows. */
  static boolean hold(long offset, long length, long bytes) {
    return offset >= 0 && length >= 0 && offset <= bytes && length <= bytes - offset;
  }
}
