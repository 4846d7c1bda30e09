package io.tagfabric.memory;

import java.nio.ByteOrder;

/** The order of bytes on the wire, and in memory that is updated. */
final class Little {
  static final ByteOrder ENDIAN = ByteOrder.LITTLE_ENDIAN;

  private Little() {}
}
