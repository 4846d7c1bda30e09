package io.tagfabric.testkit;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.simulation.SimulatedFabric;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.util.List;

/** A simulation for one test, with the ActorSystems of its nodes. */
final class SimulatedRun implements AutoCloseable {
  private final SimulatedSystems systems;
  private final SimulatedFabric fabric;

  SimulatedRun(List<String> names, String settings, long seed) {
    systems = new SimulatedSystems(ConfigFactory.parseString(settings));
    fabric = SimulatedFabric.of(seed, systems, true);
    names.forEach(fabric::open);
  }

  SimulatedFabric fabric() {
    return fabric;
  }

  @Override
  public void close() {
    try {
      fabric.close();
    } finally {
      systems.close();
    }
  }
}
