package io.tagfabric.simulation.world;

import io.tagfabric.simulation.choice.Choices;
import java.util.SplittableRandom;

/**
 * What one simulated ActorSystem runs on. It outlives runs: each run gives it a clock of its own,
 * and what an earlier one has left is forgotten.
 */
final class SystemRuntime {
  private final SimulatedExecutor executor = new SimulatedExecutor();
  private final TimedQueue timers = new TimedQueue();
  private final long seed;
  private SplittableRandom random;
  private VirtualClock clock = new Scheduler(Choices.of(0)).clock();

  /**
   * A runtime.
   *
   * @param seed of its random numbers; systems of one run have different ones
   */
  SystemRuntime(long seed) {
    this.seed = seed;
    random = new SplittableRandom(seed);
  }

  SimulatedExecutor executor() {
    return executor;
  }

  TimedQueue timers() {
    return timers;
  }

  VirtualClock clock() {
    return clock;
  }

  /** The same numbers in each run. */
  SplittableRandom random() {
    return random;
  }

  void begin(VirtualClock newClock) {
    executor.runAll();
    timers.clear();
    clock = newClock;
    random = new SplittableRandom(seed);
  }

  TimedQueue.Timed schedule(long delayNs, Runnable action) {
    return timers.add(clock.nanoTime() + Math.max(0, delayNs), action);
  }
}
