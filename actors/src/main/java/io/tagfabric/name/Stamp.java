package io.tagfabric.name;

import java.util.Comparator;

/**
 * When a name was claimed: by a logical clock that runs through all claims, then by node. Of two
 * claims the lesser stamp wins, on every node alike.
 *
 * @source L. Lamport, Time, Clocks, and the Ordering of Events, CACM 21 (1978)
 */
record Stamp(long time, Node node) implements Comparable<Stamp> {
  private static final Comparator<Stamp> ORDER =
      Comparator.comparingLong(Stamp::time)
          .thenComparing(stamp -> stamp.node().address())
          .thenComparingLong(stamp -> stamp.node().incarnation());

  @Override
  public int compareTo(Stamp other) {
    return ORDER.compare(this, other);
  }
}
