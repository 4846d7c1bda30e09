package io.tagfabric.trials.simulate;

import com.typesafe.config.ConfigFactory;
import io.tagfabric.simulation.swarm.Outcome;
import io.tagfabric.simulation.swarm.SwarmOptions;
import io.tagfabric.simulation.swarm.Sweep;
import io.tagfabric.simulation.world.SimulatedSystems;
import java.util.function.LongFunction;

/**
 * Runs seeds inside a {@link PatchedLoader}, which makes one by its name: only what the JDK defines
 * passes between the loaders.
 */
public final class DefectRun implements LongFunction<String>, AutoCloseable {
  private final SimulatedSystems systems = new SimulatedSystems(ConfigFactory.empty());

  /** What a run of a seed violates, and how; null if everything holds. */
  @Override
  public String apply(long seed) {
    Outcome outcome = Sweep.run(seed, SwarmOptions.DEFAULT, systems);
    return outcome.violation() == null
        ? null
        : outcome.violation().invariant().label() + ": " + outcome.violation().getMessage();
  }

  @Override
  public void close() {
    systems.close();
  }
}
