package io.tagfabric.provider.tcp.record;

import io.tagfabric.runtime.RandomSource;
import io.tagfabric.wire.MemoryKey;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;

/** The memory of this node that peers may write now. Thread: the domain's loop. */
public final class Places {
  private final RandomSource random;
  private final Long2ObjectHashMap<Place> places = new Long2ObjectHashMap<>();

  public Places(RandomSource random) {
    this.random = random;
  }

  /**
   * Names memory.
   *
   * @param writer of the connection that may write there
   * @param stream by which it knows a key of this node
   */
  public MemoryKey add(Placing writer, long stream, DirectBuffer buffer, int offset, int length) {
    long name;
    do {
      name = random.nextLong();
    } while (name == MemoryKey.NO_SEGMENT || places.containsKey(name));
    Place place = new Place(writer, buffer, offset, length);
    places.put(name, place);
    writer.count(place, 1);
    return new MemoryKey(name, 0, stream);
  }

  /** The place of a name, null if there is none that this connection may write. */
  public Place find(Placing writer, long name) {
    Place place = places.get(name);
    return place != null && place.writer() == writer ? place : null;
  }

  /** Ends a name. Returns its place, null if it had none. */
  public Place remove(MemoryKey own) {
    Place gone = places.remove(own.segment());
    if (gone != null) {
      gone.writer().count(gone, -1);
    }
    return gone;
  }

  /** Ends all that a connection may write. */
  public void removeAll(Placing writer) {
    places.values().removeIf(place -> place.writer() == writer);
  }
}
