package io.tagfabric.simulation.swarm;

import io.tagfabric.progress.HandOver;
import io.tagfabric.simulation.network.Headers;
import io.tagfabric.simulation.network.NetworkWatcher;
import io.tagfabric.wire.Packet;
import io.tagfabric.wire.PacketLayout;
import io.tagfabric.wire.sbe.PacketHeaderDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What must hold of the packets that one node sends another, whatever is in them: they leave in
 * their order, again not too often; those that come early are kept up to a number; a node that says
 * nothing is promised a part of the memory only; a lie about acknowledgements ends the flow.
 */
final class PacketWatch implements NetworkWatcher {
  private static final int IDLE_SHARE = 8;
  private static final long LEAST_IDLE_BYTES = 64 * 1024;

  /** What is known of the packets from one node to another. */
  private static final class Way {
    private long sent;
    private boolean refused;

    /** The latest packet that the channel had no room for. */
    private long waiting;

    private long grantedBytes;
    private boolean spoken;
    private final Map<Long, Long> sentAgainNs = new HashMap<>();
    private final List<Packet> kept = new ArrayList<>();
  }

  /** Two nodes. */
  private record Pair(int from, int to) {}

  private final SeedRun run;
  private final Map<Pair, Way> ways = new HashMap<>();
  private final Set<Pair> deceived = new HashSet<>();
  private final PacketHeaderDecoder header = new PacketHeaderDecoder();

  PacketWatch(SeedRun run) {
    this.run = run;
  }

  private Way way(int from, int to) {
    return ways.computeIfAbsent(new Pair(from, to), pair -> new Way());
  }

  /** Whether a node has sent another a packet of a flow, which therefore was open. */
  boolean hasSent(Node from, Node to) {
    return way(from.number(), to.number()).sent > 0;
  }

  /** Whether a node was told an acknowledgement of what it had never sent another. */
  boolean wasDeceived(Node by, Node node) {
    return deceived.contains(new Pair(by.number(), node.number()));
  }

  @Override
  public void onLane(Lane what, int from, int to) {
    run.probes()
        .reach(
            switch (what) {
              case TAKEN -> Probe.LANE_TAKEN;
              case INHERITED -> Probe.LANE_INHERITED;
              case NONE_FREE -> Probe.LANE_NONE_FREE;
              case ARRIVED -> Probe.LANE_READ;
              case FULL -> Probe.LANE_FULL;
              case WRAPPED -> Probe.LANE_WRAPPED;
              case KILLED -> Probe.LANE_KILLED;
            });
  }

  @Override
  public void on(What what, int from, int to, int lengthBytes, long sequence) {
    run.onNetwork(what, from, to, lengthBytes, sequence);
    switch (what) {
      case REFUSED -> {
        way(from, to).refused = true;
        way(from, to).waiting = sequence;
      }
      case INJECTED, BARE -> alone(way(from, to), from, to);
      case FORGED -> run.lied(from, to);
      default -> {}
    }
  }

  /** What goes without a packet overtakes none that waits for room. */
  private void alone(Way way, int from, int to) {
    way.spoken = true;
    run.require(
        way.waiting <= way.sent,
        Invariant.ORDER,
        () -> named(from, to) + ": what goes without a packet overtakes packet " + way.waiting);
  }

  @Override
  public void offered(int from, int to, Packet packet) {
    Way way = way(from, to);
    long sequence = packet.sequence();
    if (sequence > 0) {
      way.spoken = true;
      if (sequence > way.sent) {
        run.require(
            sequence == way.sent + 1,
            Invariant.ORDER,
            () -> named(from, to) + ": packet " + sequence + " left before " + (way.sent + 1));
        way.sent = sequence;
      } else {
        again(way, from, to, sequence);
      }
    }
    int lowBytes = Headers.read(header, packet.buffer()).grantedBytes();
    granted(way, from, to, way.grantedBytes + (lowBytes - (int) way.grantedBytes));
  }

  private void again(Way way, int from, int to, long sequence) {
    long nowNs = run.scheduler().clock().nanoTime();
    Long beforeNs = way.sentAgainNs.put(sequence, nowNs);
    long leastNs = run.mix().flow.pingNs();
    run.require(
        beforeNs == null || nowNs - beforeNs >= leastNs,
        Invariant.LOAD,
        () ->
            named(from, to)
                + ": packet "
                + sequence
                + " was sent again after "
                + (nowNs - beforeNs)
                + " ns, and once more before "
                + leastNs
                + " ns");
  }

  /** Once half of the memory is promised, those that have said nothing get a part only. */
  private void granted(Way way, int from, int to, long bytes) {
    long before = way.grantedBytes;
    if (bytes <= before) {
      return;
    }
    way.grantedBytes = bytes;
    long credit = run.mix().flow.eagerCreditBytes();
    long part = Math.min(credit, Math.max(credit / IDLE_SHARE, LEAST_IDLE_BYTES));
    // One that had no room is seen when it leaves, not when the promise was made.
    if (bytes <= part || way.refused || !isIdle(from, to)) {
      return;
    }
    long promised = before;
    for (Node other : run.nodes()) {
      if (other.number() != to && isIdle(from, other.number())) {
        promised += way(from, other.number()).grantedBytes;
      }
    }
    long sum = promised;
    long budget = run.mix().flow.unexpectedBudgetBytes();
    run.require(
        sum < budget - budget / 2,
        Invariant.BUDGET,
        () ->
            named(from, to)
                + " is promised "
                + bytes
                + " bytes although it has said nothing, and "
                + sum
                + " of "
                + budget
                + " bytes are promised to others that say nothing");
  }

  /** Whether a node is there, and has never sent another anything that counts. */
  private boolean isIdle(int node, int peer) {
    return !way(peer, node).spoken && !run.nodes().get(node).mayLose(run.nodes().get(peer));
  }

  @Override
  public void taken(int from, int to, Packet packet) {
    Headers.read(header, packet.buffer());
    if (header.flow() != PacketLayout.NO_FLOW && header.acknowledged() > way(to, from).sent) {
      deceived.add(new Pair(from, to));
    }
    // By mailboxes an endpoint holds every packet until it is its turn.
    if (run.mix().handOver == HandOver.CALL) {
      kept(way(from, to), from, to, packet);
    }
  }

  private void kept(Way way, int from, int to, Packet packet) {
    List<Packet> kept = way.kept;
    kept.removeIf(each -> each.holders() == 0);
    if (packet.holders() > 0) {
      kept.add(packet);
      int most = run.mix().flow.replayPackets();
      run.require(
          kept.size() <= most,
          Invariant.BUDGET,
          () -> named(from, to) + ": " + kept.size() + " early packets are kept, not " + most);
    }
  }

  private String named(int from, int to) {
    return run.nodes().get(from) + " to " + run.nodes().get(to);
  }
}
