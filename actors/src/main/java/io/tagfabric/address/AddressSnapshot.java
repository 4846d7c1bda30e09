package io.tagfabric.address;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The peers of a domain at one moment, by index. Immutable. */
public final class AddressSnapshot {
  /** A scalable endpoint: its own index, and those of its contexts. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Scalable(int whole, int[] contexts, ContextAddresses addresses) {}

  static final AddressSnapshot EMPTY = new AddressSnapshot(new EndpointAddress[0], Map.of());

  private final EndpointAddress[] byIndex;

  /** By the index of the whole and of each context; empty with most programs. */
  private final Map<Integer, Scalable> scalable;

  private final boolean hasScalable;

  private AddressSnapshot(EndpointAddress[] byIndex, Map<Integer, Scalable> scalable) {
    this.byIndex = byIndex;
    this.scalable = scalable;
    hasScalable = !scalable.isEmpty();
  }

  /** What receives call the sender at an index: the whole endpoint, if it is a context of one. */
  public int source(int peer) {
    Scalable found = hasScalable ? scalable.get(peer) : null;
    return found == null ? peer : found.whole;
  }

  /**
   * Where a message to a peer goes: to the context that its tag chooses, if the peer is a whole
   * scalable endpoint; to the first context without a tag, or if tags choose none.
   *
   * @return -1 if the tag names a context that is not there
   */
  public int contextFor(int peer, boolean tagged, long tag) {
    Scalable found = hasScalable ? scalable.get(peer) : null;
    if (found == null || found.whole != peer) {
      return peer;
    }
    int number = tagged ? found.addresses.contextOf(tag) : 0;
    return number < found.contexts.length ? found.contexts[number] : -1;
  }

  /** Indices of the contexts of a whole scalable endpoint; empty if it is none. */
  public int[] contexts(int peer) {
    Scalable found = hasScalable ? scalable.get(peer) : null;
    return found == null || found.whole != peer ? new int[0] : found.contexts.clone();
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
    return new AddressSnapshot(longer, scalable);
  }

  /** With the contexts of a whole scalable endpoint, which are here. */
  AddressSnapshot withContexts(int whole, int[] contexts) {
    Map<Integer, Scalable> more = new HashMap<>(scalable);
    Scalable added = new Scalable(whole, contexts, byIndex[whole].contexts());
    more.put(whole, added);
    for (int context : contexts) {
      more.put(context, added);
    }
    return new AddressSnapshot(byIndex, more);
  }

  AddressSnapshot without(int peer) {
    EndpointAddress[] copy = byIndex.clone();
    copy[peer] = null;
    return new AddressSnapshot(copy, scalable);
  }
}
