package io.tagfabric.simulation.world;

import io.tagfabric.simulation.choice.Choices;

/**
 * What one simulated ActorSystem runs on. It outlives runs: each run gives it a clock of its own,
 * and what an earlier one has left is forgotten.
 */
final class SystemRuntime {
  private final SimulatedExecutor executor = new SimulatedExecutor();
  private final TimedQueue timers = new TimedQueue();
  private VirtualClock clock = new Scheduler(Choices.of(0)).clock();

  SimulatedExecutor executor() {
    return executor;
  }

  TimedQueue timers() {
    return timers;
  }

  VirtualClock clock() {
    return clock;
  }

  void begin(VirtualClock newClock) {
    executor.runAll();
    timers.clear();
    clock = newClock;
  }

  TimedQueue.Timed schedule(long delayNs, Runnable action) {
    return timers.add(clock.nanoTime() + Math.max(0, delayNs), action);
  }
}
