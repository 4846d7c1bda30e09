package io.tagfabric.simulation.swarm;

import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.network.Link;
import io.tagfabric.simulation.network.SharedHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What happens to the nodes of a run and the links between them while faults are allowed. */
final class FaultTurns {
  private static final long MILLISECOND = 1_000_000L;
  private static final int LONG_FACTOR = 4;

  /** Who is unreachable for longer is given up, as by Akka's resolver of split brains. */
  private static final long STABLE_NS = 20_000 * MILLISECOND;

  /** Of the pauses that nobody is given up for; a new flow waits for longer. */
  private static final int LONGEST_PAUSE_MS = 12_000;

  private static final int DOWN_NEWS_US = 20_000;

  private final SeedRun run;
  private final Set<Node> downed = new HashSet<>();
  private long nextPauseNs;
  private boolean joining;

  FaultTurns(SeedRun run) {
    this.run = run;
    joining = run.mix().joinAtNs >= 0;
  }

  /** What may go wrong now does, or not. */
  void turn() {
    if (run.sites().fires(Site.SLOW)) {
      run.scheduler().jump(run.choices().below(2_000) * 1_000L);
    }
    if (run.sites().fires(Site.PAUSE)) {
      pause(pick());
    }
    if (run.sites().fires(Site.PARTITION)) {
      partition(List.of(pick()));
    }
    if (run.sites().fires(Site.HOLD)) {
      hold(pick(), pick());
    }
    if (run.sites().fires(Site.CRASH)) {
      crash(pick());
    }
    if (run.sites().fires(Site.CLOSE)) {
      close(pick());
    }
  }

  /** One of the endpoints closes. */
  void closeOne() {
    if (run.sites().areOn()) {
      close(pick());
    }
  }

  /** One of the nodes ends, and comes again while others may not have noticed. */
  void restartOne() {
    Node node = pick();
    if (run.sites().areOn() && crash(node)) {
      long afterNs = (1 + run.choices().below(200)) * MILLISECOND;
      run.scheduler().after(afterNs, () -> restart(node));
    }
  }

  private Node pick() {
    return run.nodes().get(run.choices().below(run.nodes().size()));
  }

  /** Short faults must not lose a peer, long ones may. */
  private long faultNs(boolean isLong) {
    return isLong
        ? LONG_FACTOR * Math.max(run.mix().flow.peerTimeoutNs(), run.mix().flow.connectTimeoutNs())
        : (1 + run.choices().below(100)) * MILLISECOND;
  }

  private boolean isLongFault() {
    return run.choices().below(8) == 7;
  }

  private void pause(Node node) {
    if (!node.isAlive() || node.simulated.isPaused()) {
      return;
    }
    if (run.cluster() != null) {
      standStill(node);
      return;
    }
    boolean isLong = isLongFault();
    if (isLong) {
      run.nodes().forEach(node::cutOffFrom);
    }
    run.trace()
        .note(70, node.number(), isLong ? 1 : 0, 0, () -> "FAULT   " + node + " stands still");
    node.simulated.pause();
    run.scheduler().after(faultNs(isLong), node.simulated::resume);
  }

  /**
   * A node of a cluster stands still, as by SIGSTOP or in a virtual machine that moves: for a
   * moment, for less or more than until it counts as unreachable, or until it is given up.
   */
  private void standStill(Node node) {
    long nowNs = run.scheduler().clock().nanoTime();
    if (nowNs < nextPauseNs) {
      return;
    }
    int kind = run.choices().below(8);
    boolean isFinal = kind > 5 && mayCrash(node) && upCount() > 2;
    long forNs =
        isFinal
            ? Cluster.SILENCE_NS + STABLE_NS + MILLISECOND * (1 + run.choices().below(5_000))
            : MILLISECOND * (1 + run.choices().below(kind == 0 ? 100 : LONGEST_PAUSE_MS));
    // One at a time: a flow that two of them hold up may wait for longer than it can.
    nextPauseNs = nowNs + forNs + LONGEST_PAUSE_MS * MILLISECOND;
    if (isFinal) {
      run.nodes().forEach(node::cutOffFrom); // a new flow does not wait for so long
    }
    run.trace()
        .note(
            70,
            node.number(),
            forNs,
            0,
            () -> "FAULT   " + node + " stands still for " + forNs / MILLISECOND + " ms");
    node.simulated.pause();
    if (forNs > Cluster.SILENCE_NS) {
      run.scheduler().after(Cluster.SILENCE_NS, () -> silent(node));
    }
    if (isFinal) {
      run.scheduler().after(Cluster.SILENCE_NS + STABLE_NS, () -> down(node));
    }
    run.scheduler().after(forNs, () -> goOn(node));
  }

  private void silent(Node node) {
    if (node.simulated.isPaused() && node.isAlive()) {
      node.unreachable = true;
      run.cluster().silent(node);
    }
  }

  private void down(Node node) {
    if (node.simulated.isPaused() && node.isAlive()) {
      run.trace().note(77, node.number(), 0, 0, () -> "FAULT   " + node + " is given up");
      run.probes().reach(Probe.DOWNED);
      downed.add(node);
      downedAreLost();
      run.cluster().down(node, DOWN_NEWS_US);
    }
  }

  /** Also to nodes that have come while they stood still. */
  private void downedAreLost() {
    downed.forEach(node -> run.nodes().forEach(node::cutOffFrom));
  }

  /** A node that has stood still goes on, and ends soon if it was given up meanwhile. */
  void goOn(Node node) {
    if (!node.isAlive()) {
      return;
    }
    node.simulated.resume();
    if (node.unreachable) {
      node.unreachable = false;
      if (downed.contains(node)) {
        run.scheduler().after(run.choices().below(2_000) * MILLISECOND, () -> end(node));
      } else {
        run.probes().reach(Probe.STOOD_STILL);
        run.cluster().heard(node);
      }
    }
  }

  /** The faults are over: all that stands still goes on, and who was given up ends. */
  void over() {
    downed.forEach(this::end);
    run.nodes().forEach(run.cluster() == null ? node -> node.simulated.resume() : this::goOn);
  }

  private void end(Node node) {
    if (node.isAlive()) {
      run.trace().note(73, node.number(), 0, 0, () -> "FAULT   " + node + " ends, as it must");
      run.trace().killed(node.number());
      run.fabric().crash(node.name());
    }
  }

  /** A rank whose node joins while others speak already. */
  void joinLate(int rank) {
    joining = false;
    if (!run.sites().areOn()) {
      return;
    }
    run.trace().note(78, rank, 0, 0, () -> "FAULT   rank-" + rank + " joins late");
    run.probes().reach(Probe.JOINED_LATE);
    Node node = run.add("rank-" + rank, rank);
    run.startLast();
    node.simulated.touch();
  }

  /** A node has joined: none stands still before all have heard of it. */
  void joined() {
    long heardNs = run.scheduler().clock().nanoTime() + (run.mix().noticeMs + 50) * MILLISECOND;
    nextPauseNs = Math.max(nextPauseNs, heardNs);
    downedAreLost();
  }

  /** Whether somebody is still to join. */
  boolean isJoining() {
    return joining;
  }

  private void partition(List<Node> side) {
    boolean isLong = isLongFault();
    List<Link> cut = new ArrayList<>();
    for (Node one : side) {
      for (Node other : run.nodes()) {
        if (!side.contains(other)) {
          if (isLong) {
            one.cutOffFrom(other);
          }
          cut.add(run.fabric().network().link(one.number(), other.number()));
          cut.add(run.fabric().network().link(other.number(), one.number()));
        }
      }
    }
    run.trace()
        .note(71, side.get(0).number(), isLong ? 1 : 0, 0, () -> "FAULT   " + side + " cut off");
    cut.forEach(Link::cut);
    run.scheduler().after(faultNs(isLong), () -> cut.forEach(Link::heal));
  }

  private void hold(Node from, Node to) {
    run.trace()
        .note(72, from.number(), to.number(), 0, () -> "FAULT   " + from + " -> " + to + " held");
    Link link = run.fabric().network().link(from.number(), to.number());
    link.hold();
    run.scheduler().after(faultNs(false), link::release);
  }

  private boolean mayCrash(Node node) {
    return node.isUp() && upCount() >= 2;
  }

  private long upCount() {
    return run.nodes().stream().filter(node -> node.isUp() && !downed.contains(node)).count();
  }

  /** Kills senders in the midst of what they write to the memory of others. */
  SharedHost.Killer killer() {
    return new SharedHost.Killer() {
      @Override
      public boolean mayKill(int node) {
        return mayCrash(run.nodes().get(node));
      }

      @Override
      public void kill(int node) {
        crash(run.nodes().get(node));
      }
    };
  }

  private boolean crash(Node node) {
    if (!mayCrash(node)) {
      return false;
    }
    run.trace().note(73, node.number(), 0, 0, () -> "FAULT   " + node + " has crashed");
    run.trace().killed(node.number());
    run.fabric().crash(node.name());
    if (run.cluster() != null) {
      run.cluster().down(node, 1 + run.mix().noticeMs * 1_000);
    }
    for (Node other : run.nodes()) {
      if (other.isAlive() && run.cluster() == null) {
        long afterNs = run.choices().below(1 + run.mix().noticeMs) * MILLISECOND;
        run.scheduler().after(afterNs, () -> other.noticeCrash(node));
      }
    }
    if (run.mix().restarts && run.sites().fires(Site.RESTART)) {
      run.scheduler().after(run.choices().below(100) * MILLISECOND, () -> restart(node));
    }
    return true;
  }

  private void restart(Node before) {
    if (run.isEnding() || !run.sites().areOn() || hasCome(before)) {
      return;
    }
    run.trace().note(74, before.number(), 0, 0, () -> "FAULT   " + before + " comes again");
    run.probes().reach(Probe.RESTARTED);
    Node node = run.add(before.name(), before.rank);
    run.fabric().network().succeed(before.number(), node.number());
    run.startLast();
    node.simulated.touch();
  }

  private boolean hasCome(Node before) {
    return run.nodes().stream()
        .anyMatch(node -> node.name().equals(before.name()) && node.number() > before.number());
  }

  private void close(Node node) {
    if (!node.isUp()
        || node.simulated.isPaused()
        || run.nodes().stream().filter(Node::isUp).count() < 2) {
      return;
    }
    run.trace().note(75, node.number(), 0, 0, () -> "FAULT   " + node + " closes");
    run.probes().reach(Probe.CLOSED_EARLY);
    node.closing = true;
    // Without patience it says goodbye while packets still wait for room.
    int patienceMs = run.choices().below(2) == 0 ? 0 : run.choices().below(50);
    node.simulated.endpoint().close(Duration.ofMillis(patienceMs));
    node.simulated.touch();
  }

  /** Something that was ordered happens. */
  void happen(SwarmOptions.Event event) {
    List<Node> hit = event.ranks().stream().map(run.nodes()::get).filter(Node::isAlive).toList();
    if (hit.isEmpty()) {
      return;
    }
    switch (event.site()) {
      case CRASH -> hit.forEach(this::crash);
      case PARTITION -> partition(hit);
      default -> throw new IllegalArgumentException("no event of " + event.site().label());
    }
  }
}
