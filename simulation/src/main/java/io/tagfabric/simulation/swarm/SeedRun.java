package io.tagfabric.simulation.swarm;

import io.tagfabric.complete.CompletionEntry;
import io.tagfabric.complete.CompletionRing;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.endpoint.EndpointSettings;
import io.tagfabric.flow.FlowCounters;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.simulation.SimulatedFabric;
import io.tagfabric.simulation.SimulatedNode;
import io.tagfabric.simulation.choice.ChoiceRecord;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.choice.Sites;
import io.tagfabric.simulation.network.Link;
import io.tagfabric.simulation.network.NetworkWatcher;
import io.tagfabric.simulation.network.SharedHost;
import io.tagfabric.simulation.world.Policy;
import io.tagfabric.simulation.world.Scheduler;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * One run: a job of random programs. First any faults while safety is checked, then the faults are
 * over and everything must come to its end within a bound of virtual time; then the endpoints
 * close, and nothing may be left.
 */
public final class SeedRun {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLISECOND = 1_000_000L;
  private static final int MOST_TURNS = 60_000;
  private static final long CHAOS_NS = 60 * SECOND;
  private static final long CONVERGE_NS = 300 * SECOND;
  private static final int TURNS_PER_FAULT = 8;
  private static final int LONG_FACTOR = 4;

  private final long seed;
  private final SwarmOptions options;
  private final SimulatedSystems systems;
  private final boolean traced;
  private final Choices choices;
  private final Sites sites;
  private final Probes probes = new Probes();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Member> members = new ArrayList<>();
  private SimulatedFabric fabric;
  private Mix mix;
  private SharedMix shared;
  private Trace trace;
  private Ledger ledger;
  private Collectives collectives;
  private Violation violation;
  private long events;
  private int messageNumber;
  private int receiveNumber;
  private boolean endpointsClosed;

  /**
   * A run.
   *
   * @param seed for reports
   * @param choices decide everything
   * @param systems whose ActorSystems it uses
   * @param traced whether to keep lines for people
   */
  public SeedRun(
      long seed, Choices choices, SwarmOptions options, SimulatedSystems systems, boolean traced) {
    this.seed = seed;
    this.choices = choices;
    this.options = options;
    this.systems = systems;
    this.traced = traced;
    sites = new Sites(choices);
  }

  /** Runs it. Never throws for what the run does wrong. */
  public Outcome run() {
    mix = new Mix(choices, sites, options);
    shared = new SharedMix(choices, sites, mix.reliable, options);
    fabric = new SimulatedFabric(systems, choices, sites, this::onNetwork, mix.reliable);
    trace = new Trace(fabric.scheduler(), traced);
    ledger = new Ledger(trace, probes);
    try {
      open();
      chaos();
      converge();
      checkState();
      if (shared.shares) {
        new MemoryTrial(this).run();
      }
      if (mix.exits) {
        new ExitTrial(this).run();
        check();
      }
      closeEndpoints();
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
        trace.lines(),
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

  private void check() {
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

  List<Node> nodes() {
    return nodes;
  }

  int nextNumber() {
    return messageNumber++;
  }

  int nextReceive() {
    return receiveNumber++;
  }

  boolean expectsMessage(Node node) {
    return node.expected > 0;
  }

  private void onNetwork(NetworkWatcher.What what, int from, int to, int length, long sequence) {
    events++;
    trace.note(
        what.name().hashCode(),
        from,
        to,
        length,
        () -> "packet  " + from + " -> " + to + " " + what + " " + length + " bytes");
    probes.reachIf(what == NetworkWatcher.What.REFUSED, Probe.REFUSED);
    probes.reachIf(what == NetworkWatcher.What.INJECTED_ARRIVED, Probe.INJECTED);
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
    shared.apply(fabric.network().host(), killer());
    fabric.handOver(mix.handOver);
    EndpointSettings settings = fabric.endpointDefaults().withFlow(mix.flow);
    fabric.endpoints(settings, mix.queueCapacity);
    sites.off();
    for (int rank = 0; rank < options.ranks(); rank++) {
      add("rank-" + rank, rank);
    }
    collectives = new Collectives(this, List.copyOf(nodes), mix.collectives);
    sites.on();
    for (Member member : members) {
      scheduler.add(member);
    }
    for (SwarmOptions.Event event : options.events()) {
      long atNs = event.atNs() >= 0 ? event.atNs() : choices.below(20_000) * 1_000L;
      scheduler.after(atNs, () -> happen(event));
    }
  }

  private Node add(String name, int rank) {
    shared.place(fabric.network().host(), nodes.size(), rank);
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
      if (one.simulated.isPaused()) {
        node.cutOffFrom(one); // for longer than a new flow waits, perhaps
      }
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
        faults();
      }
    }
  }

  private boolean isChaosOver() {
    for (Member member : members) {
      if (!member.isDone() && member.node.isUp()) {
        return false;
      }
    }
    return true;
  }

  private void faults() {
    if (sites.fires(Site.SLOW)) {
      fabric.scheduler().jump(choices.below(2_000) * 1_000L);
    }
    if (sites.fires(Site.PAUSE)) {
      pause(pick());
    }
    if (sites.fires(Site.PARTITION)) {
      partition(List.of(pick()));
    }
    if (sites.fires(Site.HOLD)) {
      hold(pick(), pick());
    }
    if (sites.fires(Site.CRASH)) {
      crash(pick());
    }
    if (sites.fires(Site.CLOSE)) {
      close(pick());
    }
  }

  private Node pick() {
    return nodes.get(choices.below(nodes.size()));
  }

  /** Short faults must not lose a peer, long ones may. */
  private long faultNs(boolean isLong) {
    return isLong
        ? LONG_FACTOR * Math.max(mix.flow.peerTimeoutNs(), mix.flow.connectTimeoutNs())
        : (1 + choices.below(100)) * MILLISECOND;
  }

  private boolean isLongFault() {
    return choices.below(8) == 7;
  }

  private void pause(Node node) {
    if (!node.isAlive() || node.simulated.isPaused()) {
      return;
    }
    boolean isLong = isLongFault();
    if (isLong) {
      nodes.forEach(node::cutOffFrom);
    }
    trace.note(70, node.number(), isLong ? 1 : 0, 0, () -> "FAULT   " + node + " stands still");
    node.simulated.pause();
    fabric.scheduler().after(faultNs(isLong), node.simulated::resume);
  }

  private void partition(List<Node> side) {
    boolean isLong = isLongFault();
    List<Link> cut = new ArrayList<>();
    for (Node one : side) {
      for (Node other : nodes) {
        if (!side.contains(other)) {
          if (isLong) {
            one.cutOffFrom(other);
          }
          cut.add(fabric.network().link(one.number(), other.number()));
          cut.add(fabric.network().link(other.number(), one.number()));
        }
      }
    }
    trace.note(71, side.get(0).number(), isLong ? 1 : 0, 0, () -> "FAULT   " + side + " cut off");
    cut.forEach(Link::cut);
    fabric.scheduler().after(faultNs(isLong), () -> cut.forEach(Link::heal));
  }

  private void hold(Node from, Node to) {
    trace.note(72, from.number(), to.number(), 0, () -> "FAULT   " + from + " -> " + to + " held");
    Link link = fabric.network().link(from.number(), to.number());
    link.hold();
    fabric.scheduler().after(faultNs(false), link::release);
  }

  private boolean mayCrash(Node node) {
    return node.isUp() && nodes.stream().filter(Node::isUp).count() >= 2;
  }

  private SharedHost.Killer killer() {
    return new SharedHost.Killer() {
      @Override
      public boolean mayKill(int node) {
        return mayCrash(nodes.get(node));
      }

      @Override
      public void kill(int node) {
        crash(nodes.get(node));
      }
    };
  }

  private void crash(Node node) {
    if (!mayCrash(node)) {
      return;
    }
    trace.note(73, node.number(), 0, 0, () -> "FAULT   " + node + " has crashed");
    fabric.crash(node.name());
    for (Node other : nodes) {
      if (other.isAlive()) {
        long afterNs = choices.below(1 + mix.noticeMs) * MILLISECOND;
        fabric.scheduler().after(afterNs, () -> other.noticeCrash(node));
      }
    }
    if (mix.restarts && sites.fires(Site.RESTART)) {
      fabric.scheduler().after(choices.below(100) * MILLISECOND, () -> restart(node));
    }
  }

  private void restart(Node before) {
    if (endpointsClosed || !sites.areOn()) {
      return;
    }
    trace.note(74, before.number(), 0, 0, () -> "FAULT   " + before + " comes again");
    probes.reach(Probe.RESTARTED);
    Node node = add(before.name(), before.rank);
    fabric.scheduler().add(members.get(members.size() - 1));
    node.simulated.touch();
  }

  private void close(Node node) {
    if (!node.isUp()
        || node.simulated.isPaused()
        || nodes.stream().filter(Node::isUp).count() < 2) {
      return;
    }
    trace.note(75, node.number(), 0, 0, () -> "FAULT   " + node + " closes");
    probes.reach(Probe.CLOSED_EARLY);
    node.closing = true;
    node.simulated.endpoint().close(Duration.ofMillis(choices.below(50)));
    node.simulated.touch();
  }

  private void happen(SwarmOptions.Event event) {
    List<Node> hit = event.ranks().stream().map(nodes::get).filter(Node::isAlive).toList();
    if (hit.isEmpty()) {
      return;
    }
    switch (event.site()) {
      case CRASH -> hit.forEach(this::crash);
      case PARTITION -> partition(hit);
      default -> throw new IllegalArgumentException("no event of " + event.site().label());
    }
  }

  // ---- the core must come to its end ----

  private void converge() {
    trace.say("faults are over");
    sites.off();
    fabric.network().healAll();
    for (Node node : nodes) {
      node.simulated.resume();
      node.simulated.touch();
    }
    members.forEach(Member::drain);
    boolean crashed = nodes.stream().anyMatch(node -> !node.isAlive());
    await(this::isConverged, "operations");
    if (crashed && nodes.stream().noneMatch(node -> node.closing || node.wasCutOff())) {
      collectives.recover();
      await(this::isConverged, "agreement");
    }
    boolean quiet =
        fabric.scheduler().runUntilQuiet(fabric.scheduler().clock().nanoTime() + CONVERGE_NS);
    check();
    if (!quiet) {
      throw new Violation(
          Invariant.LIVENESS, "all has ended, but something still moves: " + moving());
    }
  }

  private void await(BooleanSupplier condition, String what) {
    Scheduler scheduler = fabric.scheduler();
    long limitNs = scheduler.clock().nanoTime() + CONVERGE_NS;
    int turns = 0;
    while (true) {
      boolean moved = scheduler.turn(limitNs);
      check();
      if ((!moved || ++turns % 16 == 0) && condition.getAsBoolean()) {
        return;
      }
      // Looking at the condition may have begun something.
      moved = moved || scheduler.turn(limitNs);
      if (!moved || scheduler.clock().nanoTime() >= limitNs || turns > 2 * MOST_TURNS) {
        throw new Violation(
            Invariant.LIVENESS, what + " do not end although the faults are over: " + unfinished());
      }
    }
  }

  private boolean isConverged() {
    boolean finished = true;
    for (Node node : nodes) {
      finished &= !node.isUp() || collectives.finish(node);
    }
    if (!finished) {
      return false;
    }
    for (Message message : ledger.messages) {
      if (isWaitedFor(message)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWaitedFor(Message message) {
    if (!message.from.isUp()) {
      return false;
    }
    return (!message.hasEnded() && !message.silent)
        || (!message.failed && message.matched == null && !message.from.mayLose(message.to));
  }

  /** Why it does not end, by kind: for people. */
  private String unfinished() {
    Map<String, Integer> kinds = new HashMap<>();
    Message first = null;
    for (Message message : ledger.messages) {
      if (isWaitedFor(message)) {
        first = first == null ? message : first;
        kinds.merge(message.hasEnded() ? "not received" : "not ended", 1, Integer::sum);
      }
    }
    return kinds + (first == null ? "" : ", the first is " + first) + collectives.unfinished();
  }

  private String moving() {
    StringBuilder text = new StringBuilder();
    for (Node node : nodes) {
      if (node.simulated.nextNs() != Long.MAX_VALUE || node.simulated.isReady()) {
        text.append(node).append(' ');
      }
    }
    return text + "and " + fabric.network().underWay() + " packets";
  }

  private void checkState() {
    for (Node node : nodes) {
      if (!node.isUp()) {
        continue;
      }
      TagMatcher.State state = ask(node, node.simulated.endpoint().futures().matcherState());
      Violation.require(
          state.peakUnexpectedBytes() <= mix.flow.unexpectedBudgetBytes(),
          Invariant.BUDGET,
          "%s has held %d unexpected bytes > budget=%d",
          node,
          state.peakUnexpectedBytes(),
          mix.flow.unexpectedBudgetBytes());
      if (mix.collectives == 0) { // a team posts receives of its own
        long open =
            ledger.receives.stream()
                .filter(receive -> receive.at == node && !receive.hasEnded())
                .count();
        Violation.require(
            open == state.postedReceives(),
            Invariant.LIVENESS,
            "%s has %d receives that have not ended, and %d posted: the others hang in the midst of a"
                + " message",
            node,
            open,
            state.postedReceives());
      }
      Endpoint.Flows flows = ask(node, node.simulated.endpoint().futures().flows());
      for (Endpoint.FlowInfo flow : flows.flows()) {
        note(flow.counters());
      }
    }
  }

  private <T> T ask(Node node, CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    node.simulated.touch();
    boolean done = fabric.runUntil(future::isDone, Duration.ofSeconds(20));
    check();
    Violation.require(done, Invariant.LIVENESS, "%s does not answer", node);
    return future.join();
  }

  private void note(FlowCounters.Snapshot counters) {
    probes.reachIf(counters.packetsReplayed() > 0, Probe.REPLAYED);
    probes.reachIf(counters.packetsDuplicate() > 0, Probe.DUPLICATE);
    probes.reachIf(counters.packetsEarly() > 0, Probe.EARLY);
    probes.reachIf(counters.pingsSent() > 0, Probe.PINGED);
    probes.reachIf(counters.multiPacketMessagesSent() > 0, Probe.MULTI_PACKET);
    probes.reachIf(counters.requestsSent() > 0, Probe.RENDEZVOUS);
    probes.reachIf(counters.directBytes() > 0, Probe.DIRECT_READ);
    probes.reachIf(counters.creditStalls() > 0, Probe.CREDIT_STALL);
    Violation.require(
        counters.packetsMalformed() == 0,
        Invariant.DEFECT,
        "%d packets of an honest peer were taken for malformed",
        counters.packetsMalformed());
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
    fabric.runUntilQuiet(Duration.ofMinutes(5));
    check();
    up.forEach(this::requireNothingLeft);
  }

  private void requireNothingLeft(Node node) {
    ProgressLoop loop = node.simulated.domain().loop();
    Violation.require(
        loop.timers().nextDeadlineNs() == Long.MAX_VALUE,
        Invariant.LEFTOVER,
        "%s has closed, and a timer is left",
        node);
    Violation.require(
        loop.steps().isEmpty() && loop.mail().isEmpty() && !loop.hasQueuedWork(),
        Invariant.LEFTOVER,
        "%s has closed, and steps or mail are left",
        node);
    requireSlots(node, node.simulated.endpoint().transmitQueue().ring(), "transmit");
    requireSlots(node, node.simulated.endpoint().receiveQueue().ring(), "receive");
  }

  private static void requireSlots(Node node, CompletionRing ring, String which) {
    int free = 0;
    while (ring.tryReserve()) {
      free++;
    }
    Violation.require(
        free == ring.capacity(),
        Invariant.LEFTOVER,
        "%s has closed with %d of %d slots of its %s queue free",
        node,
        free,
        ring.capacity(),
        which);
  }
}
