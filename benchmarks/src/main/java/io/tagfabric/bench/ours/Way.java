package io.tagfabric.bench.ours;

/** How messages are received and completed, other than by a receive and an entry for each. */
enum Way {
  /** A receive for each, and an entry for each. */
  PLAIN,
  /** Buffers that take many messages each. */
  MULTI,
  /** No entries: a counter counts. */
  COUNTED,
  /** Many endpoints with one pool of receives, beside as many that have their own. */
  SHARED
}
