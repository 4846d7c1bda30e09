package io.tagfabric.simulation.network;

import java.util.HashMap;
import java.util.Map;

/**
 * Which nodes share memory, and how much of it. Thread: the simulation's.
 *
 * <p>A node without a host is alone.
 */
public final class SharedHost {
  /** Decides about the end of nodes that are in the midst of a claim. */
  public interface Killer {
    /** Whether a node may be killed now. */
    boolean mayKill(int node);

    /** It has made its last step. */
    void kill(int node);
  }

  private static final int RING_BYTES = 64 * 1024;
  private static final int LANE_BYTES = 64 * 1024;
  private static final int INLINE_BYTES = 4 * 1024;
  private static final int LEAST_LANE_BYTES = 128;
  private static final long REPAIR_NS = 10_000_000L;

  private final Map<Integer, Integer> hosts = new HashMap<>();
  private int ringBytes = RING_BYTES;
  private int lanes;
  private int laneBytes = LANE_BYTES;
  private int inlineBytes = INLINE_BYTES;
  private int slots = Integer.MAX_VALUE;
  private long repairNs = REPAIR_NS;
  private Killer killer =
      new Killer() {
        @Override
        public boolean mayKill(int node) {
          return false;
        }

        @Override
        public void kill(int node) {
          throw new IllegalStateException("node " + node + " must not be killed");
        }
      };

  /** Nodes share no memory. */
  SharedHost() {}

  /** A node, before it is opened, stands on a host; nodes of one host share memory. */
  public void place(int node, int host) {
    hosts.put(node, host);
  }

  /**
   * How much memory there is for nodes opened from now on.
   *
   * @param newRingBytes of each ring, a power of two
   * @param newInlineBytes packets up to here lie in a ring itself; a record has at most an eighth
   *     of it
   * @param newSlots how many longer packets a node lends to each peer at a time
   * @param newRepairNs how long a record may be open before a ring asks whose it is
   */
  public void sizes(int newRingBytes, int newInlineBytes, int newSlots, long newRepairNs) {
    ringBytes = newRingBytes;
    inlineBytes = newInlineBytes;
    slots = newSlots;
    repairNs = newRepairNs;
  }

  /**
   * How many lanes the memory of nodes opened from now on has, none unless told otherwise. So many
   * senders have one; the others share the ring.
   *
   * @param newLaneBytes of each, a power of two, at least {@value #LEAST_LANE_BYTES}
   */
  public void lanes(int newLanes, int newLaneBytes) {
    if (newLaneBytes < LEAST_LANE_BYTES) {
      throw new IllegalArgumentException(
          "lanes of " + newLaneBytes + " < " + LEAST_LANE_BYTES + " bytes take no record");
    }
    lanes = newLanes;
    laneBytes = newLaneBytes;
  }

  /** Who kills nodes. */
  public void killer(Killer newKiller) {
    killer = newKiller;
  }

  Killer killer() {
    return killer;
  }

  boolean has(int node) {
    return hosts.containsKey(node);
  }

  /** Whether two nodes, or a node and itself, reach each other's memory. */
  boolean share(int one, int other) {
    return has(one) && hosts.get(one).equals(hosts.get(other));
  }

  int ringBytes() {
    return ringBytes;
  }

  int lanes() {
    return lanes;
  }

  int laneBytes() {
    return laneBytes;
  }

  int inlineBytes() {
    return inlineBytes;
  }

  int slots() {
    return slots;
  }

  long repairNs() {
    return repairNs;
  }
}
