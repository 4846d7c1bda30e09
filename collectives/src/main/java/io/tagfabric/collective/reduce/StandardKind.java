package io.tagfabric.collective.reduce;

import java.util.Locale;

/** The kinds that the usual operators combine. */
enum StandardKind implements ElementKind {
  INT8(1, Group.INTEGER),
  INT16(2, Group.INTEGER),
  INT32(4, Group.INTEGER),
  INT64(8, Group.INTEGER),
  UINT8(1, Group.UNSIGNED),
  UINT16(2, Group.UNSIGNED),
  UINT32(4, Group.UNSIGNED),
  UINT64(8, Group.UNSIGNED),
  FLOAT32(4, Group.FLOATING),
  FLOAT64(8, Group.FLOATING),
  /** One byte, 0 is false. */
  BOOLEAN(1, Group.LOGICAL),
  /** Bytes without meaning; only bitwise operators. */
  BYTES(1, Group.BITS),
  /** An INT32, then an INT32 that says where it is from. */
  INT32_AT(8, Group.LOCATED),
  /** An INT64, then an INT32 that says where it is from. */
  INT64_AT(12, Group.LOCATED),
  /** A FLOAT32, then an INT32 that says where it is from. */
  FLOAT32_AT(8, Group.LOCATED),
  /** A FLOAT64, then an INT32 that says where it is from. */
  FLOAT64_AT(12, Group.LOCATED);

  /** What can be done with elements. */
  enum Group {
    INTEGER,
    UNSIGNED,
    FLOATING,
    LOGICAL,
    BITS,
    LOCATED
  }

  private final int bytes;
  private final Group group;

  StandardKind(int bytes, Group group) {
    this.bytes = bytes;
    this.group = group;
  }

  @Override
  public int bytes() {
    return bytes;
  }

  @Override
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Group group() {
    return group;
  }
}
