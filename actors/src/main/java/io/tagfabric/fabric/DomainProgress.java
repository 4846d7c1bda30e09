package io.tagfabric.fabric;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import io.tagfabric.progress.CoreBinding;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressSettings;
import io.tagfabric.progress.ProgressThread;
import io.tagfabric.progress.ThreadUse;
import io.tagfabric.runtime.Environment;
import io.tagfabric.trace.Recorder;

/**
 * The progress thread of one domain, if it has one: started with the domain or later, stopped with
 * it. Thread: any.
 */
final class DomainProgress {
  private static final int BUSY_PASSES_PER_CLOCK = 16;

  private final ActorSystem<?> system;
  private final Environment environment;
  private final String domain;
  private final String id;
  private final ProgressLoop loop;
  private final ProgressSettings settings;

  private ProgressThread.Handle thread;
  private boolean stopped;
  private boolean paused;

  /**
   * No thread yet.
   *
   * @param domain its name
   * @param id what the actor is named after
   */
  DomainProgress(
      ActorSystem<?> system,
      Environment environment,
      String domain,
      String id,
      ProgressLoop loop,
      ProgressSettings settings) {
    this.system = system;
    this.environment = environment;
    this.domain = domain;
    this.id = id;
    this.loop = loop;
    this.settings = settings;
  }

  /** The loop of a domain that is being opened. */
  static ProgressLoop loop(
      ActorSystem<?> system,
      Environment environment,
      ProgressSettings settings,
      Recorder recorder) {
    boolean isDriven = environment.loopDriver().isPresent();
    // A progress thread is a second one; where a simulation drives, it is another one each time.
    ThreadUse threads =
        settings.mode() == ProgressMode.MANUAL && !isDriven ? settings.threads() : ThreadUse.ANY;
    ProgressLoop loop =
        new ProgressLoop(
            environment.time(),
            BUSY_PASSES_PER_CLOCK,
            settings.handOver(),
            settings.pacing().pollMode(),
            threads,
            recorder);
    if (settings.movesWaiters() && !isDriven) {
      loop.moveWaiters(
          () -> CoreBinding.moveAway(system.executionContext()),
          bound -> (int) Long.remainderUnsigned(environment.random().nextLong(), bound));
    }
    return loop;
  }

  private boolean mayHaveThread() {
    return settings.mode() == ProgressMode.AUTO && environment.loopDriver().isEmpty();
  }

  /** The domain is open. */
  void begin() {
    if (mayHaveThread() && !settings.pacing().deferred()) {
      start();
    }
  }

  /** As {@link Domain#startProgress}. */
  synchronized void start() {
    requireThread();
    if (stopped) {
      throw new IllegalStateException("domain [" + domain + "] is closed, open another");
    }
    if (thread == null) {
      thread =
          ProgressThread.start(
              system, id, loop, settings.resident(), settings.cores(), settings.pacing());
    }
  }

  private void requireThread() {
    if (!mayHaveThread()) {
      throw new IllegalStateException(
          "progress mode="
              + settings.mode()
              + " of domain ["
              + domain
              + "] is not AUTO, so it has no progress thread: open it with ProgressMode.AUTO, or"
              + " drive it by reads and waits");
    }
  }

  /** As {@link Domain#progress}. */
  synchronized ActorRef<ProgressThread.Command> ref() {
    requireThread();
    if (thread == null) {
      throw new IllegalStateException(
          "the progress thread of domain ["
              + domain
              + "] is deferred and not started, call startProgress() first");
    }
    return thread.ref();
  }

  /** What makes progress now: MANUAL too while somebody who watches has paused the thread. */
  synchronized ProgressMode mode() {
    return paused ? ProgressMode.MANUAL : settings.mode();
  }

  /** Whether it can be changed: there is a thread. */
  synchronized boolean switches() {
    return thread != null;
  }

  /** Pauses the thread, so that only threads of the application drive, or lets it go on. */
  synchronized void switchTo(ProgressMode mode) {
    boolean pause = mode == ProgressMode.MANUAL;
    if (thread == null || pause == paused) {
      return;
    }
    paused = pause;
    thread
        .ref()
        .tell(
            pause ? new ProgressThread.Pause(system.ignoreRef()) : ProgressThread.Resume.INSTANCE);
  }

  /** The domain is closed. */
  synchronized void stop() {
    stopped = true;
    if (thread != null) {
      thread.stop();
    }
  }
}
