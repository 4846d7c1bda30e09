package io.tagfabric.provider.faults;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.Wire;
import java.util.Optional;
import java.util.SplittableRandom;

/** A wire whose channels have faults, each with choices of its own. */
final class FaultyWire implements Wire {
  private static final long ENDPOINT_STEP = 0x9E3779B97F4A7C15L;

  private final Wire wire;
  private final ProgressLoop loop;
  private final FaultSettings faults;
  private final SplittableRandom seeds;

  FaultyWire(Wire wire, ProgressLoop loop, FaultSettings faults, int endpoint) {
    this.wire = wire;
    this.loop = loop;
    this.faults = faults;
    seeds = new SplittableRandom(faults.seed() + endpoint * ENDPOINT_STEP);
  }

  @Override
  public String address() {
    return wire.address();
  }

  @Override
  public Optional<String> unreachableBecause(EndpointAddress peer) {
    return wire.unreachableBecause(peer);
  }

  @Override
  public Channel connect(EndpointAddress peer) {
    return new FaultyChannel(wire.connect(peer), loop, faults, seeds.split());
  }

  @Override
  public int paths(EndpointAddress peer) {
    return wire.paths(peer);
  }

  @Override
  public Channel connect(EndpointAddress peer, int path) {
    return new FaultyChannel(wire.connect(peer, path), loop, faults, seeds.split());
  }

  @Override
  public int flush() {
    return wire.flush();
  }

  @Override
  public void close() {
    wire.close();
  }
}
