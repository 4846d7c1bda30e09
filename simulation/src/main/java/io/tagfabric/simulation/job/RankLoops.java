package io.tagfabric.simulation.job;

import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.runtime.LoopDriver;
import io.tagfabric.simulation.network.SimulatedNetwork;
import io.tagfabric.simulation.network.SimulatedWire;
import io.tagfabric.simulation.world.Participant;
import io.tagfabric.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.List;

/** Drives the loops of a simulated rank's domains: a turn is a pass. */
final class RankLoops implements LoopDriver {
  private final int rank;
  private final Scheduler scheduler;
  private final SimulatedNetwork network;
  private final List<Driven> loops = new ArrayList<>();

  RankLoops(int rank, Scheduler scheduler, SimulatedNetwork network) {
    this.rank = rank;
    this.scheduler = scheduler;
    this.network = network;
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
      for (SimulatedWire wire : network.wiresOf(rank)) {
        nextNs = Math.min(nextNs, wire.nextNs());
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
    Driven driven = new Driven("rank " + rank + " loop " + domain, loop);
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
  void touch() {
    loops.forEach(each -> each.touched = true);
  }

  void remove() {
    loops.forEach(scheduler::remove);
    loops.clear();
  }
}
