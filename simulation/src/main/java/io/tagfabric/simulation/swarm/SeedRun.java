package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.simulation.SimulatedFabric;
import io.tagfabric.simulation.SimulatedNode;
import io.tagfabric.simulation.choice.ChoiceRecord;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.choice.Sites;
import io.tagfabric.simulation.network.NetworkWatcher;
import io.tagfabric.simulation.world.Policy;
import io.tagfabric.simulation.world.Scheduler;
import io.tagfabric.simulation.world.SimulatedSystems;
import io.tagfabric.simulation.world.SimulationRecorder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One run: a job of random programs. First any faults while safety is checked, then the faults are
 * over and everything must come to its end within a bound of virtual time; then the endpoints
 * close, and nothing may be left.
 */
public final class SeedRun {
  private static final long SECOND = 1_000_000_000L;
  private static final int MOST_TURNS = 60_000;
  private static final long CHAOS_NS = 60 * SECOND;
  private static final int TURNS_PER_FAULT = 8;

  private final long seed;
  private final SwarmOptions options;
  private final SimulatedSystems lasting;
  private final Path directory;
  private final Choices choices;
  private final Sites sites;
  private final Probes probes = new Probes();
  private final PacketWatch packets = new PacketWatch(this);
  private final List<Node> nodes = new ArrayList<>();
  private final List<Member> members = new ArrayList<>();
  private final List<ActiveAsk> asks = new ArrayList<>();
  private SimulatedFabric fabric;
  private Mix mix;
  private SharedMix shared;
  private Trace trace;
  private Ledger ledger;
  private Collectives collectives;
  private FaultTurns faults;
  private StateChecks checks;

  /** Null if nobody says who is there. */
  private Cluster cluster;

  private Violation violation;
  private long events;
  private int messageNumber;
  private int receiveNumber;
  private long order;
  private boolean endpointsClosed;
  private EndpointSettings defaults;

  /**
   * A run.
   *
   * @param seed for reports
   * @param choices decide everything
   * @param systems whose ActorSystems it uses
   * @param directory where it is recorded, as its systems are; null for nowhere
   */
  public SeedRun(
      long seed, Choices choices, SwarmOptions options, SimulatedSystems systems, Path directory) {
    this.seed = seed;
    this.choices = choices;
    this.options = options;
    lasting = systems;
    this.directory = directory;
    sites = new Sites(choices);
  }

  /** Runs it. Never throws for what the run does wrong. */
  public Outcome run() {
    mix = new Mix(choices, sites, options);
    if (mix.theme != Theme.CLUSTER) {
      return run(lasting);
    }
    cluster = new Cluster(this);
    try (SimulatedSystems systems = lasting.withMembership(cluster::open)) {
      return run(systems);
    }
  }

  private Outcome run(SimulatedSystems systems) {
    shared = new SharedMix(choices, sites, mix, options);
    fabric = new SimulatedFabric(systems, choices, sites, packets, mix.reliable);
    trace =
        new Trace(
            fabric.scheduler(), SimulationRecorder.open(directory, fabric.scheduler().clock()));
    ledger = new Ledger(trace, probes, packets);
    faults = new FaultTurns(this);
    checks = new StateChecks(this);
    try {
      open();
      chaos();
      new Convergence(this).await();
      checks.requireState();
      if (mix.theme == Theme.REGIONS) {
        members.forEach(member -> member.accesses().requireBlocks());
      }
      if (shared.shares) {
        new MemoryTrial(this).run();
      }
      if (mix.exits) {
        new ExitTrial(this).run();
        check();
      }
      closeEndpoints();
      if (mix.theme == Theme.ROLL) {
        new RollTrial(this).run();
        check();
      }
    } catch (Violation found) {
      violate(found);
    } catch (RuntimeException | Error thrown) {
      violate(
          new Violation(
              Invariant.DEFECT,
              thrown
                  + " at "
                  + (thrown.getStackTrace().length > 0 ? thrown.getStackTrace()[0] : ""),
              thrown));
    }
    long turns = fabric.scheduler().turns();
    long virtualNs = fabric.scheduler().clock().elapsedNs();
    ChoiceRecord taken = choices.record();
    sites.off();
    endpointsClosed = true;
    try {
      fabric.close();
    } catch (RuntimeException thrown) {
      violate(new Violation(Invariant.DEFECT, "close of a domain: " + thrown, thrown));
    }
    trace.close();
    return new Outcome(
        seed,
        violation,
        turns,
        events + turns,
        virtualNs,
        fabric.scheduler().hash(),
        taken,
        mix.toString() + shared,
        sites.toString(),
        probes);
  }

  private void violate(Violation found) {
    if (violation == null) {
      violation = found;
      trace.say("VIOLATED " + found.invariant().label() + ": " + found.getMessage());
    }
  }

  /** Runs what the product would hide if it threw. */
  void guarded(Runnable check) {
    try {
      check.run();
    } catch (Violation found) {
      violate(found);
    } catch (RuntimeException thrown) {
      violate(new Violation(Invariant.DEFECT, thrown.toString(), thrown));
    }
  }

  /** After a turn. */
  void check() {
    checks.requireBetweenTurns();
    if (violation != null) {
      throw violation;
    }
  }

  // ---- parts, for members and checks ----

  Mix mix() {
    return mix;
  }

  Choices choices() {
    return choices;
  }

  Sites sites() {
    return sites;
  }

  SharedMemory memoryOf(Node node) {
    return fabric.network().memoryOf(node.number());
  }

  Scheduler scheduler() {
    return fabric.scheduler();
  }

  Trace trace() {
    return trace;
  }

  Ledger ledger() {
    return ledger;
  }

  Probes probes() {
    return probes;
  }

  Collectives collectives() {
    return collectives;
  }

  SimulatedFabric fabric() {
    return fabric;
  }

  /** All active requests that were made. */
  List<ActiveAsk> asks() {
    return asks;
  }

  List<Member> members() {
    return members;
  }

  Member memberOf(Node node) {
    return members.get(nodes.indexOf(node));
  }

  List<Node> nodes() {
    return nodes;
  }

  FaultTurns faults() {
    return faults;
  }

  /** Says who is there; null if nobody does. */
  Cluster cluster() {
    return cluster;
  }

  PacketWatch packets() {
    return packets;
  }

  /** As {@link #guarded}, where the product must not see that something is wrong. */
  void require(boolean holds, Invariant invariant, Supplier<String> what) {
    if (!holds) {
      violate(new Violation(invariant, what.get()));
    }
  }

  /** What a node has told another is not so: they may lose each other. */
  void lied(int from, int to) {
    probes.reach(Probe.LIED);
    nodes.get(from).liedTo(nodes.get(to));
    sites.arm(Site.LIE, 0); // one is enough
  }

  /** Whether the endpoints are closed, or will be now. */
  boolean isEnding() {
    return endpointsClosed;
  }

  /** The program of the node added last takes turns from now on. */
  void startLast() {
    fabric.scheduler().add(members.get(members.size() - 1));
  }

  int nextNumber() {
    return messageNumber++;
  }

  int nextReceive() {
    return receiveNumber++;
  }

  /** The place of what begins now among all that has begun. */
  long nextOrder() {
    return order++;
  }

  void onNetwork(NetworkWatcher.What what, int from, int to, int length, long sequence) {
    events++;
    trace.packet(what, from, to, length, sequence);
    probes.reachIf(what == NetworkWatcher.What.REFUSED, Probe.REFUSED);
    probes.reachIf(what == NetworkWatcher.What.INJECTED_ARRIVED, Probe.INJECTED);
    probes.reachIf(what == NetworkWatcher.What.BARE_ARRIVED, Probe.BARE);
    probes.reachIf(what == NetworkWatcher.What.FULL, Probe.RING_FULL);
    probes.reachIf(what == NetworkWatcher.What.HELD, Probe.RING_HELD);
    probes.reachIf(what == NetworkWatcher.What.KILLED, Probe.RING_KILLED);
    probes.reachIf(what == NetworkWatcher.What.REPAIRED, Probe.RING_REPAIRED);
  }

  void endpointClosed(Node node) {
    if (!node.closing && node.isAlive() && !endpointsClosed) {
      violate(new Violation(Invariant.DEFECT, "the endpoint of " + node + " has closed by itself"));
    }
  }

  /** The end of an operation without a context: a message that was injected and failed. */
  void silentEnd(Node node, CompletionEntry entry) {
    if (!entry.tagged()) {
      ledger.unnamedEnd(node, entry);
      return;
    }
    int number = Message.numberOf(entry.tag());
    for (Message message : ledger.messages) {
      if (message.silent
          && message.from == node
          && !message.hasEnded()
          && message.number == number) {
        ledger.ended(message, entry);
        return;
      }
    }
    violate(new Violation(Invariant.ONCE, "nobody waits for " + entry.toCompletion()));
  }

  // ---- the run ----

  private void open() {
    Scheduler scheduler = fabric.scheduler();
    scheduler.policy(mix.pct ? Policy.pct(choices, mix.pctEvery) : Policy.uniform(choices));
    fabric.network().room(mix.room);
    shared.apply(fabric.network().host(), faults.killer());
    fabric.handOver(mix.handOver);
    defaults = fabric.endpointDefaults();
    fabric.counting(mix.counting);
    sites.off();
    int last = options.ranks() - (mix.joinAtNs < 0 ? 1 : 2);
    for (int rank = 0; rank <= last; rank++) {
      add("rank-" + rank, rank);
    }
    collectives = new Collectives(this, List.copyOf(nodes), mix.collectives);
    sites.on();
    for (Member member : members) {
      scheduler.add(member);
    }
    if (mix.closeAtNs >= 0) {
      scheduler.after(mix.closeAtNs, faults::closeOne);
    }
    if (mix.restartAtNs >= 0) {
      scheduler.after(mix.restartAtNs, faults::restartOne);
    }
    if (mix.joinAtNs >= 0) {
      scheduler.after(mix.joinAtNs, () -> faults.joinLate(options.ranks() - 1));
    }
    for (SwarmOptions.Event event : options.events()) {
      long atNs = event.atNs() >= 0 ? event.atNs() : choices.below(20_000) * 1_000L;
      scheduler.after(atNs, () -> faults.happen(event));
    }
  }

  /** Opens a node whose program takes turns when the run has begun. */
  Node add(String name, int rank) {
    shared.place(fabric.network().host(), nodes.size(), rank);
    fabric.endpoints(mix.endpoint(defaults, rank), mix.queueCapacity);
    SimulatedNode simulated = fabric.open(name);
    Node node = new Node(simulated, rank);
    nodes.add(node);
    for (Node one : nodes) {
      fabric.network().link(one.number(), node.number()).latency(mix.latencyNs, mix.jitterNs);
      fabric.network().link(node.number(), one.number()).latency(mix.latencyNs, mix.jitterNs);
      if (one.isUp()) {
        one.learn(node);
      }
      if (one != node) {
        node.learn(one);
      }
      if (one.simulated.isPaused() && cluster == null) {
        node.cutOffFrom(one); // for longer than a new flow waits, perhaps
      }
    }
    if (cluster != null) {
      cluster.join(node);
      faults.joined();
    }
    members.add(new Member(this, node, options.operations()));
    return node;
  }

  private void chaos() {
    Scheduler scheduler = fabric.scheduler();
    long endNs = scheduler.clock().nanoTime() + CHAOS_NS;
    long first = scheduler.turns();
    while (!isChaosOver() && scheduler.turns() - first < MOST_TURNS) {
      if (!scheduler.turn(endNs)) {
        break;
      }
      check();
      if (scheduler.turns() % TURNS_PER_FAULT == 0) {
        faults.turn();
      }
    }
  }

  private boolean isChaosOver() {
    if (faults.isJoining()) {
      return false;
    }
    for (Member member : members) {
      if (!member.isDone() && member.node.isUp()) {
        return false;
      }
    }
    return true;
  }

  // ---- the end ----

  private void closeEndpoints() {
    collectives.close();
    List<CompletableFuture<Endpoint.Closed>> closing = new ArrayList<>();
    List<Node> up = nodes.stream().filter(Node::isAlive).toList();
    for (Node node : up) {
      node.closing = true;
      closing.add(node.simulated.endpoint().close(Duration.ofMillis(100)).toCompletableFuture());
      node.simulated.touch();
    }
    boolean closed =
        fabric.runUntil(
            () -> closing.stream().allMatch(CompletableFuture::isDone), Duration.ofMinutes(5));
    check();
    Violation.require(closed, Invariant.LIVENESS, "endpoints do not close");
    for (Member member : members) {
      if (member.node.isAlive()) {
        member.readAll();
      }
    }
    check();
    ledger.requireEnd();
    members.forEach(member -> member.triggers().requireEnd());
    if (mix.theme == Theme.REGIONS) {
      members.forEach(member -> member.accesses().requireEnd());
    }
    if (mix.theme == Theme.ACTIVE) {
      members.forEach(member -> member.active().requireEnd());
    }
    fabric.runUntilQuiet(Duration.ofMinutes(5));
    check();
    up.forEach(StateChecks::requireNothingLeft);
  }
}
