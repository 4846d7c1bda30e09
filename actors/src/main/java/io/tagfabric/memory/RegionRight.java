package io.tagfabric.memory;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/**
 * What may be done with a region of memory. An endpoint that accesses a region through itself, with
 * its own address as the peer, needs the local rights; any other endpoint needs the remote ones.
 *
 * @source libfabric fi_mr(3), access flags
 */
public enum RegionRight {
  /** The owner's endpoint may read it. */
  LOCAL_READ(1),
  /** The owner's endpoint may write and update it. */
  LOCAL_WRITE(2),
  /** Peers may read it. */
  REMOTE_READ(4),
  /** Peers may write and update it. */
  REMOTE_WRITE(8);

  private final int bit;

  RegionRight(int bit) {
    this.bit = bit;
  }

  /** All rights. */
  public static Set<RegionRight> all() {
    return EnumSet.allOf(RegionRight.class);
  }

  int bit() {
    return bit;
  }

  static int bits(Collection<RegionRight> rights) {
    int bits = 0;
    for (RegionRight right : rights) {
      bits |= right.bit();
    }
    return bits;
  }

  static Set<RegionRight> of(int bits) {
    Set<RegionRight> rights = EnumSet.noneOf(RegionRight.class);
    for (RegionRight right : values()) {
      if ((bits & right.bit()) != 0) {
        rights.add(right);
      }
    }
    return rights;
  }
}
