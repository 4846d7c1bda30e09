package io.tagfabric.access;

import io.tagfabric.memory.RegionDescriptor;
import java.util.Objects;

/**
 * A region of a peer: what each access to it names. A program makes one for each region that it
 * accesses and keeps it.
 *
 * @param peer index in the domain's address vector
 * @param descriptor of the region, which the peer has given out
 */
public record RemoteRegion(int peer, RegionDescriptor descriptor) {
  /** Requires a descriptor. */
  public RemoteRegion {
    Objects.requireNonNull(descriptor, "descriptor");
  }
}
