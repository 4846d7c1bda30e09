package io.tagfabric.cluster.connect;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;

/**
 * Pairs of ranks that are connected. A connection serves both ways, and no rank needs one to
 * itself. Single writer.
 */
public final class Connections {
  private final int size;
  private final BitSet[] peers;

  /** No connections among a number of ranks. */
  public Connections(int size) {
    this.size = size;
    peers = new BitSet[size];
    for (int rank = 0; rank < size; rank++) {
      peers[rank] = new BitSet();
    }
  }

  /** Number of ranks. */
  public int size() {
    return size;
  }

  /** Adds a connection; one to itself is none. */
  public void add(int one, int other) {
    Objects.checkIndex(one, size);
    Objects.checkIndex(other, size);
    if (one != other) {
      peers[one].set(other);
      peers[other].set(one);
    }
  }

  /** Whether two ranks are connected. */
  public boolean has(int one, int other) {
    return peers[one].get(other);
  }

  /** The peers of a rank; a copy. */
  public BitSet of(int rank) {
    return (BitSet) peers[rank].clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Connections those && Arrays.equals(peers, those.peers);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(peers);
  }

  @Override
  public String toString() {
    return "Connections" + Arrays.toString(peers);
  }
}
