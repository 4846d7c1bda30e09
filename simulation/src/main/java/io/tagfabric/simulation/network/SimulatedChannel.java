package io.tagfabric.simulation.network;

import io.tagfabric.error.FabricError;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.DirectMemory;
import io.tagfabric.provider.SharedMemory;
import io.tagfabric.simulation.choice.Choices;
import io.tagfabric.simulation.choice.Site;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.ArrayDeque;

/**
 * The way from one endpoint to another. Packets are copied when they are offered, so that what a
 * sender does to one afterwards, against the rules, is seen at the receiver.
 */
final class SimulatedChannel implements Channel {
  private static final int LATE_FACTOR = 50;
  private static final int RETRY_NS = 20_000;

  /** A record of a ring; longer messages do not travel by themselves. */
  private static final int MAX_INJECTED_BYTES = 512;

  private final SimulatedNetwork network;
  private final SimulatedWire own;
  private final int toNode;
  private final SimulatedWire to;
  private final Link link;
  private final boolean reliable;
  private final SharedMemory memory;
  private final DirectMemory direct;
  private final ArrayDeque<SimulatedWire.Arrival> waiting = new ArrayDeque<>();
  private long lastNs;
  private int underWay;
  private boolean gone;

  SimulatedChannel(
      SimulatedNetwork network,
      SimulatedWire own,
      int toNode,
      SimulatedWire to,
      Link link,
      boolean reliable) {
    this.network = network;
    this.own = own;
    this.toNode = toNode;
    this.to = to;
    this.link = link;
    this.reliable = reliable;
    memory = reliable ? new SimulatedSharedMemory(network, own.node()) : null;
    direct = reliable ? new SimulatedDirectMemory(network, own, to) : null;
  }

  int from() {
    return own.node();
  }

  SimulatedWire to() {
    return to;
  }

  /** One of its packets has been taken by the receiver. */
  void taken() {
    underWay--;
  }

  /** Whether something has not come to the receiver yet. */
  boolean hasUnderWay() {
    return underWay > 0;
  }

  /** Whether all that was under way is lost. */
  boolean isGivenUp() {
    return link.isGivenUp();
  }

  /** Whether what arrives now has to wait, or is lost. */
  boolean isStopped() {
    return link.isHeld() || link.isCut();
  }

  /** Whether what arrives now must wait behind what waits already. */
  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /**
   * Something has come to the end of the link while nothing gets through.
   *
   * @return whether it waits; else it is lost
   */
  boolean stop(SimulatedWire.Arrival arrival) {
    if (!reliable && link.isCut()) {
      underWay--;
      note(NetworkWatcher.What.LOST, arrival.packet().length(), arrival.order());
      return false;
    }
    waiting.addLast(arrival);
    return true;
  }

  /** The first that waits, if it may go on. */
  SimulatedWire.Arrival resume() {
    if (link.isGivenUp()) {
      underWay -= waiting.size();
      waiting.clear();
    }
    return isStopped() ? null : waiting.pollFirst();
  }

  private long now() {
    return network.scheduler().clock().nanoTime();
  }

  private boolean hasRoom() {
    if (underWay < network.room() && !network.fires(Site.REFUSE)) {
      return true;
    }
    own.retryAt(now() + 1 + network.scheduler().choices().below(RETRY_NS));
    return false;
  }

  @Override
  public boolean offer(Packet packet) {
    if (!own.isOpen() || to == null) {
      return true;
    }
    if (!to.isOpen()) {
      sendToSuccessor(packet);
      return true;
    }
    if (!hasRoom()) {
      note(NetworkWatcher.What.REFUSED, packet.length(), packet.sequence());
      return false;
    }
    note(NetworkWatcher.What.SENT, packet.length(), packet.sequence());
    network.watcher().offered(own.node(), toNode, packet);
    if (!reliable && (link.isCut() || network.fires(Site.DROP))) {
      note(NetworkWatcher.What.LOST, packet.length(), packet.sequence());
      return true;
    }
    send(packet);
    if (!reliable && network.fires(Site.DUPLICATE)) {
      note(NetworkWatcher.What.DOUBLED, packet.length(), packet.sequence());
      send(packet);
    }
    return true;
  }

  private void send(Packet packet) {
    byte[] bytes = new byte[packet.length()];
    packet.buffer().getBytes(0, bytes);
    underWay++;
    if (network.fires(Site.LIE) && Headers.acknowledgeTooMuch(bytes)) {
      note(NetworkWatcher.What.FORGED, bytes.length, packet.sequence());
    }
    to.arrive(arrivalNs(), this, Packet.received(bytes));
  }

  /** A bad network brings what is meant for a process that has ended to the one in its place. */
  private void sendToSuccessor(Packet packet) {
    SimulatedWire successor = to.successor();
    if (reliable || successor == null || !successor.isOpen()) {
      return;
    }
    note(NetworkWatcher.What.SENT, packet.length(), packet.sequence());
    if (!link.isCut()) {
      byte[] bytes = new byte[packet.length()];
      packet.buffer().getBytes(0, bytes);
      underWay++;
      successor.arrive(arrivalNs(), this, Packet.received(bytes));
    }
  }

  @Override
  public boolean inject(long flow, MessageView message) {
    if (!reliable
        || message.length() > MAX_INJECTED_BYTES
        || !own.isOpen()
        || to == null
        || !to.isOpen()
        || underWay >= network.room()
        || network.fires(Site.REFUSE_INJECT)) {
      return false;
    }
    note(NetworkWatcher.What.INJECTED, message.length(), 0);
    underWay++;
    to.arrive(arrivalNs(), this, flow, message.copy());
    return true;
  }

  private long arrivalNs() {
    Choices choices = network.scheduler().choices();
    long delayNs = link.latencyNs();
    if (link.jitterNs() > 0) {
      delayNs += choices.below((int) link.jitterNs());
    }
    if (network.fires(Site.DELAY)) {
      delayNs += link.latencyNs() * choices.between(1, LATE_FACTOR);
    }
    long atNs = now() + delayNs;
    if (reliable) {
      // In order; of the same time is enough, arrivals are numbered.
      atNs = Math.max(atNs, lastNs);
      lastNs = atNs;
    }
    return atNs;
  }

  private void note(NetworkWatcher.What what, int length, long sequence) {
    network.watcher().on(what, own.node(), toNode, length, sequence);
  }

  @Override
  public SharedMemory sharedMemory() {
    return memory;
  }

  @Override
  public DirectMemory directMemory() {
    return direct;
  }

  /** As over Akka's remoting: the peer's node, or the next one in its place, answers or not. */
  @Override
  public void inquire() {
    if (reliable || to == null || to.isOpen() || (to.hasCrashed() && to.successor() == null)) {
      return;
    }
    network
        .scheduler()
        .after(
            2 * link.latencyNs(),
            () -> {
              if (!isStopped()) {
                gone = true;
                own.channelClosed();
              }
            });
  }

  @Override
  public String closedBecause() {
    if (!reliable) {
      return gone ? "its endpoint is gone, and no goodbye has come" : null;
    }
    return to == null || !to.isOpen() ? "the peer's endpoint is gone" : null;
  }

  @Override
  public FabricError closedWith() {
    return gone || (to != null && to.hasCrashed())
        ? FabricError.CONNECTION_RESET
        : FabricError.SHUTDOWN;
  }
}
