package io.tagfabric.simulation.network;

import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.runtime.LoopDriver;
import io.tagfabric.simulation.world.Participant;
import io.tagfabric.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.List;

/** Drives the loops of the domains of one node: a turn is a pass. Thread: the simulation's. */
public final class NodeLoops implements LoopDriver {
  private final String name;
  private final int node;
  private final Scheduler scheduler;
  private final List<SimulatedNetwork> networks;
  private final List<Driven> loops = new ArrayList<>();

  /**
   * Drives no loop yet.
   *
   * @param name of the node, for traces
   * @param node its number on the networks
   */
  public NodeLoops(String name, int node, Scheduler scheduler, SimulatedNetwork... networks) {
    this.name = name;
    this.node = node;
    this.scheduler = scheduler;
    this.networks = List.of(networks);
  }

  private final class Driven implements Participant {
    private final String name;
    private final ProgressLoop loop;
    private boolean touched = true;
    private boolean closed;

    Driven(String name, ProgressLoop loop) {
      this.name = name;
      this.loop = loop;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean isReady() {
      return touched || loop.hasQueuedWork() || nextNs() <= scheduler.clock().nanoTime();
    }

    @Override
    public long nextNs() {
      long nextNs = loop.timers().nextDeadlineNs();
      for (SimulatedNetwork network : networks) {
        for (SimulatedWire wire : network.wiresOf(node)) {
          nextNs = Math.min(nextNs, wire.nextNs());
        }
      }
      return nextNs;
    }

    @Override
    public void turn() {
      touched = false;
      touched = loop.advance() > 0;
      if (closed && !touched && !loop.hasQueuedWork()) {
        scheduler.remove(this);
        loops.remove(this);
      }
    }
  }

  @Override
  public void opened(String domain, ProgressLoop loop, ProgressMode mode) {
    Driven driven = new Driven(name + " loop " + domain, loop);
    loops.add(driven);
    scheduler.add(driven);
  }

  @Override
  public void closed(String domain, ProgressLoop loop) {
    loops.stream()
        .filter(each -> each.loop == loop)
        .forEach(
            each -> {
              each.closed = true;
              each.touched = true;
            });
  }

  /** Somebody may have called a loop from outside. */
  public void touch() {
    loops.forEach(each -> each.touched = true);
  }

  /** None of them takes turns any more. */
  public void remove() {
    loops.forEach(scheduler::remove);
    loops.clear();
  }
}
