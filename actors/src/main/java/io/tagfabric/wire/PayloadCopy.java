package io.tagfabric.wire;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * How the memory of a packet wants long payloads written. Thread: the one that fills the packet.
 */
@FunctionalInterface
public interface PayloadCopy {
  /** Writes bytes as a processor writes them by itself. */
  PayloadCopy PLAIN =
      (from, fromIndex, to, toIndex, length) -> to.putBytes(toIndex, from, fromIndex, length);

  /** Copies {@code length} bytes; the two places must not overlap. */
  void copy(DirectBuffer from, int fromIndex, UnsafeBuffer to, int toIndex, int length);
}
