package io.tagfabric.simulation.world;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The executor of the dispatchers of one simulated ActorSystem, other than those of domains: a list
 * of mailboxes, of which the simulation chooses the next, as the threads of a real pool would.
 *
 * <p>Akka shuts a dispatcher's executor down when it has been idle and asks for it again later; so
 * shutting down does nothing here. Thread: the simulation's; what other threads add waits too.
 */
final class SimulatedExecutor extends AbstractExecutorService {
  private final List<Runnable> ready = new ArrayList<>();

  @Override
  public void execute(Runnable task) {
    synchronized (ready) {
      ready.add(task);
    }
  }

  /** How many wait. */
  int size() {
    synchronized (ready) {
      return ready.size();
    }
  }

  /** Runs one that waits. */
  void run(int number) {
    Runnable task;
    synchronized (ready) {
      task = ready.remove(number);
    }
    task.run();
  }

  /** Runs all, in order, also what they add. */
  int runAll() {
    int ran = 0;
    while (size() > 0) {
      run(0);
      ran++;
    }
    return ran;
  }

  @Override
  public void shutdown() {
    // It belongs to the simulation, not to Akka's idea of an idle dispatcher.
  }

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }
}
