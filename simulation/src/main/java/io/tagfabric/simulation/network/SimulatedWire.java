package io.tagfabric.simulation.network;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.AccessMark;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * One endpoint's place on the network: what is on its way to it, by the time of its arrival. A pass
 * of its loop takes some of what has arrived, not always all of it. Thread: the simulation's.
 */
public final class SimulatedWire implements Wire {
  /** A packet, or a short message by itself, on its way. */
  record Arrival(
      long atNs, long order, SimulatedChannel from, Packet packet, long flow, MessageView message)
      implements Comparable<Arrival> {
    @Override
    public int compareTo(Arrival other) {
      return atNs != other.atNs ? Long.compare(atNs, other.atNs) : Long.compare(order, other.order);
    }
  }

  private static final int ARRIVALS_PER_PASS = 16;

  private final SimulatedNetwork network;
  private final int node;
  private final boolean reliable;
  private final ProgressLoop loop;
  private final WireListener listener;
  private final ProgressLoop.Step poll = this::poll;
  private final PriorityQueue<Arrival> arrivals = new PriorityQueue<>();
  private final List<SimulatedChannel> stalled = new ArrayList<>();
  private final List<SimulatedChannel> channels = new ArrayList<>();
  private final SharedRing ring;
  private final AccessMark mark;
  private long order;
  private boolean closed;
  private boolean crashed;
  private boolean newsOfChannels;
  private long retryNs = Long.MAX_VALUE;
  private Runnable betweenArrivals = () -> {};
  private SimulatedWire successor;

  SimulatedWire(SimulatedNetwork network, int node, boolean reliable, WireContext context) {
    this.network = network;
    this.node = node;
    this.reliable = reliable;
    loop = context.loop();
    listener = context.listener();
    loop.addPoll(poll);
    ring = network.host().has(node) ? new SharedRing(network, this, listener) : null;
    mark = network.memories().newMark();
    network.opened(this, context.incarnation(), context.endpoint());
  }

  /** Where its loop says which region of a peer it is inside. */
  AccessMark mark() {
    return mark;
  }

  /** The node that it is on. */
  public int node() {
    return node;
  }

  /** Runs something inside passes, between two arrivals: what listeners of a program would do. */
  public void betweenArrivals(Runnable action) {
    betweenArrivals = action;
  }

  /** Whether a pass of the loop now would find something here. */
  public boolean isReady() {
    return nextNs() <= now();
  }

  /** When a pass will find something here, {@link Long#MAX_VALUE} if nothing is on its way. */
  public long nextNs() {
    if (!isOpen()) {
      return Long.MAX_VALUE;
    }
    if (newsOfChannels || hasResumed()) {
      return now();
    }
    long ringNs = ring == null ? Long.MAX_VALUE : ring.nextNs(now());
    return Math.min(ringNs, Math.min(nextArrivalNs(), retryNs));
  }

  /** Whether something that waited may go on. */
  private boolean hasResumed() {
    for (int i = 0; i < stalled.size(); i++) {
      if (!stalled.get(i).isStopped()) {
        return true;
      }
    }
    return false;
  }

  private long nextArrivalNs() {
    Arrival first = arrivals.peek();
    return first == null ? Long.MAX_VALUE : first.atNs;
  }

  int underWay() {
    return arrivals.size();
  }

  private long now() {
    return network.scheduler().clock().nanoTime();
  }

  boolean hasCrashed() {
    return crashed;
  }

  boolean isOpen() {
    return !closed && !crashed;
  }

  @Override
  public String address() {
    return Integer.toString(node);
  }

  @Override
  public Optional<String> unreachableBecause(EndpointAddress peer) {
    return Optional.empty();
  }

  @Override
  public Channel connect(EndpointAddress peer) {
    int to = Integer.parseInt(peer.providers().get(SimulatedProvider.NAME));
    SimulatedWire wire = network.wireOf(peer);
    if (wire != null && network.host().share(node, to)) {
      return ring.channelTo(wire.ring);
    }
    return channelTo(peer, to);
  }

  /** A way to an endpoint of another node that does not share memory. */
  SimulatedChannel channelTo(EndpointAddress peer, int to) {
    SimulatedWire wire = network.wireOf(peer);
    SimulatedChannel channel =
        new SimulatedChannel(network, this, to, wire, network.link(node, to), reliable);
    channels.add(channel);
    return channel;
  }

  /** The process that has it has ended, and one that came after it has its place. */
  void succeededBy(SimulatedWire newSuccessor) {
    successor = newSuccessor;
  }

  /** Who has its place now, null if nobody has. */
  SimulatedWire successor() {
    return successor;
  }

  /** A channel had no room: its flow offers again in a pass of about this time. */
  void retryAt(long timeNs) {
    retryNs = Math.min(retryNs, timeNs);
  }

  void arrive(long atNs, SimulatedChannel from, Packet packet) {
    arrivals.add(new Arrival(atNs, order++, from, packet, 0, null));
  }

  void arrive(long atNs, SimulatedChannel from, long flow, MessageView message) {
    arrivals.add(new Arrival(atNs, order++, from, null, flow, message));
  }

  private int poll() {
    retryNs = retryNs <= now() ? Long.MAX_VALUE : retryNs;
    if (closed) {
      return 0;
    }
    int work = 0;
    if (newsOfChannels) {
      newsOfChannels = false;
      listener.onChannelClosed();
      work++;
    }
    work += resume();
    if (ring != null) {
      work += ring.poll(now());
    }
    Choices choices = network.scheduler().choices();
    while (nextArrivalNs() <= now() && work < ARRIVALS_PER_PASS && !closed) {
      Arrival arrival = arrivals.poll();
      if (arrival.from.isGivenUp()) {
        arrival.from.taken();
        continue;
      }
      if (arrival.from.isStopped() || arrival.from.hasWaiting()) {
        stall(arrival);
        continue;
      }
      take(arrival);
      work++;
      if (network.fires(Site.LONG_PASS)) {
        betweenArrivals.run();
      }
      if (nextArrivalNs() <= now() && choices.below(4) == 3) {
        break;
      }
    }
    return work;
  }

  private void stall(Arrival arrival) {
    SimulatedChannel from = arrival.from;
    boolean waits = from.stop(arrival);
    if (waits && !stalled.contains(from)) {
      stalled.add(from);
    }
  }

  /** Takes what waited and may go on, in its order. */
  private int resume() {
    int work = 0;
    for (int i = stalled.size() - 1; i >= 0; i--) {
      SimulatedChannel channel = stalled.get(i);
      Arrival arrival = channel.resume();
      while (arrival != null && !closed) {
        take(arrival);
        work++;
        arrival = channel.resume();
      }
      if (!channel.hasWaiting()) {
        stalled.remove(i);
      }
    }
    return work;
  }

  private void take(Arrival arrival) {
    arrival.from.taken();
    if (arrival.packet != null) {
      network
          .watcher()
          .on(
              NetworkWatcher.What.ARRIVED,
              arrival.from.from(),
              node,
              arrival.packet.length(),
              arrival.order);
      listener.onPacket(arrival.packet);
      if (arrival.from.to() == this) {
        network.watcher().taken(arrival.from.from(), node, arrival.packet);
      }
    } else {
      network
          .watcher()
          .on(
              NetworkWatcher.What.INJECTED_ARRIVED,
              arrival.from.from(),
              node,
              arrival.message.length(),
              arrival.order);
      listener.onInjected(arrival.flow, arrival.message);
    }
  }

  /** One of its channels has closed. */
  void channelClosed() {
    newsOfChannels = true;
  }

  /** Its peers see that a reliable channel to it has closed. */
  void peerClosed(SimulatedWire peer) {
    for (SimulatedChannel channel : channels) {
      if (reliable && channel.to() == peer) {
        newsOfChannels = true;
      }
    }
    if (ring != null && peer.ring != null && ring.isFor(peer.ring)) {
      ring.peerClosed(peer.ring);
    }
  }

  void runBetweenArrivals() {
    betweenArrivals.run();
  }

  void crash() {
    if (!crashed) {
      crashed = true;
      arrivals.clear();
      network.closed(this);
    }
  }

  @Override
  public boolean gathers() {
    return false;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    loop.removePoll(poll);
    arrivals.clear();
    if (ring != null && !crashed) {
      ring.close();
    }
    if (!crashed) {
      network.closed(this);
    }
  }
}
