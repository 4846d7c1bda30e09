package io.tagfabric.simulation.world;

import akka.dispatch.DispatcherPrerequisites;
import akka.dispatch.ExecutorServiceConfigurator;
import akka.dispatch.ExecutorServiceFactory;
import com.typesafe.config.Config;
import java.util.concurrent.ThreadFactory;

/** Named in the configuration of simulated ActorSystems as the executor of their dispatchers. */
public final class SimulatedExecutorConfigurator extends ExecutorServiceConfigurator {
  private final SimulatedExecutor executor;

  /** Called by Akka. */
  public SimulatedExecutorConfigurator(Config config, DispatcherPrerequisites prerequisites) {
    super(config, prerequisites);
    executor = SimulatedSystems.runtimeOf(prerequisites.settings().config()).executor();
  }

  @Override
  public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
    return () -> executor;
  }
}
