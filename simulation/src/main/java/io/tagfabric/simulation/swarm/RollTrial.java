package io.tagfabric.simulation.swarm;

import akka.actor.typed.ActorRef;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.actor.FabricActors;
import io.tagfabric.complete.CompletionLevel;
import io.tagfabric.fabric.FabricSettings;
import io.tagfabric.runtime.MembershipNotice.News;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.simulation.choice.Sites;
import io.tagfabric.simulation.network.DialledProvider;
import io.tagfabric.simulation.network.Dials;
import io.tagfabric.simulation.network.NetworkWatcher;
import io.tagfabric.simulation.network.SimulatedNetwork;
import io.tagfabric.simulation.network.SimulatedProvider;
import io.tagfabric.simulation.remote.RemoteProvider;
import io.tagfabric.simulation.remote.SimulatedRemoting;
import io.tagfabric.simulation.world.Scheduler;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * A cluster whose nodes are replaced one after the other while their actors tell each other
 * messages: each leaves in order or is killed, and another incarnation comes at its address. Some
 * nodes have no fabric, or open it late, and what nodes announce may come late. Messages begin on
 * Akka's remoting and move to the fabric, and back when a node leaves. All that must come has come
 * once and in order, and in the end nodes that both have a fabric speak by it.
 *
 * <p>It comes behind all that a seed draws for the rest of its run, which so stays as it is.
 */
final class RollTrial {
  private static final long MS = 1_000_000L;
  private static final long SECOND = 1_000 * MS;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** A dial that nobody answers takes nearly as long. */
  private static final int DIAL_MS = 2_500;

  private static final int MOST_NEWS_MS = 20;

  /** In this time references that had to do without the fabric try again. */
  private static final long RETRY_NS = 45 * SECOND;

  private static final CompletionLevel[] LEVELS = {
    CompletionLevel.INJECT, CompletionLevel.TRANSMIT, CompletionLevel.DELIVERY
  };

  private final SeedRun run;
  private final Scheduler scheduler;
  private final Choices choices;
  private final Sites sites;
  private final SimulatedNetwork network;
  private final SimulatedNetwork dialledNetwork;
  private final Dials dials;
  private final Set<Set<Integer>> givenUp = new HashSet<>();
  private final SimulatedRemoting remoting;
  private final SimulatedSystems systems;
  private final List<RollNode> nodes = new ArrayList<>();
  private final List<RollStream> streams = new ArrayList<>();
  private final List<RollSends> sends = new ArrayList<>();
  private final Map<RollNode, Long> newsNs = new HashMap<>();
  private final Queue<Runnable> due = new ArrayDeque<>();
  private final boolean reliable;
  private final int size;
  private final int latencyUs;
  private final int jitterUs;
  private final int thinkUs;
  private final int plainShare;
  private final int killShare;
  private final int lagMs;
  private int left;
  private int rollsLeft;
  private boolean rolling;
  private boolean acts;
  private boolean over;

  RollTrial(SeedRun run) {
    this.run = run;
    scheduler = run.scheduler();
    choices = run.choices();
    sites = new Sites(choices);
    network = new SimulatedNetwork(scheduler, sites, NetworkWatcher.NONE);
    reliable = choices.below(2) == 0;
    drawSites();
    size = choices.of(3, 2, 4);
    latencyUs = choices.of(5, 500, 5_000);
    jitterUs = choices.of(0, 50, 5_000);
    thinkUs = choices.of(2_000, 100, 20_000);
    plainShare = choices.of(0, 20, 40);
    killShare = choices.of(0, 30, 100);
    lagMs = choices.of(0, 5, 1_000, 3_000);
    left = 50 + choices.below(400);
    rollsLeft = choices.between(1, 5);
    boolean isDialled = choices.below(2) == 1;
    if (isDialled) {
      sites.draw(Site.DIAL_REFUSED, 700);
      sites.draw(Site.DIAL_SILENT, 700);
      sites.draw(Site.CONNECTION_CUT, 700);
      sites.draw(Site.CONNECTION_LOST, 300);
    }
    dialledNetwork = new SimulatedNetwork(scheduler, sites, NetworkWatcher.NONE);
    dials = new Dials(dialledNetwork, this::onConnection);
    remoting = new SimulatedRemoting(scheduler, this::lagNs);
    systems =
        new SimulatedSystems(
            ConfigFactory.parseMap(
                Map.of(
                    "akka.actor.provider",
                    RemoteProvider.class.getName(),
                    FabricSettings.PROVIDERS.fullKey(),
                    isDialled
                        ? List.of(DialledProvider.NAME, SimulatedProvider.NAME)
                        : List.of(SimulatedProvider.NAME),
                    FabricSettings.NAMES_ENABLED.fullKey(),
                    false)));
  }

  private void drawSites() {
    if (!reliable) {
      sites.draw(Site.DROP, 200);
      sites.draw(Site.DUPLICATE, 200);
      sites.draw(Site.DELAY, 200);
    }
    sites.draw(Site.REFUSE, 300);
    sites.draw(Site.REFUSE_INJECT, 500);
  }

  private long lagNs() {
    return lagMs == 0 || choices.below(3) != 2 ? 0 : choices.below(lagMs) * MS;
  }

  // ---- for its nodes ----

  Scheduler scheduler() {
    return scheduler;
  }

  SimulatedNetwork network() {
    return network;
  }

  /** The network of what is dialled. */
  SimulatedNetwork dialledNetwork() {
    return dialledNetwork;
  }

  Dials dials() {
    return dials;
  }

  /** Whether a connection between two of them was cut for so long that it was given up. */
  boolean hasGivenUp(RollNode from, RollNode to) {
    return givenUp.contains(Set.of(from.number(), to.number()));
  }

  private void onConnection(Dials.What what, int node, int peer) {
    run.trace()
        .note(
            117,
            what.name().hashCode(),
            node,
            peer,
            () ->
                "roll    connection of "
                    + nodes.get(node)
                    + " with "
                    + nodes.get(peer)
                    + " "
                    + what);
    run.probes().reachIf(what == Dials.What.FAILED, Probe.DIAL_FAILED);
    run.probes().reachIf(what == Dials.What.BOTH_FAILED, Probe.DIALS_FAILED);
    run.probes().reachIf(what == Dials.What.RESUMED, Probe.CONNECTION_RESUMED);
    run.probes().reachIf(what == Dials.What.GIVEN_UP, Probe.CONNECTION_GIVEN_UP);
    if (what == Dials.What.GIVEN_UP) {
      givenUp.add(Set.of(node, peer));
    }
  }

  SimulatedRemoting remoting() {
    return remoting;
  }

  SimulatedSystems systems() {
    return systems;
  }

  boolean isReliable() {
    return reliable;
  }

  RollStream newStream(RollNode from, RollNode to, ActorRef<String> ref) {
    RollStream stream = new RollStream(this, streams.size(), from, to, ref);
    streams.add(stream);
    return stream;
  }

  RollSends newSends(RollNode from, RollNode to, int peer) {
    RollSends made = new RollSends(run, this, from, to, peer);
    sends.add(made);
    return made;
  }

  /** A tagged message has come to the endpoint of a node. */
  void received(RollNode at, int from, int place) {
    run.trace()
        .note(
            116,
            at.number(),
            from,
            place,
            () -> "roll    " + at + " gets send " + place + " of " + from);
    run.guarded(() -> nodes.get(from).sendsTo(at).received(place));
  }

  /** A message has come to the actor of a node. */
  void received(RollNode at, String text) {
    String[] parts = text.split(":", -1);
    RollStream stream = streams.get(Integer.parseInt(parts[0]));
    int place = Integer.parseInt(parts[1]);
    run.trace()
        .note(
            112,
            stream.number,
            place,
            0,
            () -> "roll    " + at + " gets message " + place + " of " + stream);
    run.guarded(() -> stream.received(at, place));
  }

  // ---- the run ----

  /** Runs it to its end. */
  void run() {
    try {
      run.trace().say("roll of " + this);
      for (int place = 0; place < size; place++) {
        join(place);
      }
      speakLater();
      rollLater();
      await(() -> left == 0 && rollsLeft == 0 && !rolling, 120 * SECOND, "rolls");
      sites.off();
      network.healAll();
      dialledNetwork.healAll();
      await(this::isComplete, 60 * SECOND, "messages");
      scheduler.advance(RETRY_NS);
      requireFabric();
      nodes.forEach(this::requireCounters);
    } finally {
      over = true;
      there().forEach(node -> node.end(false));
      systems.close();
    }
  }

  /**
   * Does something later, unless the trial is over then. What opens a fabric gives turns meanwhile:
   * what comes due in them is done behind it, or a node would end in the midst of its own call.
   */
  private void after(long delayNs, Runnable action) {
    scheduler.after(
        delayNs,
        () -> {
          due.add(action);
          if (!acts) {
            act();
          }
        });
  }

  private void act() {
    acts = true;
    try {
      while (!over && !due.isEmpty()) {
        due.remove().run();
      }
    } finally {
      acts = false;
    }
  }

  private void await(BooleanSupplier condition, long atMostNs, String what) {
    boolean ended = scheduler.runUntil(condition, scheduler.clock().nanoTime() + atMostNs);
    run.check();
    Violation.require(
        ended, Invariant.LIVENESS, "%s of a roll do not end: %s (%s)", what, unfinished(), this);
  }

  private boolean isComplete() {
    return streams.stream().allMatch(RollStream::isComplete)
        && sends.stream().allMatch(RollSends::isComplete);
  }

  private String unfinished() {
    return streams.stream().filter(stream -> !stream.isComplete()).toList()
        + " "
        + sends.stream()
            .filter(each -> !each.isComplete())
            .flatMap(each -> each.unfinished().stream())
            .limit(3)
            .toList();
  }

  private void join(int place) {
    RollNode node = new RollNode(this, nodes.size(), place);
    boolean plain = choices.happens(plainShare * 10);
    int lateMs = plain ? 0 : choices.of(0, 0, 50, 2_000);
    note(110, node, plain ? 1 : 0, plain ? "joins without a fabric" : "joins");
    run.probes().reachIf(plain, Probe.ROLL_PLAIN);
    nodes.add(node);
    for (RollNode other : nodes) {
      for (SimulatedNetwork each : List.of(network, dialledNetwork)) {
        each.link(other.number(), node.number()).latency(1_000L * latencyUs, 1_000L * jitterUs);
        each.link(node.number(), other.number()).latency(1_000L * latencyUs, 1_000L * jitterUs);
      }
    }
    node.start(!plain && lateMs == 0);
    if (lateMs > 0) {
      openLate(node, lateMs);
    }
    for (RollNode other : nodes) {
      if (other.isThere() && other != node) {
        tellNews(other, node, News.UP, MOST_NEWS_MS);
        tellNews(node, other, News.UP, MOST_NEWS_MS);
      }
    }
    tellNews(node, node, News.UP, MOST_NEWS_MS);
  }

  private void openLate(RollNode node, int lateMs) {
    long fabricNs = choices.below(lateMs) * MS;
    long referencesNs = fabricNs + choices.below(lateMs) * MS;
    run.probes().reach(Probe.ANNOUNCED_LATE);
    after(
        fabricNs,
        () -> {
          if (node.isThere()) {
            note(114, node, 0, "opens its fabric");
            node.openFabric();
          }
        });
    after(
        referencesNs,
        () -> {
          if (node.isThere()) {
            note(114, node, 1, "opens its references");
            node.openReferences();
          }
        });
  }

  private void tellNews(RollNode to, RollNode of, News news, int mostMs) {
    long atNs =
        Math.max(
            newsNs.getOrDefault(to, 0L),
            scheduler.clock().nanoTime() + choices.below(1 + mostMs * 1_000) * 1_000L);
    newsNs.put(to, atNs);
    after(
        atNs - scheduler.clock().nanoTime(),
        () -> {
          note(113, to, of.number(), "hears that " + of + " is " + news);
          to.hear(of, news);
          if (news == News.UP && to != of && of.isThere()) {
            after(choices.below(50) * MS, () -> to.meet(of));
          }
        });
  }

  private List<RollNode> there() {
    return nodes.stream().filter(RollNode::isThere).toList();
  }

  private void speakLater() {
    after(choices.below(thinkUs) * 1_000L, this::speak);
  }

  private void speak() {
    List<RollNode> there = there();
    if (!there.isEmpty()) {
      RollNode from = there.get(choices.below(there.size()));
      List<RollNode> known = from.known();
      if (!known.isEmpty()) {
        // Of those that it knows the newest is the plainest.
        speak(from, known.get(known.size() - 1 - choices.below(known.size())));
      }
    }
    left--;
    if (left > 0) {
      speakLater();
    }
  }

  private void speak(RollNode from, RollNode to) {
    int burst = choices.of(1, 1, 5);
    for (int i = 0; i < burst; i++) {
      from.tell(to, choices.below(4) == 3 ? choices.below(3_000) : choices.below(20));
      note(115, from, to.number(), "tells " + to);
      if (choices.below(2) == 1) {
        from.send(to, LEVELS[choices.below(LEVELS.length)], choices.below(3_000));
      }
    }
  }

  /** Most goes wrong where the endpoint of a node closes: in this time more is told it. */
  private void speakWhileItCloses(RollNode node) {
    int times = choices.of(0, 10, 40);
    for (int i = 0; i < times; i++) {
      after(
          choices.below(20_000) * 1_000L,
          () -> {
            List<RollNode> others =
                there().stream().filter(each -> each.known().contains(node)).toList();
            if (node.isThere() && !others.isEmpty()) {
              speak(others.get(choices.below(others.size())), node);
            }
          });
    }
  }

  private void rollLater() {
    after(choices.below(500) * MS, this::roll);
  }

  /** The next node ends. */
  private void roll() {
    if (rollsLeft == 0) {
      return;
    }
    rollsLeft--;
    rolling = true;
    List<RollNode> there = there();
    RollNode node = there.get(choices.below(there.size()));
    if (choices.happens(killShare * 10)) {
      kill(node);
    } else {
      leave(node);
    }
  }

  private void kill(RollNode node) {
    note(111, node, 0, "is killed");
    run.probes().reach(Probe.ROLL_KILLED);
    node.end(true);
    int mostMs = choices.of(1, 500);
    tellOthers(node, News.DOWNED, mostMs);
    tellOthers(node, News.REMOVED, mostMs);
    comeAgain(node);
  }

  private void leave(RollNode node) {
    note(111, node, 1, "leaves");
    run.probes().reach(Probe.ROLL_LEFT);
    node.leaves();
    // What was told before has come by Akka's remoting, however late that is, or goes by the
    // fabric, perhaps when a question that way has its answer, and a dial has failed.
    after((2 * lagMs + MOST_NEWS_MS + DIAL_MS) * MS, () -> drain(node));
  }

  private void drain(RollNode node) {
    CompletableFuture<?> drained =
        node.onEndpoints(endpoint -> endpoint.futures().drain(PATIENCE).toCompletableFuture());
    when(drained::isDone, () -> left(node));
  }

  private void left(RollNode node) {
    tellOthers(node, News.LEFT, MOST_NEWS_MS);
    there().stream()
        .filter(each -> each != node)
        .forEach(each -> tellNews(node, each, News.LEFT, 1));
    after(choices.below(100) * MS, () -> close(node));
  }

  private void close(RollNode node) {
    speakWhileItCloses(node);
    CompletableFuture<?> closed =
        node.onEndpoints(endpoint -> endpoint.close(PATIENCE).toCompletableFuture());
    when(
        () -> closed.isDone() && node.isQuiet(),
        () ->
            after(
                choices.below(20) * MS,
                () -> {
                  note(111, node, 2, "has left");
                  node.end(false);
                  comeAgain(node);
                }));
  }

  private void when(BooleanSupplier condition, Runnable then) {
    if (condition.getAsBoolean()) {
      then.run();
    } else {
      after(MS, () -> when(condition, then));
    }
  }

  private void tellOthers(RollNode of, News news, int mostMs) {
    there().stream().filter(each -> each != of).forEach(each -> tellNews(each, of, news, mostMs));
  }

  private void comeAgain(RollNode node) {
    after(
        choices.below(300) * MS,
        () -> {
          join(node.place());
          rolling = false;
          rollLater();
        });
  }

  // ---- what must hold ----

  /** Nodes that are there and have references by the fabric speak by it in the end. */
  private void requireFabric() {
    List<RollNode> speakers = there().stream().filter(RollNode::hasReferences).toList();
    speakers.forEach(RollNode::renew);
    scheduler.advance(RETRY_NS);
    for (RollNode node : speakers) {
      for (RollNode other : speakers) {
        if (other != node) {
          requireFabric(node, other);
        }
      }
    }
  }

  private void requireFabric(RollNode node, RollNode other) {
    long before = node.references().counters().byArtery();
    node.tell(other, 1);
    await(() -> streams.stream().allMatch(RollStream::isComplete), 60 * SECOND, "last messages");
    Violation.require(
        node.references().counters().byArtery() == before,
        Invariant.FABRIC,
        "%s tells %s a message by Akka's remoting, and both have a fabric",
        node,
        other);
  }

  private void requireCounters(RollNode node) {
    if (node.hasReferences()) {
      FabricActors.Counters counters = node.references().counters();
      run.probes().reachIf(counters.byArtery() > 0 && counters.sent() > 0, Probe.ROLL_MOVED);
      Violation.require(
          counters.overflowed() + counters.unwritable() + counters.unreadable() == 0,
          Invariant.DEFECT,
          "%s has dropped messages: %s",
          node,
          counters);
    }
  }

  @Override
  public String toString() {
    return size
        + " nodes, "
        + (reliable ? "reliable" : "lossy")
        + " network of "
        + latencyUs
        + "+"
        + jitterUs
        + " us, remoting up to "
        + lagMs
        + " ms late, "
        + plainShare
        + "% without a fabric, "
        + killShare
        + "% killed, faults "
        + sites;
  }

  private void note(int kind, RollNode node, int how, String what) {
    run.trace().note(kind, node.number(), how, 0, () -> "roll    " + node + " " + what);
  }
}
