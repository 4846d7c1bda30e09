package io.tagfabric.provider.lossy;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.ProviderCapabilities;
import io.tagfabric.provider.ProviderDecorator;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireContext;
import io.tagfabric.provider.WireDecorator;
import io.tagfabric.provider.local.LocalProvider;
import io.tagfabric.wire.Packet;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** The local provider as if it were a bad network: packets are lost, doubled and overtaken. */
public final class LossyProvider extends ProviderDecorator {
  private static final double DROP = 0.01;
  private static final double DUPLICATE = 0.02;
  private static final double OVERTAKE = 0.05;
  private static final long SEED = 20_240_607;

  private static final AtomicLong DROPPED = new AtomicLong();
  private static volatile boolean cut;

  public LossyProvider() {
    super(new LocalProvider());
  }

  /** Packets that never arrived, of all endpoints so far. */
  public static long dropped() {
    return DROPPED.get();
  }

  /** Cuts all networks of this provider, or heals them. */
  public static void cut(boolean nothingPasses) {
    cut = nothingPasses;
  }

  @Override
  public String name() {
    return "lossy";
  }

  @Override
  public ProviderCapabilities capabilities() {
    return super.capabilities().unreliable();
  }

  @Override
  public Wire open(WireContext context) {
    return new LossyWire(provider().open(context), new Random(SEED + context.endpoint()));
  }

  private static final class LossyWire extends WireDecorator {
    private final Random random;

    LossyWire(Wire wire, Random random) {
      super(wire);
      this.random = random;
    }

    @Override
    protected Channel around(Channel channel, EndpointAddress peer) {
      return new LossyChannel(channel, random);
    }
  }

  private static final class LossyChannel implements Channel {
    private final Channel channel;
    private final Random random;
    private Packet held;

    LossyChannel(Channel channel, Random random) {
      this.channel = channel;
      this.random = random;
    }

    @Override
    public boolean offer(Packet packet) {
      double fate = random.nextDouble();
      if (fate < DROP || cut) {
        DROPPED.incrementAndGet();
        return true;
      }
      // A network copies; the sender may use its packet again after the acknowledgement.
      Packet copy = Packet.received(Arrays.copyOf(packet.array(), packet.length()));
      if (fate < DROP + OVERTAKE && held == null) {
        held = copy;
        return true;
      }
      channel.offer(copy);
      if (fate > 1 - DUPLICATE) {
        channel.offer(copy);
      }
      if (held != null) {
        channel.offer(held);
        held = null;
      }
      return true;
    }

    @Override
    public String closedBecause() {
      return null;
    }
  }
}
