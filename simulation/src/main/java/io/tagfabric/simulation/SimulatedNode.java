package io.tagfabric.simulation;

import io.tagfabric.address.EndpointAddress;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.complete.Counter;
import io.tagfabric.complete.CounterUnit;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.progress.HandOver;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.simulation.network.SimulatedNetwork;
import io.tagfabric.simulation.network.SimulatedWire;
import io.tagfabric.simulation.world.Participant;
import io.tagfabric.simulation.world.Scheduler;
import io.tagfabric.simulation.world.SimulatedSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One node of a {@link SimulatedFabric}: an ActorSystem, a domain in it, and an endpoint. Its turns
 * are passes of the domain's loop. Thread: the simulation's.
 */
@InternalApi
public final class SimulatedNode implements Participant {
  private static final int QUEUE_CAPACITY = 1 << 10;
  private static final int CLOSING_TURNS = 100_000;

  private final Scheduler scheduler;
  private final SimulatedNetwork network;
  private final SimulatedSystem system;
  private final int number;
  private final String name;
  private final Domain domain;
  private final Endpoint endpoint;
  private final Counter sendCounter;
  private final Counter receiveCounter;
  private final List<SimulatedWire> wires;
  private boolean touched;
  private boolean paused;
  private boolean crashed;

  SimulatedNode(
      Scheduler scheduler,
      SimulatedNetwork network,
      SimulatedSystem system,
      int number,
      String name,
      HandOver handOver,
      EndpointSettings settings,
      int queueCapacity,
      CounterUnit counting) {
    this.scheduler = scheduler;
    this.network = network;
    this.system = system;
    this.number = number;
    this.name = name;
    domain =
        system
            .fabric()
            .openDomain(
                name,
                system
                    .fabric()
                    .progressDefaults()
                    .withMode(ProgressMode.MANUAL)
                    .withHandOver(handOver));
    int capacity = queueCapacity > 0 ? queueCapacity : QUEUE_CAPACITY;
    sendCounter = counting == null ? null : domain.openCounter(counting);
    receiveCounter = counting == null ? null : domain.openCounter(counting);
    endpoint =
        domain.openEndpoint(
            name,
            EndpointBindings.to(
                    domain.openCompletionQueue(capacity), domain.openCompletionQueue(capacity))
                .countingSends(sendCounter)
                .countingReceives(receiveCounter),
            settings == null ? domain.endpointDefaults() : settings);
    wires = new ArrayList<>(network.wiresOf(number));
  }

  /** Counted from 0 in the order of opening. */
  public int number() {
    return number;
  }

  @Override
  public String name() {
    return name;
  }

  /** Its domain, in MANUAL progress: a wait on it gives turns to all. */
  public Domain domain() {
    return domain;
  }

  /** Its endpoint. */
  public Endpoint endpoint() {
    return endpoint;
  }

  /** Counts its sends; null if nothing does. */
  public Counter sendCounter() {
    return sendCounter;
  }

  /** Counts its receives; null if nothing does. */
  public Counter receiveCounter() {
    return receiveCounter;
  }

  /** Where it is. */
  public EndpointAddress address() {
    return endpoint.address();
  }

  /** A program has called it from outside, so its next pass finds something. */
  public void touch() {
    touched = true;
  }

  /** Runs something inside its passes now and then, as a listener would. */
  public void insidePasses(Runnable action) {
    wires.forEach(wire -> wire.betweenArrivals(action));
  }

  /** Takes no turns from now on, and its actors outside the domain neither. */
  public void pause() {
    paused = true;
    system.pause(true);
  }

  /** Ends a {@link #pause}. */
  public void resume() {
    paused = false;
    system.pause(false);
  }

  /** Whether it stands still. */
  public boolean isPaused() {
    return paused;
  }

  /** Whether it has crashed. */
  public boolean isCrashed() {
    return crashed;
  }

  @Override
  public boolean isReady() {
    if (paused || crashed) {
      return false;
    }
    if (touched || domain.loop().hasQueuedWork() || timerNs() <= scheduler.clock().nanoTime()) {
      return true;
    }
    for (int i = 0; i < wires.size(); i++) {
      if (wires.get(i).isReady()) {
        return true;
      }
    }
    return false;
  }

  private long timerNs() {
    return domain.loop().timers().nextDeadlineNs();
  }

  @Override
  public long nextNs() {
    if (paused || crashed) {
      return Long.MAX_VALUE;
    }
    long nextNs = timerNs();
    for (int i = 0; i < wires.size(); i++) {
      nextNs = Math.min(nextNs, wires.get(i).nextNs());
    }
    return nextNs;
  }

  /** A pass. */
  @Override
  public void turn() {
    touched = false;
    touched = domain.loop().advance() > 0;
  }

  void crash() {
    if (!crashed) {
      crashed = true;
      scheduler.remove(this);
      network.crash(number);
    }
  }

  /** Closes the domain and lets its actors end. */
  void close(Duration drainTimeout) {
    scheduler.remove(this);
    domain.close(drainTimeout);
    for (int i = 0; i < CLOSING_TURNS; i++) {
      int work = domain.loop().advance();
      system.runAll();
      if (work == 0 && !domain.loop().hasQueuedWork()) {
        break;
      }
    }
    domain.loop().retire();
    system.end();
  }

  @Override
  public String toString() {
    return name;
  }
}
