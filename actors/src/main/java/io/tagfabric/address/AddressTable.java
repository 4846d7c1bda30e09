package io.tagfabric.address;

import io.tagfabric.annotation.InternalApi;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The peers of one domain: writers take turns, readers look at an immutable snapshot. An index is
 * never given out twice, so a completion that names a removed peer cannot mean another one.
 *
 * @source libfabric fi_av(3), FI_AV_TABLE
 */
@InternalApi
public final class AddressTable {
  /** In place of an index where there is none. */
  public static final int NOT_AVAILABLE = -1;

  private record Identity(long incarnation, int endpoint) {
    static Identity of(EndpointAddress address) {
      return new Identity(address.incarnation(), address.endpoint());
    }
  }

  private final Map<Identity, Integer> indices = new HashMap<>();
  private volatile AddressSnapshot snapshot = AddressSnapshot.EMPTY;

  /** Adds a peer, or finds the one that is there; returns its index. Thread: any. */
  public synchronized int insert(EndpointAddress address) {
    Objects.requireNonNull(address, "address");
    if (address.contexts() != null && !indices.containsKey(Identity.of(address))) {
      insertContexts(address.whole());
    }
    return add(address);
  }

  private int add(EndpointAddress address) {
    Integer known = indices.get(Identity.of(address));
    if (known != null) {
      return known;
    }
    int index = snapshot.limit();
    snapshot = snapshot.with(address);
    indices.put(Identity.of(address), index);
    return index;
  }

  /** Adds a scalable endpoint and its contexts. */
  private void insertContexts(EndpointAddress whole) {
    int index = add(whole);
    int[] contexts = new int[whole.contexts().count()];
    for (int i = 0; i < contexts.length; i++) {
      contexts[i] = add(whole.context(i));
    }
    snapshot = snapshot.withContexts(index, contexts);
  }

  /** Adds many peers with one new snapshot; returns their indices in order. Thread: any. */
  public synchronized int[] insertAll(List<EndpointAddress> addresses) {
    for (EndpointAddress address : addresses) {
      Objects.requireNonNull(address, "address"); // before any of them is inserted
    }
    int[] result = new int[addresses.size()];
    EndpointAddress[] added = new EndpointAddress[addresses.size()];
    int count = 0;
    for (int i = 0; i < result.length; i++) {
      if (addresses.get(i).contexts() != null) {
        snapshot = snapshot.with(Arrays.copyOf(added, count));
        count = 0;
        result[i] = insert(addresses.get(i));
        continue;
      }
      int next = snapshot.limit() + count;
      Integer known = indices.putIfAbsent(Identity.of(addresses.get(i)), next);
      if (known == null) {
        added[count++] = addresses.get(i);
      }
      result[i] = known == null ? next : known;
    }
    snapshot = snapshot.with(Arrays.copyOf(added, count));
    return result;
  }

  /**
   * Removes a peer; its index stays unused. A scalable endpoint goes with its contexts, whichever
   * of them is named.
   *
   * @return the address that was there, null if none was
   */
  public synchronized EndpointAddress remove(int peer) {
    EndpointAddress address = snapshot.lookup(peer);
    if (address != null) {
      int whole = snapshot.source(peer);
      for (int context : snapshot.contexts(whole)) {
        removeOne(context);
      }
      removeOne(whole);
    }
    return address;
  }

  private void removeOne(int peer) {
    indices.remove(Identity.of(snapshot.lookup(peer)));
    snapshot = snapshot.without(peer);
  }

  /** The peers now. Thread: any. */
  public AddressSnapshot snapshot() {
    return snapshot;
  }
}
