package io.tagfabric.simulation.network;

import io.tagfabric.error.FabricError;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Connections between the nodes of one simulation, as those of {@code tcp}: a node dials another
 * one for the first packet, in vain or not, and both have one connection for all their endpoints. A
 * connection that is cut goes on later where it was, or is given up by both sides. Thread: the
 * simulation's.
 */
public final class Dials {
  /** What can happen to a connection. */
  public enum What {
    /** It is open on the side of a node. */
    OPENED,
    /** A node has dialled in vain. */
    FAILED,
    /** A node whose dial was in vain has waited for its peer's, which was in vain too. */
    BOTH_FAILED,
    /** Nothing comes through. */
    CUT,
    /** All that was under way goes on. */
    RESUMED,
    /** What was under way is lost. */
    GIVEN_UP
  }

  /** Hears of connections. */
  public interface Listener {
    /** Something has happened to the connection of a node with a peer. */
    void on(What what, int node, int peer);
  }

  private static final long MS = 1_000_000L;

  /** A dial that nobody answers ends after this time. */
  private static final long SILENCE_NS = 2_000 * MS;

  /** A node that was dialled in vain is dialled again after this time. */
  private static final long RETRY_NS = 30_000 * MS;

  private static final int MOST_CUT_MS = 4_000;
  private static final int MOST_USE_MS = 1_000;

  private record Ends(int node, int peer) {}

  private final SimulatedNetwork network;
  private final Listener listener;
  private final Map<Ends, Side> sides = new HashMap<>();
  private final Map<Integer, List<DialledWire>> wires = new HashMap<>();

  /**
   * No connections yet.
   *
   * @param network reliable, and of these connections alone
   */
  public Dials(SimulatedNetwork network, Listener listener) {
    this.network = network;
    this.listener = listener;
  }

  /** What a node knows of its connection with a peer. */
  final class Side {
    private final Ends ends;
    private final long dialledAgainNs;
    private boolean opened;
    private boolean dials;

    /** Whether its dial was in vain, and its peer's may serve. */
    private boolean waits;

    private String closedBecause;
    private FabricError closedWith;

    private Side(Ends ends, long dialledAgainNs) {
      this.ends = ends;
      this.dialledAgainNs = dialledAgainNs;
    }

    boolean isOpen() {
      return opened && closedBecause == null;
    }

    String closedBecause() {
      return closedBecause;
    }

    FabricError closedWith() {
      return closedWith;
    }

    /** Whether the peer was dialled in vain a moment ago, and has not dialled since. */
    boolean isAvoided() {
      return !opened && !dials && now() < dialledAgainNs;
    }

    /** Begins to dial the peer, unless that is so already. */
    void dial() {
      if (dials || opened || closedBecause != null) {
        return;
      }
      dials = true;
      waits = false;
      if (network.fires(Site.DIAL_SILENT)) {
        network.scheduler().after(SILENCE_NS, () -> fail(this, "its host is silent"));
      } else if (network.fires(Site.DIAL_REFUSED)) {
        network.scheduler().after(wayNs(), () -> fail(this, "its host refuses"));
      } else {
        network.scheduler().after(wayNs(), () -> arrive(this));
      }
    }

    private Side other() {
      return side(/* node= */ ends.peer, /* peer= */ ends.node);
    }

    private Link link() {
      return network.link(ends.node, ends.peer);
    }

    private void open() {
      opened = true;
      listener.on(What.OPENED, ends.node, ends.peer);
      wiresOf(ends.node).forEach(DialledWire::connected);
    }

    private void close(String reason, FabricError error) {
      if (closedBecause == null) {
        closedBecause = reason;
        closedWith = error;
        sides.put(ends, new Side(ends, opened ? 0 : now() + RETRY_NS));
        wiresOf(ends.node).forEach(DialledWire::disconnected);
      }
    }
  }

  SimulatedNetwork network() {
    return network;
  }

  Side side(int node, int peer) {
    Ends ends = new Ends(node, peer);
    return sides.computeIfAbsent(ends, key -> new Side(key, 0));
  }

  void opened(DialledWire wire, int node) {
    wires.computeIfAbsent(node, key -> new ArrayList<>()).add(wire);
  }

  void closed(DialledWire wire, int node) {
    wiresOf(node).remove(wire);
  }

  private List<DialledWire> wiresOf(int node) {
    return wires.getOrDefault(node, List.of());
  }

  private Choices choices() {
    return network.scheduler().choices();
  }

  private long now() {
    return network.scheduler().clock().nanoTime();
  }

  private long wayNs() {
    return choices().below(20_000) * 1_000L;
  }

  // ---- a dial ----

  private void fail(Side side, String why) {
    Side other = side.other();
    if (side.opened || side.closedBecause != null || other.opened) {
      return;
    }
    side.dials = false;
    // Its peer's dial may serve: that is waited for if it has come so far already.
    if (other.dials && choices().below(2) != 0) {
      side.waits = true;
      if (choices().below(2) == 1) {
        network.scheduler().after(wayNs(), () -> fail(other, "nothing comes through"));
      }
      return;
    }
    listener.on(What.FAILED, side.ends.node, side.ends.peer);
    side.close("there is no connection, " + why, FabricError.HOST_UNREACHABLE);
    if (other.waits && other.closedBecause == null) {
      listener.on(What.BOTH_FAILED, other.ends.node, other.ends.peer);
      other.close("neither side's dial has brought a connection", FabricError.HOST_UNREACHABLE);
    }
  }

  /** A dial has come to the peer's node, where the connection is open first. */
  private void arrive(Side side) {
    Side other = side.other();
    if (side.closedBecause != null || side.opened || other.opened) {
      return;
    }
    if (network.wiresOf(side.ends.peer).isEmpty()) {
      fail(side, "nobody listens there");
      return;
    }
    if (network.wiresOf(side.ends.node).isEmpty()) {
      return;
    }
    other.link().hold();
    other.open();
    network
        .scheduler()
        .after(
            wayNs(),
            () -> {
              other.link().release();
              side.open();
              cutLater(side);
            });
  }

  // ---- a cut ----

  private void cutLater(Side side) {
    if (network.fires(Site.CONNECTION_CUT)) {
      network.scheduler().after(choices().below(MOST_USE_MS) * MS, () -> cut(side));
    }
  }

  private void cut(Side side) {
    Side other = side.other();
    if (!side.isOpen() || !other.isOpen() || !network.areFaultsOn()) {
      return;
    }
    side.link().hold();
    other.link().hold();
    listener.on(What.CUT, side.ends.node, side.ends.peer);
    long cutNs = choices().below(MOST_CUT_MS) * MS;
    if (network.fires(Site.CONNECTION_LOST)) {
      network.scheduler().after(cutNs, () -> giveUp(side, other));
    } else {
      network.scheduler().after(cutNs, () -> resume(side, other));
    }
  }

  private void resume(Side side, Side other) {
    side.link().release();
    other.link().release();
    listener.on(What.RESUMED, side.ends.node, side.ends.peer);
    cutLater(side);
  }

  /** One side is tired of waiting, and the other one hears of that when it dials. */
  private void giveUp(Side side, Side other) {
    boolean turned = choices().below(2) == 1;
    Side first = turned ? other : side;
    Side second = turned ? side : other;
    listener.on(What.GIVEN_UP, first.ends.node, first.ends.peer);
    network.renew(side.ends.node, side.ends.peer);
    network.renew(side.ends.peer, side.ends.node);
    first.close("its connection has broken, and was not made again", FabricError.TIMED_OUT);
    second.close("its connection has broken, and was not made again", FabricError.TIMED_OUT);
  }
}
