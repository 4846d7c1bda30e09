package io.tagfabric.address;

import java.util.Arrays;

/** The peers of a domain at one moment, by index. Immutable. */
public final class AddressSnapshot {
  static final AddressSnapshot EMPTY = new AddressSnapshot(new EndpointAddress[0]);

  private final EndpointAddress[] byIndex;

  private AddressSnapshot(EndpointAddress[] byIndex) {
    this.byIndex = byIndex;
  }

  /** The address at an index, null if it was never set or has been removed. */
  public EndpointAddress lookup(int peer) {
    return peer >= 0 && peer < byIndex.length ? byIndex[peer] : null;
  }

  /** Index of an endpoint, -1 if it is not here. */
  public int indexOf(EndpointAddress address) {
    for (int i = 0; i < byIndex.length; i++) {
      if (byIndex[i] != null && byIndex[i].isSameEndpoint(address)) {
        return i;
      }
    }
    return -1;
  }

  /** One more than the highest index ever given out. */
  public int limit() {
    return byIndex.length;
  }

  AddressSnapshot with(EndpointAddress... added) {
    EndpointAddress[] longer = Arrays.copyOf(byIndex, byIndex.length + added.length);
    System.arraycopy(added, 0, longer, byIndex.length, added.length);
    return new AddressSnapshot(longer);
  }

  AddressSnapshot without(int peer) {
    EndpointAddress[] copy = byIndex.clone();
    copy[peer] = null;
    return new AddressSnapshot(copy);
  }
}
