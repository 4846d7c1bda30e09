package io.tagfabric.fabric;

import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.fabric.stats.DomainStats;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.runtime.Environment;
import io.tagfabric.trace.WatchDesk;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Does with a domain what somebody who watches it wants: stands still, takes a step, changes who
 * makes progress; and shows how much waits. A thread of its own looks for commands.
 *
 * <p>A domain stands still while a poll of its loop waits, on whichever thread drives: a pass never
 * runs beside another. A step is one pass. The watcher must keep beating, else the domain goes on
 * too.
 */
final class DomainSteering {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int LOOKS_PER_GAUGE = 4;

  /** Looks without a beat after which nobody watches any more. */
  private static final int PATIENCE_LOOKS = 100;

  private final WatchDesk desk;
  private final ProgressLoop loop;
  private final DomainProgress progress;
  private final Supplier<DomainStats> stats;
  private final Semaphore steps = new Semaphore(0);
  private final ProgressLoop.Step stop = this::stop;
  private volatile boolean frozen;
  private volatile boolean over;
  private long beats;
  private int looksWithoutBeat;
  private int looks;

  private DomainSteering(
      WatchDesk desk, ProgressLoop loop, DomainProgress progress, Supplier<DomainStats> stats) {
    this.desk = desk;
    this.loop = loop;
    this.progress = progress;
    this.stats = stats;
  }

  /**
   * Lets a domain be watched and steered, if its settings say so and it is recorded.
   *
   * @return ends that; null if there is nothing to end
   */
  static DomainSteering begin(
      Settings settings,
      Environment environment,
      String id,
      ProgressLoop loop,
      DomainProgress progress,
      Supplier<DomainStats> stats) {
    WatchDesk desk = loop.recorder().desk();
    if (desk == null
        || !settings.get(FabricSettings.STEERED)
        || environment.loopDriver().isPresent()) {
      return null;
    }
    DomainSteering steering = new DomainSteering(desk, loop, progress, stats);
    steering.show();
    loop.addPoll(steering.stop);
    desk.obey();
    environment.threads().start("tagfabric-steering-" + id, steering::look);
    return steering;
  }

  /** The domain closes: it goes on, and is not steered any more. Thread: any. */
  void end() {
    over = true;
    go();
    loop.removePoll(stop);
  }

  private void look() {
    while (!over) {
      WatchDesk.Command command = desk.next();
      if (command != null) {
        obey(command);
        desk.obeyed(state());
      }
      if (frozen && isAlone()) {
        go();
        show();
      }
      if (looks++ % LOOKS_PER_GAUGE == 0 && !frozen) {
        gauge(stats.get());
      }
      loop.time().park(this, LOOK_NS);
    }
  }

  private boolean isAlone() {
    long now = desk.beats();
    looksWithoutBeat = now == beats ? looksWithoutBeat + 1 : 0;
    beats = now;
    return looksWithoutBeat > PATIENCE_LOOKS;
  }

  private void obey(WatchDesk.Command command) {
    switch (command) {
      case FREEZE -> freeze();
      case GO -> go();
      case STEP -> steps.release(frozen ? 1 : 0);
      case AUTO -> progress.switchTo(ProgressMode.AUTO);
      case MANUAL -> progress.switchTo(ProgressMode.MANUAL);
    }
  }

  private void freeze() {
    if (!frozen && !over) {
      frozen = true;
      looksWithoutBeat = 0;
      steps.drainPermits();
      loop.hold(true);
      loop.wakeResident();
      loop.wake();
    }
  }

  private void go() {
    frozen = false;
    loop.hold(false);
    steps.release();
  }

  /** In each pass: while it waits, nothing else happens on the loop. */
  private int stop() {
    if (frozen) {
      gauge(stats.get());
      steps.acquireUninterruptibly();
    }
    return 0;
  }

  private WatchDesk.State state() {
    return new WatchDesk.State(frozen, progress.mode() == ProgressMode.MANUAL, progress.switches());
  }

  private void show() {
    desk.show(state());
  }

  private void gauge(DomainStats now) {
    Map<String, Long> values = now.values();
    desk.show(
        new WatchDesk.Gauges(
            values.getOrDefault("posted-receives", 0L),
            values.getOrDefault("unexpected-messages", 0L),
            values.getOrDefault("unexpected-bytes", 0L),
            values.getOrDefault("waiting-sends", 0L),
            loop.hasWaiters()));
  }
}
