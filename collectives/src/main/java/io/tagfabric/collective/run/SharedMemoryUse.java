package io.tagfabric.collective.run;

import io.tagfabric.collective.host.SharedLayout;

/** Which teams meet in memory that the members' host shares. */
public enum SharedMemoryUse {
  /** None. */
  OFF,
  /** Those with members in several JVMs, some of them on one host. */
  BETWEEN_JVMS,
  /** Those inside one JVM, too, where they have no cell. */
  ALWAYS;

  boolean serves(Members members) {
    return this != OFF
        && members.hosts().most() > 1
        && members.hosts().most() <= SharedLayout.MOST_MEMBERS
        && (this == ALWAYS || !members.shareVm());
  }
}
