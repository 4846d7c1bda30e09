package io.tagfabric.provider.roads;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.ProviderDecorator;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireDecorator;
import io.tagfabric.provider.local.LocalProvider;
import io.tagfabric.wire.Packet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The local provider by several roads. Each keeps its order and loses nothing; which road moves
 * next is drawn by lot, so packets of different roads overtake each other all the time.
 */
public final class RoadsProvider extends ProviderDecorator {
  private static final long SEED = 20_240_607;

  public RoadsProvider() {
    super(new LocalProvider());
  }

  @Override
  public String name() {
    return "roads";
  }

  @Override
  public Wire open(WireContext context) {
    return new RoadsWire(provider().open(context), context);
  }

  private static final class RoadsWire extends WireDecorator {
    private final int paths;
    private final List<Road> roads = new ArrayList<>();
    private final SplittableRandom random;

    RoadsWire(Wire wire, WireContext context) {
      super(wire);
      paths = context.paths();
      random = new SplittableRandom(SEED + context.endpoint());
    }

    /** What all roads have taken in a pass leaves at its end, in the order of the lots. */
    @Override
    public boolean gathers() {
      return true;
    }

    @Override
    public int flush() {
      int waiting = 0;
      for (Road road : roads) {
        waiting += road.packets.size();
      }
      int moved = 0;
      while (moved < waiting) {
        moved += roads.get(random.nextInt(roads.size())).move();
      }
      return moved;
    }

    @Override
    public int paths(EndpointAddress peer) {
      return paths;
    }

    @Override
    protected Channel around(Channel channel, EndpointAddress peer) {
      Road road = new Road(channel);
      roads.add(road);
      return road;
    }

    @Override
    public void close() {
      roads.forEach(Road::empty);
      super.close();
    }
  }

  private static final class Road implements Channel {
    private static final int MAX_WAITING = 16;

    private final Channel channel;
    private final ArrayDeque<Packet> packets = new ArrayDeque<>();

    Road(Channel channel) {
      this.channel = channel;
    }

    @Override
    public boolean offer(Packet packet) {
      if (packets.size() == MAX_WAITING) {
        return false;
      }
      packet.retain();
      packets.addLast(packet);
      return true;
    }

    int move() {
      Packet packet = packets.pollFirst();
      if (packet == null) {
        return 0;
      }
      channel.offer(packet);
      packet.release();
      return 1;
    }

    void empty() {
      while (move() > 0) {
        // What was accepted arrives.
      }
    }

    @Override
    public String closedBecause() {
      return channel.closedBecause();
    }
  }
}
