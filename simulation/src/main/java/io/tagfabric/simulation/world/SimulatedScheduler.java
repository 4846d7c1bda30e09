package io.tagfabric.simulation.world;

import akka.actor.AbstractScheduler;
import akka.actor.Cancellable;
import akka.event.LoggingAdapter;
import com.typesafe.config.Config;
import java.util.concurrent.ThreadFactory;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/** Akka's scheduler on the virtual clock; named in the configuration of simulated systems. */
public final class SimulatedScheduler extends AbstractScheduler {
  private final SystemRuntime runtime;

  /** Called by Akka. */
  public SimulatedScheduler(Config config, LoggingAdapter log, ThreadFactory threads) {
    runtime = SimulatedSystems.runtimeOf(config);
  }

  private static final class Once implements Cancellable {
    private final TimedQueue.Timed timed;

    Once(TimedQueue.Timed timed) {
      this.timed = timed;
    }

    @Override
    public boolean cancel() {
      return timed.cancel();
    }

    @Override
    public boolean isCancelled() {
      return timed.isOver();
    }
  }

  /** Schedules itself again after each run, until cancelled. */
  private final class Repeated implements Cancellable, Runnable {
    private final long intervalNs;
    private final Runnable action;
    private final ExecutionContext executor;
    private TimedQueue.Timed next;
    private boolean cancelled;

    Repeated(long intervalNs, Runnable action, ExecutionContext executor) {
      this.intervalNs = intervalNs;
      this.action = action;
      this.executor = executor;
    }

    void begin(long delayNs) {
      next = runtime.schedule(delayNs, this);
    }

    @Override
    public void run() {
      executor.execute(action);
      if (!cancelled) {
        begin(intervalNs);
      }
    }

    @Override
    public boolean cancel() {
      boolean pending = !cancelled;
      cancelled = true;
      next.cancel();
      return pending;
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }
  }

  @Override
  public Cancellable scheduleOnce(
      FiniteDuration delay, Runnable action, ExecutionContext executor) {
    return new Once(runtime.schedule(delay.toNanos(), () -> executor.execute(action)));
  }

  // Akka's own schedulers override it too: there is no other way to repeat something.
  @SuppressWarnings("deprecation")
  @Override
  public Cancellable schedule(
      FiniteDuration initialDelay,
      FiniteDuration interval,
      Runnable action,
      ExecutionContext executor) {
    Repeated repeated = new Repeated(interval.toNanos(), action, executor);
    repeated.begin(initialDelay.toNanos());
    return repeated;
  }

  @Override
  public double maxFrequency() {
    return 1_000_000;
  }
}
