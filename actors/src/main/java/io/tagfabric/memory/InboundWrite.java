package io.tagfabric.memory;

import io.tagfabric.wire.FrameOrigin;

/** A write of several frames that is coming; a flow has at most one. Used again and again. */
final class InboundWrite {
  FrameOrigin origin;

  /** Null if it was refused, and its bytes are dropped. */
  Region region;

  long operation;
  long key;
  long offset;
  long total;
  long data;
  int flags;
  long filled;

  /** Whether its bytes are pieces. */
  boolean sliced;

  final SlicedWrite slices = new SlicedWrite();
}
