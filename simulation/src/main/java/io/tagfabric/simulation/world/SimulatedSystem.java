package io.tagfabric.simulation.world;

import akka.actor.typed.ActorSystem;
import io.tagfabric.fabric.Fabric;

/** One ActorSystem of a simulation, and its actors outside of domains as a participant. */
public final class SimulatedSystem implements Participant {
  private final ActorSystem<?> system;
  private final SystemRuntime runtime;
  private Scheduler scheduler;
  private String name = "actors";
  private boolean paused;

  SimulatedSystem(ActorSystem<?> system, SystemRuntime runtime) {
    this.system = system;
    this.runtime = runtime;
  }

  /** Akka's. */
  public ActorSystem<?> system() {
    return system;
  }

  /** Tagfabric's, which is opened when it is wanted first. */
  public Fabric fabric() {
    return Fabric.get(system);
  }

  /** Gives it to a run; what an earlier one has left is forgotten. */
  public void begin(Scheduler newScheduler, String newName) {
    runtime.begin(newScheduler.clock());
    scheduler = newScheduler;
    name = newName;
    paused = false;
    newScheduler.add(this);
  }

  /** Its actors and timers stand still, or go on. */
  public void pause(boolean newPaused) {
    paused = newPaused;
  }

  /** Gives it to a run for which it was made; who calls adds it to the scheduler. */
  void attach(Scheduler newScheduler, String newName) {
    scheduler = newScheduler;
    name = newName;
  }

  /** Takes it from its run: no more turns. */
  public void end() {
    scheduler.remove(this);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isReady() {
    return !paused
        && (runtime.executor().size() > 0
            || runtime.timers().nextNs() <= scheduler.clock().nanoTime());
  }

  @Override
  public long nextNs() {
    return paused ? Long.MAX_VALUE : runtime.timers().nextNs();
  }

  /** Fires one timer that is due, or runs one mailbox. */
  @Override
  public void turn() {
    if (!runtime.timers().runOne(scheduler.clock().nanoTime())) {
      int waiting = runtime.executor().size();
      if (waiting > 0) {
        runtime.executor().run(scheduler.choices().below(waiting));
      }
    }
  }

  /** Runs all that waits, in order. */
  public void runAll() {
    runtime.executor().runAll();
  }

  void terminate() {
    system.terminate();
    while (!system.whenTerminated().isCompleted() && runtime.executor().runAll() > 0) {}
    SimulatedSystems.forget(runtime);
  }
}
