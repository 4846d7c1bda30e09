package io.tagfabric.progress;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;

/**
 * Drives a domain's loop in AUTO mode. An actor on a pinned dispatcher: it runs passes for a short
 * while, tells itself to go on, and so stays answerable to its other messages in between.
 *
 * <p>With nothing to do it spins, yields and parks as its {@link IdlePolicy} says; parked it uses
 * no processor, and a mailbox enqueue wakes it. While an application thread waits on the same loop
 * that thread drives and this one sleeps.
 *
 * <p>Whoever tells it something calls {@link ProgressLoop#wakeResident()} afterwards, so that a
 * parked thread looks at its mailbox.
 *
 * @source libfabric fi_psm(7), FI_PSM_PROG_INTERVAL and FI_PSM_PROG_AFFINITY
 */
public final class ProgressThread extends AbstractBehavior<ProgressThread.Command> {
  /** What a progress thread can be told. */
  public sealed interface Command {}

  /** Stop driving until {@link Resume}; answers once the last pass has ended. */
  public record Pause(ActorRef<Paused> replyTo) implements Command {}

  /** Drive again. */
  public enum Resume implements Command {
    INSTANCE
  }

  /** End this actor; the loop is then driven by waits only. */
  public enum Stop implements Command {
    INSTANCE
  }

  private enum DriveTick implements Command {
    INSTANCE
  }

  /** Answer to {@link Pause}. */
  public enum Paused {
    INSTANCE
  }

  private static final long SLICE_NS = 2_000_000L;

  private final ProgressLoop loop;
  private final IdlePolicy idle;
  private boolean driving = true;
  private boolean tickQueued;

  private ProgressThread(ActorContext<Command> context, ProgressLoop loop, IdlePolicy idle) {
    super(context);
    this.loop = loop;
    this.idle = idle;
    continueDriving();
  }

  /** The actor; spawn it on a pinned dispatcher, it occupies its thread. */
  public static Behavior<Command> create(ProgressLoop loop, IdlePolicy idle) {
    return create(loop, idle, CoreSet.NONE);
  }

  /** The same, bound to cores. */
  public static Behavior<Command> create(ProgressLoop loop, IdlePolicy idle, CoreSet cores) {
    return Behaviors.setup(
        context -> {
          CoreBinding.bindCurrentThread(cores);
          return new ProgressThread(context, loop, idle);
        });
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(DriveTick.class, notUsed -> onDriveTick())
        .onMessage(Pause.class, this::onPause)
        .onMessage(Resume.class, notUsed -> onResume())
        .onMessage(Stop.class, notUsed -> onStop())
        .build();
  }

  private Behavior<Command> onDriveTick() {
    tickQueued = false;
    if (driving) {
      try {
        driveSlice();
      } catch (InternalError e) {
        // The JVM tells of memory that has gone when it gets to it, if need be after the pass.
        getContext().getLog().error("memory below the progress loop has gone", e);
      }
      continueDriving();
    }
    return this;
  }

  private Behavior<Command> onPause(Pause pause) {
    driving = false;
    pause.replyTo().tell(Paused.INSTANCE);
    return this;
  }

  private Behavior<Command> onResume() {
    driving = true;
    continueDriving();
    return this;
  }

  private Behavior<Command> onStop() {
    return Behaviors.stopped();
  }

  private void continueDriving() {
    if (!tickQueued) {
      tickQueued = true;
      getContext().getSelf().tell(DriveTick.INSTANCE);
    }
  }

  /**
   * A step that fails is a defect, but no reason for the domain to stand still. An internal error
   * of the JVM is mapped memory that has gone, and no reason to end the process.
   */
  private int advance() {
    try {
      return loop.advance();
    } catch (RuntimeException | InternalError e) {
      getContext().getLog().error("a pass of the progress loop failed", e);
      return 0;
    }
  }

  /** Whether it tells this itself, and so need not be woken for it. */
  static boolean isOwn(Object message) {
    return message == DriveTick.INSTANCE;
  }

  /** Passes for a while; ends early after a sleep, because a message may be the reason to wake. */
  private void driveSlice() {
    TimeSource time = loop.time();
    long startNs = time.nanoTime();
    long idleSinceNs = startNs;
    while (true) {
      boolean waitersDrive = loop.hasWaiters();
      int work = waitersDrive ? 0 : advance();
      long nowNs = time.nanoTime();
      if (work > 0) {
        idleSinceNs = nowNs;
      }
      long idleNs = nowNs - idleSinceNs;
      if (waitersDrive || idleNs >= idle.spinNs() + idle.yieldNs()) {
        loop.parkResident(idle.maxParkNs());
        return;
      }
      if (work == 0) {
        if (idleNs < idle.spinNs()) {
          Thread.onSpinWait();
        } else {
          Thread.yield();
        }
      }
      if (nowNs - startNs >= SLICE_NS && work > 0) {
        return;
      }
    }
  }
}
