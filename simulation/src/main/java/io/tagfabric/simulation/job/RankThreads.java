package io.tagfabric.simulation.job;

import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.ProcessEnded;
import io.tagfabric.runtime.Threads;
import io.tagfabric.simulation.world.Baton;
import io.tagfabric.simulation.world.Participant;
import io.tagfabric.simulation.world.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/** The threads of a simulated rank: each runs while it has the baton, and gives it to wait. */
final class RankThreads implements Threads {
  private static final long NEVER = Long.MAX_VALUE;

  private final SimulatedRank rank;
  private final Scheduler scheduler;
  private final List<Running> running = new ArrayList<>();
  private int count;

  RankThreads(SimulatedRank rank, Scheduler scheduler) {
    this.rank = rank;
    this.scheduler = scheduler;
  }

  /** A thread of the rank, as one that takes turns. */
  final class Running implements Participant {
    private final Baton baton;
    private final boolean daemon;
    private Throwable failure;

    private Running(String name, boolean daemon, Runnable task) {
      this.daemon = daemon;
      String full = "rank " + rank.number() + " " + name + " " + count++;
      baton =
          new Baton(
              scheduler,
              full,
              () ->
                  Environment.within(
                      rank,
                      () -> {
                        run(task);
                        return null;
                      }));
      baton.thread().setContextClassLoader(rank.loader());
    }

    private void run(Runnable task) {
      try {
        task.run();
      } catch (ProcessEnded ended) {
        // that is how its thread ends
      } catch (RuntimeException | Error thrown) {
        failure = thrown;
        Thread.UncaughtExceptionHandler handler =
            Thread.currentThread().getUncaughtExceptionHandler();
        if (handler instanceof ThreadGroup) {
          rank.process().say("Exception in thread \"" + name() + "\" " + picture(thrown));
        } else {
          handler.uncaughtException(Thread.currentThread(), thrown);
        }
      }
    }

    boolean isOver() {
      return baton.isOver();
    }

    boolean isDaemon() {
      return daemon;
    }

    Throwable failure() {
      return failure;
    }

    Thread thread() {
      return baton.thread();
    }

    @Override
    public String name() {
      return baton.name();
    }

    @Override
    public boolean isReady() {
      return baton.isReady();
    }

    @Override
    public long nextNs() {
      return baton.nextNs();
    }

    @Override
    public void turn() {
      baton.turn();
      rank.touch();
      if (baton.isOver()) {
        scheduler.remove(this);
        running.remove(this);
        rank.onThreadOver(this);
      }
    }
  }

  /** As a JVM shows it, without what it leaves out of causes. */
  private static String picture(Throwable thrown) {
    StringBuilder text = new StringBuilder(thrown.toString());
    for (StackTraceElement frame : thrown.getStackTrace()) {
      text.append("\n\tat ").append(frame);
    }
    Throwable cause = thrown.getCause();
    return cause == null ? text.toString() : text + "\nCaused by: " + picture(cause);
  }

  /** Starts a thread. */
  Running begin(String name, boolean daemon, Runnable task) {
    Running thread = new Running(name, daemon, task);
    running.add(thread);
    scheduler.add(thread);
    return thread;
  }

  Running begin(String name, Runnable task) {
    return begin(name, true, task);
  }

  @Override
  public Thread start(String name, boolean daemon, Runnable task) {
    return begin(name, daemon, task).thread();
  }

  /** Waits for a condition; false if the time was over first. */
  boolean await(BooleanSupplier condition, long deadlineNs) {
    Baton baton = Baton.current();
    return baton == null
        ? scheduler.runUntil(condition, deadlineNs)
        : condition.getAsBoolean() || baton.await(condition, deadlineNs);
  }

  long deadline(long timeoutNs) {
    long nowNs = scheduler.clock().nanoTime();
    return timeoutNs >= NEVER - nowNs ? NEVER : nowNs + timeoutNs;
  }

  @Override
  public boolean await(Future<?> future, Duration timeout) {
    return await(future::isDone, deadline(timeout.toNanos()))
        && !(future instanceof CompletableFuture<?> stage && stage.isCompletedExceptionally());
  }

  @Override
  public void await(Thread thread) {
    await(
        () -> running.stream().noneMatch(each -> each.thread() == thread && !each.isOver()), NEVER);
  }

  @Override
  public <T> T join(CompletableFuture<T> future) {
    await(future::isDone, NEVER);
    return future.join();
  }

  boolean isBusy() {
    return running.stream().anyMatch(each -> !each.isDaemon() && !each.isOver());
  }

  /** Ends all, where they wait. Thread: the simulation's. */
  void endAll() {
    for (Running each : List.copyOf(running)) {
      scheduler.remove(each);
      each.baton.end();
    }
    running.clear();
  }
}
