package io.tagfabric.simulation;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.CounterUnit;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.progress.HandOver;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Sites;
import io.tagfabric.simulation.network.Link;
import io.tagfabric.simulation.network.NetworkWatcher;
import io.tagfabric.simulation.network.SimulatedNetwork;
import io.tagfabric.simulation.network.SimulatedProvider;
import io.tagfabric.simulation.world.Scheduler;
import io.tagfabric.simulation.world.SimulatedSystem;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Nodes with endpoints, and the network between them, on one thread and one virtual clock. Nothing
 * moves unless somebody waits or calls {@link #advance}; then a seed decides what comes first.
 *
 * <pre>{@code
 * try (SimulatedFabric fabric = SimulatedFabric.of(7)) {
 *   SimulatedNode ada = fabric.open("ada");
 *   SimulatedNode bob = fabric.open("bob");
 *   fabric.partition("ada");
 *   ...
 *   fabric.advance(Duration.ofSeconds(30)); // takes no time
 * }
 * }</pre>
 *
 * <p>Thread: one.
 */
@InternalApi
public final class SimulatedFabric implements AutoCloseable {
  private final SimulatedSystems systems;
  private final boolean ownsSystems;
  private final Scheduler scheduler;
  private final Sites sites;
  private final SimulatedNetwork network;
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final Map<String, SimulatedNode> byName = new LinkedHashMap<>();
  private final boolean reliable;
  private HandOver handOver = HandOver.CALL;
  private EndpointSettings settings;
  private int queueCapacity;
  private CounterUnit counting;
  private int systemsUsed;

  /**
   * A fabric for one run.
   *
   * @param systems whose ActorSystems it uses; they outlive it
   * @param choices decide what is left to chance
   * @param sites the faults of the network; they draw from the same choices
   * @param watcher hears of every packet
   * @param reliable whether the network keeps order and loses nothing
   */
  public SimulatedFabric(
      SimulatedSystems systems,
      Choices choices,
      Sites sites,
      NetworkWatcher watcher,
      boolean reliable) {
    this(systems, false, choices, sites, watcher, reliable);
  }

  private SimulatedFabric(
      SimulatedSystems systems,
      boolean ownsSystems,
      Choices choices,
      Sites sites,
      NetworkWatcher watcher,
      boolean reliable) {
    this.systems = systems;
    this.ownsSystems = ownsSystems;
    this.sites = sites;
    this.reliable = reliable;
    scheduler = new Scheduler(choices);
    network = new SimulatedNetwork(scheduler, sites, watcher);
  }

  /** A fabric of its own whose network loses nothing unless it is told to. */
  public static SimulatedFabric of(long seed) {
    Choices choices = Choices.of(seed);
    return new SimulatedFabric(
        new SimulatedSystems(ConfigFactory.empty()),
        true,
        choices,
        new Sites(choices),
        NetworkWatcher.NONE,
        true);
  }

  /** The same with systems that outlive it, on a network that may lose packets unless reliable. */
  public static SimulatedFabric of(long seed, SimulatedSystems systems, boolean reliable) {
    Choices choices = Choices.of(seed);
    return new SimulatedFabric(
        systems, false, choices, new Sites(choices), NetworkWatcher.NONE, reliable);
  }

  /** How the cores of nodes opened from now on hand over. */
  public void handOver(HandOver newHandOver) {
    handOver = newHandOver;
  }

  /** The settings of endpoints opened from now on, and the length of their queues. */
  public void endpoints(EndpointSettings newSettings, int newQueueCapacity) {
    settings = newSettings;
    queueCapacity = newQueueCapacity;
  }

  /** What the counters of endpoints opened from now on count; null if they have none. */
  public void counting(CounterUnit unit) {
    counting = unit;
  }

  /** What endpoints are opened with unless told otherwise. */
  public EndpointSettings endpointDefaults() {
    return systems.get(0).fabric().endpointDefaults();
  }

  /** Opens a node; one that has crashed may come again by its name, with another incarnation. */
  public SimulatedNode open(String name) {
    SimulatedNode before = byName.get(name);
    if (before != null && !before.isCrashed()) {
      throw new IllegalStateException("node [" + name + "] is there already, crash it first");
    }
    int number = nodes.size();
    SimulatedSystem system = systems.get(systemsUsed++);
    system.begin(scheduler, "actors of " + name);
    system.fabric().addProvider(new SimulatedProvider(network, number, reliable));
    SimulatedNode node =
        new SimulatedNode(
            scheduler, network, system, number, name, handOver, settings, queueCapacity, counting);
    nodes.add(node);
    byName.put(name, node);
    scheduler.add(node);
    return node;
  }

  /**
   * The node of a name.
   *
   * @throws NoSuchElementException if there is none
   */
  public SimulatedNode node(String name) {
    SimulatedNode node = byName.get(name);
    if (node == null) {
      throw new NoSuchElementException("no node [" + name + "], there are " + byName.keySet());
    }
    return node;
  }

  /** All nodes, those that have crashed included, in the order of opening. */
  public List<SimulatedNode> nodes() {
    return List.copyOf(nodes);
  }

  /** The way from one node to another. */
  public Link link(String from, String to) {
    return network.link(node(from).number(), node(to).number());
  }

  /** What one node sends to another waits from now on. */
  public void hold(String from, String to) {
    link(from, to).hold();
  }

  /** Ends a {@link #hold}: what waits goes on in its order. */
  public void release(String from, String to) {
    link(from, to).release();
  }

  /**
   * Cuts nodes off from all others, both ways. What is sent over a cut is lost, or waits if the
   * network is reliable.
   */
  public void partition(String... names) {
    Set<String> side = Set.of(names);
    for (SimulatedNode one : nodes) {
      for (SimulatedNode other : nodes) {
        if (side.contains(one.name()) != side.contains(other.name())) {
          network.link(one.number(), other.number()).cut();
        }
      }
    }
  }

  /** Ends all partitions and holds. */
  public void heal() {
    network.healAll();
  }

  /** A node ends from one moment to the next, without a word. */
  public void crash(String name) {
    node(name).crash();
  }

  /** The faults of the network. */
  public Sites sites() {
    return sites;
  }

  /** The network. */
  public SimulatedNetwork network() {
    return network;
  }

  /** Gives turns. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Virtual time since the beginning. */
  public Duration now() {
    return Duration.ofNanos(scheduler.clock().elapsedNs());
  }

  /** Lets a virtual time pass. */
  public void advance(Duration duration) {
    scheduler.advance(duration.toNanos());
  }

  /**
   * Lets time pass until a condition holds.
   *
   * @return false if it does not within the virtual time
   */
  public boolean runUntil(BooleanSupplier condition, Duration atMost) {
    return scheduler.runUntil(condition, scheduler.clock().nanoTime() + atMost.toNanos());
  }

  /**
   * Lets time pass until nothing moves any more: no packet, no timer, no mailbox.
   *
   * @return false if something still does after the virtual time
   */
  public boolean runUntilQuiet(Duration atMost) {
    return scheduler.runUntilQuiet(scheduler.clock().nanoTime() + atMost.toNanos());
  }

  /** Closes all nodes at once, without giving what is under way time to leave. */
  @Override
  public void close() {
    for (SimulatedNode node : nodes) {
      node.crash();
    }
    for (SimulatedNode node : nodes) {
      node.close(Duration.ZERO);
    }
    if (ownsSystems) {
      systems.close();
    }
  }
}
