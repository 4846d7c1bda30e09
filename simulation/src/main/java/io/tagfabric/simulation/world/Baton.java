package io.tagfabric.simulation.world;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * A program thread as a participant: it runs only while it has the baton, from a turn until it
 * waits for something, and then gives the baton back. So of all threads of a simulation one runs at
 * a time, and the scheduler decides which.
 *
 * <pre>
 *  Baton baton = new Baton(scheduler, "rank 1", () -&gt; program.run());
 *  baton.start();                       // first turn when the scheduler says so
 *  ...                                  // inside the program, where it would block:
 *  Baton.current().await(() -&gt; done, deadlineNs);
 * </pre>
 */
public final class Baton implements Participant {
  private static final ThreadLocal<Baton> CURRENT = new ThreadLocal<>();

  /** Thrown inside a program thread that is to end now: its rank was killed or has exited. */
  public static final class Ended extends Error {
    private static final long serialVersionUID = 1L;

    Ended() {
      super("the simulated process has ended", null, false, false);
    }
  }

  private final Scheduler scheduler;
  private final String name;
  private final Thread thread;
  private final Semaphore toProgram = new Semaphore(0);
  private final Semaphore toScheduler = new Semaphore(0);
  private BooleanSupplier condition = () -> true;
  private long deadlineNs = Long.MAX_VALUE;
  private Throwable failure;
  private boolean begun;
  private boolean over;
  private boolean ending;

  /**
   * A program.
   *
   * @param program runs on a thread of its own; what it throws is kept as {@link #failure}
   */
  public Baton(Scheduler scheduler, String name, Runnable program) {
    this.scheduler = scheduler;
    this.name = name;
    thread = new Thread(() -> run(program), "simulated " + name);
    thread.setDaemon(true);
  }

  /** The one that the calling thread runs for; null on the simulation's own thread. */
  public static Baton current() {
    return CURRENT.get();
  }

  /** Lets it take turns. */
  public Baton start() {
    scheduler.add(this);
    return this;
  }

  /** The program's thread, to set what belongs to it before it starts. */
  public Thread thread() {
    return thread;
  }

  private void run(Runnable program) {
    CURRENT.set(this);
    toProgram.acquireUninterruptibly();
    try {
      if (!ending) {
        program.run();
      }
    } catch (Ended e) {
      // as it was told
    } catch (Throwable e) {
      failure = e;
    } finally {
      over = true;
      toScheduler.release();
    }
  }

  /**
   * Gives the baton back until a condition holds. Thread: the program's.
   *
   * @param condition looked at by the scheduler, outside of turns
   * @param deadlineNs on the scheduler's clock
   * @return false if the deadline passed first
   * @throws Ended if the program is to end
   */
  public boolean await(BooleanSupplier condition, long deadlineNs) {
    requireEndsNot();
    this.condition = condition;
    this.deadlineNs = deadlineNs;
    toScheduler.release();
    toProgram.acquireUninterruptibly();
    requireEndsNot();
    return condition.getAsBoolean();
  }

  /** Sleeps on the virtual clock. Thread: the program's. */
  public void sleep(long durationNs) {
    await(() -> false, scheduler.clock().nanoTime() + durationNs);
  }

  private void requireEndsNot() {
    if (ending) {
      throw new Ended();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isReady() {
    return !over && (condition.getAsBoolean() || deadlineNs <= scheduler.clock().nanoTime());
  }

  @Override
  public long nextNs() {
    return over ? Long.MAX_VALUE : deadlineNs;
  }

  @Override
  public void turn() {
    if (!begun) {
      begun = true;
      thread.start();
    }
    toProgram.release();
    toScheduler.acquireUninterruptibly();
  }

  /** Whether the program has returned, failed, or was ended. */
  public boolean isOver() {
    return over;
  }

  /** What the program threw, null if nothing. */
  public Throwable failure() {
    return failure;
  }

  /**
   * Ends the program where it waits, by an {@link Ended} there, and takes it from the scheduler. A
   * program that waits again while it ends is told again. Thread: the simulation's.
   */
  public void end() {
    scheduler.remove(this);
    ending = true;
    while (begun && !over) {
      toProgram.release();
      toScheduler.acquireUninterruptibly();
    }
    over = true;
  }
}
