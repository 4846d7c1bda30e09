package io.tagfabric.simulation.network;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.error.FabricError;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireListener;
import io.tagfabric.wire.MessageView;
import io.tagfabric.wire.Packet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One endpoint's place among {@link Dials}. Thread: the simulation's. */
final class DialledWire implements Wire {
  private final Dials dials;
  private final int node;
  private final SimulatedWire wire;
  private final ProgressLoop loop;
  private final WireListener listener;
  private final ProgressLoop.Step poll = this::poll;
  private final List<DialledChannel> waiting = new ArrayList<>();
  private boolean newsOfChannels;

  DialledWire(Dials dials, int node, WireContext context) {
    this.dials = dials;
    this.node = node;
    loop = context.loop();
    listener = context.listener();
    wire = new SimulatedWire(dials.network(), node, true, context);
    loop.addPoll(poll);
    dials.opened(this, node);
  }

  /** A connection is open: what has waited for it goes. */
  void connected() {
    wake();
  }

  /** A connection has closed. */
  void disconnected() {
    newsOfChannels = true;
    wake();
  }

  private void wake() {
    wire.retryAt(dials.network().scheduler().clock().nanoTime());
  }

  private int poll() {
    int work = 0;
    if (newsOfChannels) {
      newsOfChannels = false;
      listener.onChannelClosed();
      work++;
    }
    for (DialledChannel channel : List.copyOf(waiting)) {
      work += channel.sendWaiting();
    }
    waiting.removeIf(channel -> !channel.waits());
    return work;
  }

  private Dials.Side sideTo(EndpointAddress peer) {
    return dials.side(node, nodeOf(peer));
  }

  private static int nodeOf(EndpointAddress peer) {
    return Integer.parseInt(peer.providers().get(DialledProvider.NAME));
  }

  @Override
  public String address() {
    return wire.address();
  }

  @Override
  public Optional<String> unreachableBecause(EndpointAddress peer) {
    return sideTo(peer).isAvoided() ? Optional.of("it was dialled in vain") : Optional.empty();
  }

  @Override
  public boolean isOpen(EndpointAddress peer) {
    return sideTo(peer).isOpen();
  }

  @Override
  public Channel connect(EndpointAddress peer) {
    return new DialledChannel(sideTo(peer), wire.channelTo(peer, nodeOf(peer)));
  }

  @Override
  public boolean gathers() {
    return false;
  }

  @Override
  public void close() {
    loop.removePoll(poll);
    dials.closed(this, node);
    wire.close();
  }

  /** A way that takes packets before it is open, and drops them if it never is. */
  private final class DialledChannel implements Channel {
    private final Dials.Side side;
    private final SimulatedChannel channel;
    private final ArrayDeque<Packet> packets = new ArrayDeque<>();

    DialledChannel(Dials.Side side, SimulatedChannel channel) {
      this.side = side;
      this.channel = channel;
    }

    boolean waits() {
      return !packets.isEmpty();
    }

    int sendWaiting() {
      int work = 0;
      if (side.closedBecause() != null) {
        packets.clear();
      }
      while (side.isOpen() && waits() && channel.offer(packets.peekFirst())) {
        packets.removeFirst();
        work++;
      }
      return work;
    }

    @Override
    public boolean offer(Packet packet) {
      if (side.closedBecause() != null) {
        return true;
      }
      if (side.isOpen()) {
        return !waits() && channel.offer(packet);
      }
      byte[] bytes = new byte[packet.length()];
      packet.buffer().getBytes(0, bytes);
      packets.addLast(Packet.received(bytes));
      if (!waiting.contains(this)) {
        waiting.add(this);
      }
      side.dial();
      return true;
    }

    @Override
    public boolean inject(long flow, MessageView message) {
      return side.isOpen() && !waits() && channel.inject(flow, message);
    }

    @Override
    public boolean isOpen() {
      return side.isOpen();
    }

    @Override
    public boolean isDrained() {
      return closedBecause() != null || !channel.hasUnderWay();
    }

    @Override
    public String closedBecause() {
      String because = side.closedBecause();
      return because != null || !side.isOpen() ? because : channel.closedBecause();
    }

    @Override
    public FabricError closedWith() {
      return side.closedBecause() == null ? channel.closedWith() : side.closedWith();
    }
  }
}
