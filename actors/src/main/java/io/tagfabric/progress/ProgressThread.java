package io.tagfabric.progress;

import akka.actor.DeadLetterSuppression;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import java.util.Objects;

/**
 * Drives a domain's loop in AUTO mode. An actor on a pinned dispatcher: it runs passes for a short
 * while, tells itself to go on, and so stays answerable to its other messages in between.
 *
 * <p>With nothing to do it spins, yields and parks as its {@link IdlePolicy} says, and yields for
 * longer while messages follow one another closely ({@link YieldPace}); parked it uses no
 * processor, and work for the loop or a message to this actor wakes it. While an application thread
 * waits on the same loop that thread drives and this one sleeps.
 *
 * @source libfabric fi_psm(7), FI_PSM_PROG_INTERVAL and FI_PSM_PROG_AFFINITY
 */
public final class ProgressThread extends AbstractBehavior<ProgressThread.Command> {
  /** What a progress thread can be told. */
  public sealed interface Command {}

  /**
   * Stop driving until {@link Resume}; answers once the last pass has ended. Threads that wait on
   * the loop, or read and find nothing, still drive it.
   */
  public record Pause(ActorRef<Paused> replyTo) implements Command {
    public Pause {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** Drive again. */
  public enum Resume implements Command {
    INSTANCE
  }

  /** Tell what the thread does. */
  public record GetState(ActorRef<State> replyTo) implements Command {
    public GetState {
      Objects.requireNonNull(replyTo, "replyTo");
    }
  }

  /** End this actor; the loop is then driven by waits only. From {@link Handle}. */
  private enum Stop implements Command {
    INSTANCE
  }

  /** The last one is left in the mailbox when the actor stops, which nobody needs to hear of. */
  private enum DriveTick implements Command, DeadLetterSuppression {
    INSTANCE
  }

  /** Answer to {@link Pause}. */
  public enum Paused {
    INSTANCE
  }

  /**
   * What a progress thread does.
   *
   * @param driving false between {@link Pause} and {@link Resume}
   * @param passes of the loop that this thread has driven; those of waiting threads do not count
   * @param sleeps how often it has parked
   */
  public record State(boolean driving, long passes, long sleeps) {}

  /** A progress thread in the hands of the domain that has started it. */
  public static final class Handle {
    private final ActorRef<Command> ref;

    private Handle(ActorRef<Command> ref) {
      this.ref = ref;
    }

    /** To pause it, and to ask it. */
    public ActorRef<Command> ref() {
      return ref;
    }

    /** Ends the thread; the domain is then driven by waits only. */
    public void stop() {
      ref.tell(Stop.INSTANCE);
    }
  }

  private static final String DISPATCHER = "tagfabric.progress.dispatcher";
  private static final long SLICE_NS = 2_000_000L;

  /** How often it lets others run before it sleeps for a moment, while somebody has the loop. */
  private static final int YIELDS_WHILE_TAKEN = 4;

  /** Each such sleep takes twice as long as the one before, up to this. */
  private static final long LONGEST_SLEEP_TAKEN_NS = 1_000_000L;

  /** So often it sleeps again beside waits that drive before it reads its mail. */
  private static final int MORE_SLEEPS = 16;

  private final ProgressLoop loop;
  private final IdlePolicy idle;
  private final boolean exclusive;
  private final WakeUpPace pace;
  private final YieldPace yields;
  private boolean driving = true;
  private boolean tickQueued;
  private long passes;
  private long sleeps;
  private long idleSinceNs;
  private boolean parkedLast;
  private long sleepTakenNs = ProgressLoop.TAKEN_NS;

  private ProgressThread(
      ActorContext<Command> context, ProgressLoop loop, IdlePolicy idle, ProgressPacing pacing) {
    super(context);
    this.loop = loop;
    this.idle = idle;
    exclusive = pacing.pollMode() == PollMode.EXCLUSIVE;
    idleSinceNs = loop.time().nanoTime();
    pace = new WakeUpPace(pacing, idleSinceNs);
    yields = new YieldPace(idle.yieldNs(), pacing.closeYieldNs());
    continueDriving();
  }

  /**
   * Starts the actor, on a thread of its own that has the same name.
   *
   * @param domain the name of the domain that owns the loop; the actor and its thread are named
   *     after it
   * @param cores that the thread is bound to
   * @param pacing how it shares time and loop
   */
  public static Handle start(
      ActorSystem<?> system,
      String domain,
      ProgressLoop loop,
      IdlePolicy idle,
      CoreSet cores,
      ProgressPacing pacing) {
    String name = "tagfabric-progress-" + domain;
    GuardedMailbox.wake(system, name, loop);
    return new Handle(
        system.systemActorOf(
            create(loop, idle, cores, pacing), name, GuardedMailbox.propsOn(DISPATCHER)));
  }

  private static Behavior<Command> create(
      ProgressLoop loop, IdlePolicy idle, CoreSet cores, ProgressPacing pacing) {
    return Behaviors.setup(
        context -> {
          String name = context.getSelf().path().name();
          GuardedMailbox.forget(context.getSystem(), name); // its mailbox is there and knows
          Thread.currentThread().setName(name);
          CoreBinding.bindCurrentThread(cores);
          return new ProgressThread(context, loop, idle, pacing);
        });
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(DriveTick.class, notUsed -> onDriveTick())
        .onMessage(Pause.class, this::onPause)
        .onMessage(Resume.class, notUsed -> onResume())
        .onMessage(GetState.class, this::onGetState)
        .onMessage(Stop.class, notUsed -> onStop())
        .onSignal(PostStop.class, notUsed -> onEnd())
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
    loop.disown();
    pause.replyTo().tell(Paused.INSTANCE);
    return this;
  }

  private Behavior<Command> onResume() {
    driving = true;
    continueDriving();
    return this;
  }

  private Behavior<Command> onGetState(GetState get) {
    get.replyTo().tell(new State(driving, passes, sleeps));
    return this;
  }

  private Behavior<Command> onStop() {
    return Behaviors.stopped();
  }

  /** Others may drive what is left. */
  private Behavior<Command> onEnd() {
    loop.disown();
    return this;
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
    passes++;
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
    if (exclusive) {
      loop.own();
    }
    TimeSource time = loop.time();
    long startNs = time.nanoTime();
    long beforeNs = startNs;
    int timesTaken = 0;
    while (true) {
      boolean waitersDrive = !exclusive && (loop.hasWaiters() || leavesToWaits());
      int work = waitersDrive ? 0 : advance();
      if (work == 0 && loop.sleptAsHeld(Long.MAX_VALUE)) {
        return;
      }
      if (work == 0 && !waitersDrive && loop.isTaken()) {
        // Who has it may wait for this very core, and no bell rings for what it has left.
        if (++timesTaken > YIELDS_WHILE_TAKEN) {
          loop.parkWhileTaken(sleepTakenNs);
          sleepTakenNs = Math.min(2 * sleepTakenNs, LONGEST_SLEEP_TAKEN_NS);
          return;
        }
        Thread.yield();
        continue;
      }
      timesTaken = 0;
      sleepTakenNs = ProgressLoop.TAKEN_NS;
      long nowNs = time.nanoTime();
      if (work > 0) {
        yields.found(beforeNs - idleSinceNs);
        idleSinceNs = nowNs;
        pace.worked();
      }
      if (waitersDrive || loop.hasOnlookers()) {
        yields.othersWait();
      }
      beforeNs = nowNs;
      long idleNs = nowNs - idleSinceNs;
      boolean isIdle = waitersDrive || idleNs - idle.spinNs() >= yields.yieldNs();
      if (isIdle || (pace.isLimited() && pace.isDue(nowNs))) {
        if (!isIdle) {
          pace.restIsDue(nowNs);
        }
        sleep(nowNs);
        return;
      }
      if (work == 0) {
        if (idleNs < idle.spinNs()) {
          Thread.onSpinWait();
        } else {
          Thread.yield();
        }
      }
      if (nowNs - startNs >= SLICE_NS) {
        return;
      }
    }
  }

  /**
   * Whether it has just slept and those who wait have driven the loop meanwhile, so that it need
   * not disturb them by a pass.
   */
  private boolean leavesToWaits() {
    boolean leaves = parkedLast && !loop.hasQueuedWork() && loop.waitsAreClose();
    parkedLast = false;
    return leaves;
  }

  /**
   * Sleeps, and where waits drive again and again: to go to the mailbox in between, once in a
   * millisecond, would take their cores away for longer than the sleep's end does.
   */
  private void sleep(long nowNs) {
    boolean rests = pace.isLimited() && pace.idle(nowNs) == WakeUpPace.Idle.REST;
    boolean slept = rests ? loop.restResident(pace.nextNs()) : loop.parkResident(idle.maxParkNs());
    int more = exclusive || pace.isLimited() ? 0 : MORE_SLEEPS; // a pace counts each
    for (; more > 0 && slept && loop.residentMaySleepOn(); more--) {
      sleeps++;
      slept = loop.parkResident(idle.maxParkNs());
    }
    parkedLast = slept && !rests;
    if (slept) {
      sleeps++;
      loop.recorder().slept(nowNs);
    }
    if (slept || rests) {
      pace.woke(loop.time().nanoTime());
    }
  }
}
