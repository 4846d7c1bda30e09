package io.tagfabric.testkit;

import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.provider.faults.Links;
import java.util.ArrayList;
import java.util.List;

/**
 * What lies between the endpoints of a {@link TestFabric}. Faults are told by the names of
 * endpoints, and hold from the next packet on.
 *
 * <p>Endpoints send what was lost again, as over any provider that is not reliable: after {@link
 * #heal} or {@link #release} everything arrives, in order and once. Only if a peer has been silent
 * for {@code tagfabric.flow.peer-timeout} is it lost, with all operations that name it.
 *
 * <p>Thread: any; {@link #crash} and {@link #bounce} wait until it is done.
 */
public final class TestNetwork {
  private final TestFabric fabric;
  private final Links links;
  private double drop;
  private double duplicate;

  TestNetwork(TestFabric fabric, Links links) {
    this.fabric = fabric;
    this.links = links;
  }

  /** Keeps what two endpoints send each other until {@link #release}. */
  public void hold(String a, String b) {
    holdOneWay(a, b);
    holdOneWay(b, a);
  }

  /** Keeps what one endpoint sends to the other. */
  public void holdOneWay(String from, String to) {
    links.hold(fabric.end(from), fabric.end(to));
  }

  /** Lets go what {@link #hold} has kept, in its order. */
  public void release(String a, String b) {
    links.release(fabric.end(a), fabric.end(b));
    links.release(fabric.end(b), fabric.end(a));
  }

  /** Drops what two endpoints send each other until {@link #heal}. */
  public void partition(String a, String b) {
    partitionOneWay(a, b);
    partitionOneWay(b, a);
  }

  /** Drops what one endpoint sends to the other. */
  public void partitionOneWay(String from, String to) {
    links.cut(fabric.end(from), fabric.end(to));
  }

  /** Partitions each endpoint of one side from each of the other. */
  public void partition(List<String> side, List<String> otherSide) {
    side.forEach(a -> otherSide.forEach(b -> partition(a, b)));
  }

  /** Ends {@link #partition}. */
  public void heal(String a, String b) {
    links.heal(fabric.end(a), fabric.end(b));
    links.heal(fabric.end(b), fabric.end(a));
  }

  /** Ends all partitions and holds. */
  public void heal() {
    List<String> names = fabric.names();
    for (String a : names) {
      for (String b : names) {
        links.heal(fabric.end(a), fabric.end(b));
        links.release(fabric.end(a), fabric.end(b));
      }
    }
  }

  /**
   * Drops a share of all packets.
   *
   * @param share from 0 to 1; which packets it meets follows from the seed
   * @throws IllegalArgumentException if it is no share, or more than 1 with {@link #duplicate}
   */
  public synchronized void drop(double share) {
    links.rates(share, duplicate);
    drop = share;
  }

  /**
   * Lets a share of all packets arrive twice.
   *
   * @param share as in {@link #drop}
   */
  public synchronized void duplicate(double share) {
    links.rates(drop, share);
    duplicate = share;
  }

  /**
   * Ends an endpoint as the end of its process does: it says no goodbye, and nothing that is under
   * way arrives. Its own operations end with CANCELED. Peers that can reach it notice at once: what
   * names it ends with CONNECTION_RESET. Peers that are partitioned from it do not notice. Takes
   * 200 ms of virtual time.
   */
  public void crash(String name) {
    links.crash(fabric.end(name));
    fabric.closeCrashed(name);
  }

  /**
   * Crashes an endpoint, unless it has crashed, and opens another in its place, as a restart of its
   * process does. It has another address, so peers have to insert it: {@link TestFabric#peer} does.
   *
   * @return the new one, from now on {@link TestFabric#endpoint} of that name
   */
  public Endpoint bounce(String name) {
    if (!fabric.hasCrashed(name)) {
      crash(name);
    }
    return fabric.reopen(name);
  }

  /** How many packets from one endpoint to the other are held now. */
  public int heldPackets(String from, String to) {
    return links.heldPackets(fabric.end(from), fabric.end(to));
  }

  /** What is not as usual, a line for each way; for texts of failures. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (String from : fabric.names()) {
      if (fabric.hasCrashed(from)) {
        faults.add(from + " has crashed");
      }
      for (String to : fabric.names()) {
        if (links.isHeld(fabric.end(from), fabric.end(to))) {
          faults.add(from + " -> " + to + " is held, packets=" + heldPackets(from, to));
        } else if (!fabric.hasCrashed(from)
            && !fabric.hasCrashed(to)
            && links.isCut(fabric.end(from), fabric.end(to))) {
          faults.add(from + " -> " + to + " is partitioned");
        }
      }
    }
    synchronized (this) {
      if (drop > 0 || duplicate > 0) {
        faults.add("drop=" + drop + ", duplicate=" + duplicate + " of all packets");
      }
    }
    return faults;
  }

  /** Whether packets of a way arrive, sooner or later. */
  boolean isOpen(String from, String to) {
    return !links.isHeld(fabric.end(from), fabric.end(to))
        && !links.isCut(fabric.end(from), fabric.end(to));
  }
}
