package io.tagfabric.provider.faults;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import io.tagfabric.provider.WireDecorator;
import java.util.SplittableRandom;

/** A wire whose channels have faults, each with choices of its own. */
final class FaultyWire extends WireDecorator {
  private static final long ENDPOINT_STEP = 0x9E3779B97F4A7C15L;

  private final ProgressLoop loop;
  private final FaultSettings faults;
  private final SplittableRandom seeds;

  FaultyWire(Wire wire, ProgressLoop loop, FaultSettings faults, int endpoint) {
    super(wire);
    this.loop = loop;
    this.faults = faults;
    seeds = new SplittableRandom(faults.seed() + endpoint * ENDPOINT_STEP);
  }

  @Override
  protected Channel around(Channel channel, EndpointAddress peer) {
    return new FaultyChannel(channel, loop, faults, seeds.split());
  }
}
