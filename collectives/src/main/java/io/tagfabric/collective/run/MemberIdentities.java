package io.tagfabric.collective.run;

import io.tagfabric.address.EndpointAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Who the members of a team are, wherever they are looked at from; equal for all of a team. To be
 * looked up by each of thousands of members, so it is hashed once. A value.
 */
final class MemberIdentities {
  private final long[] incarnationsAndEndpoints;
  private final int hash;

  private MemberIdentities(long[] incarnationsAndEndpoints) {
    this.incarnationsAndEndpoints = incarnationsAndEndpoints;
    hash = Arrays.hashCode(incarnationsAndEndpoints);
  }

  static MemberIdentities of(List<EndpointAddress> addresses) {
    long[] all = new long[2 * addresses.size()];
    for (int i = 0; i < addresses.size(); i++) {
      all[2 * i] = addresses.get(i).incarnation();
      all[2 * i + 1] = addresses.get(i).endpoint();
    }
    return new MemberIdentities(all);
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || other instanceof MemberIdentities identities
            && identities.hash == hash
            && Arrays.equals(identities.incarnationsAndEndpoints, incarnationsAndEndpoints);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return "MemberIdentities" + Arrays.toString(incarnationsAndEndpoints);
  }
}
