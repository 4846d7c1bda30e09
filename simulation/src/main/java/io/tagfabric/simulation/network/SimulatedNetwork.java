package io.tagfabric.simulation.network;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.choice.Sites;
import io.tagfabric.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The links between the nodes of one simulation, and the endpoints on them. Thread: the
 * simulation's.
 */
public final class SimulatedNetwork {
  private record Identity(long incarnation, int endpoint) {}

  private record Ends(int from, int to) {}

  private final Scheduler scheduler;
  private final Sites sites;
  private final NetworkWatcher watcher;
  private final Map<Identity, SimulatedWire> wires = new HashMap<>();
  private final Map<Ends, Link> links = new HashMap<>();
  private final List<SimulatedWire> open = new ArrayList<>();
  private final Map<Integer, SimulatedWire> byNode = new HashMap<>();
  private final SimulatedMemories memories = new SimulatedMemories();
  private final SharedHost host = new SharedHost();
  private final List<SharedRing> rings = new ArrayList<>();
  private int room = Integer.MAX_VALUE;

  /** A network whose faults are those of the sites. */
  public SimulatedNetwork(Scheduler scheduler, Sites sites, NetworkWatcher watcher) {
    this.scheduler = scheduler;
    this.sites = sites;
    this.watcher = watcher;
  }

  /** The way from one node to another, or to itself. */
  public Link link(int from, int to) {
    return links.computeIfAbsent(new Ends(from, to), ends -> new Link());
  }

  /** Gives a way up: what is under way is lost, and the next channels have another one. */
  void renew(int from, int to) {
    Link before = link(from, to);
    before.giveUp();
    Link next = new Link();
    next.latency(before.latencyNs(), before.jitterNs());
    links.put(new Ends(from, to), next);
  }

  /** How many packets a channel takes that have not arrived; it refuses more. */
  public void room(int packets) {
    room = packets;
  }

  /** Which nodes share memory; none unless told otherwise. */
  public SharedHost host() {
    return host;
  }

  /** What a node reaches of the memory of others. */
  public SharedMemory memoryOf(int node) {
    return new SimulatedSharedMemory(this, node);
  }

  /** Numbers the memory that a node shares. */
  int opened(SharedRing ring) {
    rings.add(ring);
    return rings.size() - 1;
  }

  /** The memory of a name, null if there is none. */
  SharedRing ringOf(String path) {
    for (SharedRing ring : rings) {
      if (ring.path().equals(path)) {
        return ring;
      }
    }
    return null;
  }

  /** Whether an open node may have taken an entry with this state. */
  boolean mayHaveTaken(int state) {
    return rings.stream().anyMatch(ring -> ring.isOwnerAlive() && ring.hasTaken(state));
  }

  /**
   * The node in whose ring another says that it still writes a record, although it does not.
   *
   * @param node the other one
   * @return -1 if there is none
   */
  public int forgottenClaim(int node) {
    for (SharedRing ring : rings) {
      int to = ring.wire().node() == node ? ring.forgottenClaim() : -1;
      if (to >= 0) {
        return to;
      }
    }
    return -1;
  }

  int room() {
    return room;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Sites sites() {
    return sites;
  }

  NetworkWatcher watcher() {
    return watcher;
  }

  SimulatedMemories memories() {
    return memories;
  }

  boolean areFaultsOn() {
    return sites.areOn();
  }

  boolean fires(Site site) {
    return sites.fires(site);
  }

  void opened(SimulatedWire wire, long incarnation, int endpoint) {
    wires.put(new Identity(incarnation, endpoint), wire);
    open.add(wire);
    byNode.put(wire.node(), wire);
  }

  void closed(SimulatedWire wire) {
    open.remove(wire);
    for (SimulatedWire other : List.copyOf(open)) {
      other.peerClosed(wire);
    }
  }

  SimulatedWire wireOf(EndpointAddress peer) {
    return wires.get(new Identity(peer.incarnation(), peer.endpoint()));
  }

  /** The wires of a node that are open. */
  public List<SimulatedWire> wiresOf(int node) {
    return open.stream().filter(wire -> wire.node() == node).toList();
  }

  /** A node is gone: what it has sent and has not arrived still may, nothing reaches it. */
  public void crash(int node) {
    for (SimulatedWire wire : wiresOf(node)) {
      wire.crash();
    }
  }

  /**
   * A node that has crashed comes again as another one, at the same place: over a network that is
   * not reliable, what is sent to the former one from now on comes to the latter.
   */
  public void succeed(int crashed, int successor) {
    byNode.get(crashed).succeededBy(byNode.get(successor));
  }

  /** Lets what waits on held or cut links go on. */
  public void healAll() {
    for (Link link : links.values()) {
      link.heal();
      link.release();
    }
  }

  /** Packets that are on their way. */
  public int underWay() {
    return open.stream().mapToInt(SimulatedWire::underWay).sum();
  }
}
