package io.tagfabric.runtime;

import akka.actor.AbstractScheduler;
import akka.actor.Cancellable;
import akka.actor.Scheduler;
import akka.actor.SchedulerException;
import akka.dispatch.MessageDispatcher;
import akka.event.LoggingAdapter;
import com.typesafe.config.Config;
import io.tagfabric.annotation.InternalApi;
import io.tagfabric.progress.TimeSource;
import java.io.Closeable;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/**
 * The scheduler of a rank's ActorSystem. Its one thread sleeps until the next deadline, while
 * Akka's own wakes at every tick, whether anything is due or not.
 *
 * <p>{@code akka.scheduler.implementation} in {@code tagfabric/job.conf} names it. Thread: any.
 */
@InternalApi
public final class DeadlineScheduler extends AbstractScheduler implements Closeable {
  /** It is the scheduler of real time; another time has another scheduler. */
  private static final TimeSource TIME = TimeSource.SYSTEM;

  private static final double MAX_FREQUENCY_HZ = 1000;

  /** Shorter delays end when they end. */
  private static final long MIN_TICK_NS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final Set<String> OF_AKKA =
      Set.of("akka.actor.internal-dispatcher", "akka.remote.default-remote-dispatcher");

  /** The class of what {@link Scheduler} makes of a task with a fixed delay. */
  private static final String REPEATED = Scheduler.class.getName() + "$$anon$1$$anon$";

  private final ScheduledThreadPoolExecutor deadlines;
  private final LoggingAdapter log;
  private final Set<Timer> runOnClose = ConcurrentHashMap.newKeySet();

  /** As Akka calls it. */
  public DeadlineScheduler(Config config, LoggingAdapter log, ThreadFactory threads) {
    this.log = log;
    deadlines = new ScheduledThreadPoolExecutor(1, threads);
    deadlines.setRemoveOnCancelPolicy(true);
  }

  /**
   * Runs a task once. Akka repeats some tasks for itself ({@link #isTick}). Those with the same
   * delay run at the same moment in all ranks of a host: each takes a core from its rank, and the
   * ranks that exchange messages with it wait meanwhile.
   *
   * @throws IllegalStateException after {@link #close}
   */
  @Override
  public Cancellable scheduleOnce(FiniteDuration delay, Runnable task, ExecutionContext executor) {
    long delayNs = delay.toNanos();
    if (isTick(task, delayNs, executor)) {
      long nowNs = TIME.nanoTime();
      delayNs = tickNs(nowNs, delayNs) - nowNs;
    }
    return new Timer(task, 0, executor).start(delayNs);
  }

  /** Whether a task is one that Akka repeats for itself, so long after each run. */
  static boolean isTick(Runnable task, long delayNs, ExecutionContext executor) {
    return delayNs >= MIN_TICK_NS
        && executor instanceof MessageDispatcher dispatcher
        && OF_AKKA.contains(dispatcher.id())
        && task.getClass().getName().startsWith(REPEATED);
  }

  /**
   * The multiple of a delay that is nearest to its end. The clocks of a host's processes agree, so
   * it is the same moment in all its ranks.
   */
  static long tickNs(long nowNs, long delayNs) {
    return Math.floorDiv(nowNs + delayNs + delayNs / 2, delayNs) * delayNs;
  }

  /**
   * Runs a task again and again until it throws {@link SchedulerException}, which is how Akka ends
   * a schedule whose receiver has stopped. A run that is late does not move those after it.
   *
   * @throws IllegalStateException after {@link #close}
   */
  @Override
  @SuppressWarnings("deprecation") // Akka's other schedules are made of it
  public Cancellable schedule(
      FiniteDuration initialDelay,
      FiniteDuration interval,
      Runnable task,
      ExecutionContext executor) {
    return new Timer(task, interval.toNanos(), executor).start(initialDelay.toNanos());
  }

  @Override
  public double maxFrequency() {
    return MAX_FREQUENCY_HZ;
  }

  /** Forgets what is not due yet, but for tasks that ask to run at the end. Idempotent. */
  @Override
  public void close() {
    deadlines.shutdownNow();
    for (Timer timer : runOnClose) {
      timer.execute();
    }
  }

  private final class Timer implements Cancellable, Runnable {
    private final Runnable task;
    private final long intervalNs;
    private final ExecutionContext executor;

    /** The others stay out of the set: hashes of what is locked too cost more than the timer. */
    private final boolean runsOnClose;

    private long dueNs;
    private Future<?> pending;
    private boolean cancelled;
    private boolean done;

    Timer(Runnable task, long intervalNs, ExecutionContext executor) {
      this.task = task;
      this.intervalNs = intervalNs;
      this.executor = executor;
      runsOnClose = task instanceof Scheduler.TaskRunOnClose;
    }

    Timer start(long delayNs) {
      dueNs = TIME.nanoTime() + Math.max(0, delayNs);
      if (runsOnClose) {
        runOnClose.add(this);
      }
      try {
        arm();
      } catch (RejectedExecutionException closed) {
        forget();
        // Akka's repeated tasks end without a word for this cause only.
        throw new IllegalStateException(
            "the scheduler is closed", SchedulerException.apply("cannot enqueue after shutdown"));
      }
      return this;
    }

    private void forget() {
      if (runsOnClose) {
        runOnClose.remove(this);
      }
    }

    /** The deadline has come; thread: the scheduler's. */
    @Override
    public void run() {
      try {
        execute();
      } catch (RuntimeException failure) {
        log.error(failure, "a task could not be handed to its executor");
      }
    }

    void execute() {
      forget();
      if (claim()) {
        executor.execute(intervalNs == 0 ? task : this::repeat);
      }
    }

    private synchronized boolean claim() {
      if (cancelled || done) {
        return false;
      }
      done = intervalNs == 0;
      return true;
    }

    private void repeat() {
      try {
        task.run();
      } catch (SchedulerException receiverStopped) {
        cancel();
        return;
      }
      dueNs += intervalNs;
      try {
        arm();
      } catch (RejectedExecutionException closed) {
        cancel();
      }
    }

    private synchronized void arm() {
      if (!cancelled) {
        pending =
            deadlines.schedule(this, Math.max(0, dueNs - TIME.nanoTime()), TimeUnit.NANOSECONDS);
      }
    }

    @Override
    public synchronized boolean cancel() {
      if (cancelled || done) {
        return false;
      }
      cancelled = true;
      if (pending != null) {
        pending.cancel(false);
      }
      forget();
      return true;
    }

    @Override
    public synchronized boolean isCancelled() {
      return cancelled;
    }
  }
}
