package io.tagfabric.progress;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.trace.Recorder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;

/**
 * One domain's engine: actor mailboxes, transport polls and timers run here, one pass at a time, on
 * whichever thread drives the loop at that moment.
 *
 * <p>A pass is: run queued mailboxes, poll the transports, fire due timers, flush what all of them
 * have gathered. Any thread may drive; {@link #advance()} takes the loop with one compare-and-set
 * and gives it back at the end of the pass, so state that only passes touch needs no lock and is
 * handed over safely. A pass never runs inside a pass.
 *
 * <p><b>Two queues.</b> A mailbox scheduled by the driving thread itself (an actor telling another
 * of the same domain) goes to a plain queue; one scheduled by any other thread goes to a
 * many-to-one queue and wakes a sleeper. Only the first kind is frequent.
 *
 * <p><b>Sleepers.</b> Threads that have nothing to do park; {@link LoopSleepers} says which sleep
 * where and why nobody misses a wake-up. While an application thread waits in {@link #await}, it
 * drives, and the resident driver (the {@link ProgressThread} of AUTO mode) sleeps: two threads
 * that pass the loop to and fro would cost more than they bring.
 */
public final class ProgressLoop implements Executor {
  /** A step of a pass. Returns the work it did, 0 when idle. Runs on the driving thread. */
  @FunctionalInterface
  public interface Step {
    int run();
  }

  /** How long threads sleep before they look whether a held loop goes on. */
  private static final long HELD_NS = 5_000_000L;

  /** What {@link #tryAdvance} returns when another thread has the loop. */
  static final int NOT_ENTERED = -1;

  /** How long a thread sleeps that has work for a loop which another thread has. */
  static final long TAKEN_NS = 50_000L;

  private static final VarHandle DRIVER;
  private static final VarHandle LONE_DRIVER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      DRIVER = lookup.findVarHandle(ProgressLoop.class, "driver", Thread.class);
      LONE_DRIVER = lookup.findVarHandle(ProgressLoop.class, "loneDriver", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final TimeSource time;
  private final LoopTimers timers = new LoopTimers();
  private final StepQueue steps = new StepQueue();
  private final LoopTasks tasks;
  private final MailCount mail = new MailCount();
  private final PassCount passes = new PassCount();
  private final PassTime passTime;
  private final LoopSleepers sleepers;
  private final LoopWait wait;
  private final ResidentRest rest;

  /** Null where any thread may drive, always. */
  private final LoopOwner owner;

  /** Null unless one thread has the loop for itself. */
  private final SoleThread sole;

  private final TransportPolls polls = new TransportPolls();
  private final LoopSteps memoryChecks = new LoopSteps();
  private final LoopSteps flushes = new LoopSteps();
  private final DueFlushes dueFlushes = new DueFlushes();
  private volatile Thread driver;

  /** The thread that has the loop for itself, while it drives. */
  private volatile Thread loneDriver;

  /**
   * Written by the thread that has the loop; a former owner sees its own writes, others may be
   * late.
   */
  private boolean entered;

  /** As {@link #isLookingOn}. */
  private boolean lookingOn;

  private boolean wakeWhenLeft;
  private boolean tellWhenLeft;

  /** As {@link #holdBack}; of meaning to the driver alone. */
  private boolean heldBack;

  /** As {@link #wokeAnother}; advice to whoever waits next. */
  private boolean hasWokenAnother;

  /** Several calls of the driver are one entry; of meaning to the driver alone. */
  private boolean batching;

  private boolean batchUnflushed;

  private final int busyPassesPerClock;
  private final HandOver handOver;
  private final Recorder recorder;
  private volatile boolean held;
  private int busyPasses;
  private volatile boolean mailboxesLeft;
  private volatile long nextTimerInPassNs = Long.MAX_VALUE;

  /** A loop that looks at its timers in every pass. */
  public ProgressLoop(TimeSource time) {
    this(time, 1);
  }

  /**
   * A loop.
   *
   * @param busyPassesPerClock where work follows work, only each of so many passes looks at the
   *     timers: asking the clock costs a good part of what a short message does
   */
  public ProgressLoop(TimeSource time, int busyPassesPerClock) {
    this(time, busyPassesPerClock, HandOver.CALL);
  }

  /**
   * The same with another way to hand over.
   *
   * @param handOver with {@link HandOver#MAILBOX} a pass flushes only when the mailboxes that it
   *     has filled itself are empty
   */
  public ProgressLoop(TimeSource time, int busyPassesPerClock, HandOver handOver) {
    this(time, busyPassesPerClock, handOver, PollMode.SERIALIZED);
  }

  /**
   * The same with another way to share it.
   *
   * @param pollMode with {@link PollMode#EXCLUSIVE} a thread may {@link #own} it
   */
  public ProgressLoop(
      TimeSource time, int busyPassesPerClock, HandOver handOver, PollMode pollMode) {
    this(time, busyPassesPerClock, handOver, pollMode, ThreadUse.ANY, Recorder.OFF);
  }

  /**
   * The same with a recorder.
   *
   * @param threads with {@link ThreadUse#ONE} the first thread that enters is the only one that may
   * @param recorder hears what happens here
   */
  @InternalApi
  public ProgressLoop(
      TimeSource time,
      int busyPassesPerClock,
      HandOver handOver,
      PollMode pollMode,
      ThreadUse threads,
      Recorder recorder) {
    this.recorder = recorder;
    this.time = time;
    passTime = new PassTime(time);
    tasks = new LoopTasks(steps, time);
    owner = pollMode == PollMode.EXCLUSIVE ? new LoopOwner(this, time) : null;
    sole = threads == ThreadUse.ONE ? new SoleThread() : null;
    rest = new ResidentRest(this, time);
    this.busyPassesPerClock = busyPassesPerClock;
    this.handOver = handOver;
    sleepers =
        new LoopSleepers(
            this,
            time,
            new LoopSleepers.Work() {
              @Override
              public boolean hasQueued() {
                return hasQueuedWork();
              }

              @Override
              public long nextTimerNs() {
                return nextTimerInPassNs;
              }
            });
    wait = new LoopWait(this, sleepers, owner, sole);
  }

  /** The time source of everything that runs on this loop. */
  public TimeSource time() {
    return time;
  }

  /** Hears what happens here. */
  @InternalApi
  public Recorder recorder() {
    return recorder;
  }

  /** How the cores that run here hand over to one another. */
  public HandOver handOver() {
    return handOver;
  }

  /** Timers of this loop; only for code that runs on it. */
  @InternalApi
  public LoopTimers timers() {
    return timers;
  }

  /**
   * Nobody drives it any more, since its domain is closed. Akka keeps the dispatcher, and with it
   * the loop, as long as the ActorSystem lives; what its timers hold must not live as long.
   */
  public void retire() {
    if (tryEnter()) {
      timers.clear();
      leave(false);
    }
  }

  /** What the domain's cores hand to one another; only for code that runs on this loop. */
  @InternalApi
  public StepQueue steps() {
    return steps;
  }

  /** What the actors of this loop's domain have been told and have not taken yet. */
  @InternalApi
  public MailCount mail() {
    return mail;
  }

  /** Its passes so far; only for code that runs on it. */
  @InternalApi
  public PassCount passes() {
    return passes;
  }

  /**
   * The time for code that runs on this loop. It stands still inside a pass, so code that waits in
   * a pass for a time to come must ask {@link #time} instead.
   */
  @InternalApi
  public TimeSource passTime() {
    return passTime;
  }

  /**
   * Whether what runs now is a look that follows a pass, of the same call, which found nothing:
   * what polls find then has come this moment. Only for code that runs on it.
   */
  @InternalApi
  public boolean isLookingOn() {
    return lookingOn;
  }

  /**
   * What runs on this loop has woken a thread of another process, to which a message has gone. The
   * system may have put that thread on the core of this one. So a thread that waits for its answer
   * gives the core away at once.
   */
  @InternalApi
  public void wokeAnother() {
    hasWokenAnother = true;
  }

  /**
   * A transport has taken something that it sends when its flush runs, which is marked. So what a
   * thread has done in a call of its own is followed by a pass. Thread: the loop.
   */
  @InternalApi
  public void holdBack() {
    heldBack = true;
  }

  /** Whether that is so since the last time it was asked. */
  boolean takeWokenAnother() {
    boolean woken = hasWokenAnother;
    if (woken) {
      hasWokenAnother = false;
    }
    return woken;
  }

  /** Whether the calling thread is inside a pass of this loop. */
  public boolean isDriving() {
    Thread self = Thread.currentThread();
    return driver == self || (sole != null && loneDriver == self);
  }

  /**
   * Whether another thread is inside a pass of this loop, or in a call that has taken it: then a
   * pass of the calling thread does nothing, whatever there is to do.
   */
  boolean isTaken() {
    Thread current = driver;
    return current != null && current != Thread.currentThread();
  }

  /**
   * Sleeps for a moment because the loop {@link #isTaken}: its driver may be waiting for the core
   * that the calling thread has. Nothing ends this sleep early.
   *
   * @param forNs how long
   */
  void parkWhileTaken(long forNs) {
    time.park(this, forNs);
  }

  /** Whether application threads wait so closely one after another that they drive this loop. */
  boolean waitsAreClose() {
    return sleepers.waitsAreClose();
  }

  /** Adds a transport poll to every pass. Thread: any. */
  public void addPoll(Step step) {
    polls.steps().add(step);
    wake();
  }

  /** Takes a transport poll out again. Thread: any; a pass under way may still run it. */
  public void removePoll(Step step) {
    polls.steps().remove(step);
  }

  /**
   * Releases what transport polls read, when none of them is under way: at once, or in this pass
   * when they have returned. Thread: the loop.
   */
  public void afterPolls(Runnable release) {
    polls.afterwards(release);
  }

  /**
   * Adds a step that runs when a pass has touched mapped memory whose file is cut short or has no
   * room: it finds out whether that was its memory, gives it up, and returns 0 if it was not.
   */
  public void addMemoryCheck(Step check) {
    memoryChecks.add(check);
  }

  /** Takes such a step away. */
  public void removeMemoryCheck(Step check) {
    memoryChecks.remove(check);
  }

  /** Adds a flush to the end of every pass. Thread: any. */
  public void addFlush(Step step) {
    flushes.add(step);
  }

  /** Takes a flush out again. Thread: any; a pass under way may still run it. */
  public void removeFlush(Step step) {
    flushes.remove(step);
  }

  /** A flush that runs at the end of those passes for which it is marked. Thread: any. */
  @InternalApi
  public DueFlushes.Flush flushWhenDue(Step step) {
    return dueFlushes.add(step);
  }

  /**
   * Lets threads that sleep on this loop wake when the channel can be read. Thread: any.
   *
   * @param channel non-blocking; a poll of this loop must read all of it
   */
  public void watch(SelectableChannel channel) {
    watch(channel, SelectionKey.OP_READ, null);
  }

  /**
   * The same for a channel that says no more than that there is work.
   *
   * @param operations of {@link java.nio.channels.SelectionKey}
   * @param heard runs on the thread that slept when the channel is ready, outside a pass
   */
  public void watch(SelectableChannel channel, int operations, Runnable heard) {
    sleepers.watch(channel, operations, heard);
    wake();
  }

  /**
   * Sets whom to tell that a thread sleeps in watched channels; null for nobody. Thread: any; a
   * sleep under way may still tell the one before.
   */
  @InternalApi
  public void doorbell(Doorbell bell) {
    sleepers.doorbell(bell);
    wakeResident();
    wake();
  }

  /**
   * Adds one more whom to tell before a thread sleeps, for work that no channel brings; what wakes
   * may be anything that wakes this loop. Of several threads that sleep at the same time, one
   * tells. Thread: any.
   */
  @InternalApi
  public void addDoorbell(Doorbell bell) {
    sleepers.addDoorbell(bell);
    wakeResident();
    wake();
  }

  /** Takes it out again; a sleep under way may still tell it. Thread: any. */
  @InternalApi
  public void removeDoorbell(Doorbell bell) {
    sleepers.removeDoorbell(bell);
  }

  /**
   * Takes the watched channels that polls read out of the selector until a thread sleeps again. For
   * polls that follow one another closely: while a channel is in a selector, each write to it costs
   * its writer more. Thread: any.
   */
  @InternalApi
  public void hush() {
    sleepers.hush();
  }

  /** As {@link #hush()} for one channel that polls read. Thread: any. */
  @InternalApi
  public void hushOne(SelectableChannel channel) {
    sleepers.hushOne(channel);
  }

  /** Ends what {@link #watch} began; also for a channel that is closed already. Thread: any. */
  public void unwatch(SelectableChannel channel) {
    sleepers.unwatch(channel);
  }

  /** Queues a mailbox (or any task) for the next pass and wakes a sleeping driver. Thread: any. */
  @Override
  public void execute(Runnable task) {
    if (isDriving()) {
      tasks.addOwn(task);
    } else {
      tasks.add(task);
      wake();
    }
  }

  /**
   * Queues what a peer brings for the next pass and wakes a sleeping driver. Unlike a mailbox it
   * keeps nobody from entering: what enters meanwhile comes first. Thread: any.
   */
  public void deliver(Runnable delivery) {
    if (isDriving()) {
      tasks.addOwnDelivery(delivery);
    } else {
      tasks.addDelivery(delivery);
    }
    wake();
  }

  /**
   * Runs one pass on the calling thread, unless another thread is inside one or the caller itself
   * is.
   *
   * @return the work done; 0 when idle or when the loop is taken
   */
  public int advance() {
    return advance(0);
  }

  /**
   * As {@link #advance()}; an idle pass keeps the loop for some more looks at the transports, which
   * cost less than passes and so find what comes sooner.
   */
  public int advance(int looks) {
    return Math.max(0, tryAdvance(looks));
  }

  /**
   * As {@link #advance(int)}.
   *
   * @return the work done, 0 when idle, {@link #NOT_ENTERED} when the loop is taken
   */
  int tryAdvance(int looks) {
    if (!take()) {
      return NOT_ENTERED;
    }
    int work = 1;
    try {
      work = pass();
      for (int look = 0; look < looks && work == 0; look++) {
        work = look();
      }
      return work;
    } catch (InternalError e) {
      // So the JVM tells of mapped memory that has gone, at once or a little later.
      if (findLostMemory() == 0) {
        throw e;
      }
      return work;
    } finally {
      // The thread that drove this pass need not come back, and it may have made true what others
      // wait for.
      giveBack(work > 0);
    }
  }

  /**
   * Runs a pass as {@link #advance(int)} does, for a thread that polls. While polls follow one
   * another closely, the resident driver leaves the loop to them. Does nothing where the resident
   * driver alone may drive.
   */
  public int poll(int looks) {
    if (owner != null && owner.excludes(Thread.currentThread())) {
      return 0;
    }
    int work = advance(looks);
    sleepers.polled();
    return work;
  }

  /**
   * A wait of the calling thread has ended before it began: what it would have waited for was
   * there. Waits that follow one another closely leave nothing to the resident driver, whether they
   * are long or not; where it alone may drive, no wait does.
   */
  @InternalApi
  public void waited() {
    if (sole == null && owner == null) {
      sleepers.polled();
    }
  }

  /** Takes the loop for the calling thread, if nobody drives it. */
  private boolean take() {
    Thread self = Thread.currentThread();
    if (driver != null || (owner != null && owner.excludes(self))) {
      return false;
    }
    return sole == null ? DRIVER.compareAndSet(this, (Thread) null, self) : takeAlone(self);
  }

  private boolean takeAlone(Thread self) {
    if (sole.isHeldByCaller()) {
      if (loneDriver != null) {
        return false;
      }
      LONE_DRIVER.setOpaque(this, self);
      if (sole.isHeldByCaller()) {
        return true;
      }
      LONE_DRIVER.setRelease(this, (Thread) null); // the loop has been taken from it
      return false;
    }
    sole.require();
    if (!DRIVER.compareAndSet(this, (Thread) null, self)) {
      return false;
    }
    if (!sole.isHeld() && loneDriver == null) {
      return true;
    }
    DRIVER.setRelease(this, (Thread) null);
    return false;
  }

  private void release() {
    if (sole != null && loneDriver == Thread.currentThread()) {
      LONE_DRIVER.setRelease(this, (Thread) null);
    } else {
      DRIVER.setRelease(this, (Thread) null);
    }
  }

  /**
   * Gives the loop back at the end of what was entered.
   *
   * @param worked whether something may be true now that others wait for
   */
  private void giveBack(boolean worked) {
    boolean sleepersHaveWork = publishSleepLimits() || wakeWhenLeft;
    boolean waitersHaveNews = worked || tellWhenLeft;
    wakeWhenLeft = false;
    tellWhenLeft = false;
    release();
    if (sole != null && sole.isHeldByCaller()) {
      return; // nobody else waits here
    }
    if (sleepersHaveWork) {
      wake();
    } else if (waitersHaveNews) {
      if (owner == null && sole == null) {
        sleepers.wakeWaitersThatPass();
      } else {
        sleepers.wakeWaiters();
        wakeOnlookers();
      }
    }
  }

  /**
   * Refuses a call of a thread that may not call into this domain.
   *
   * @throws IllegalStateException if another thread has it for itself
   */
  @InternalApi
  public void requireCaller() {
    if (sole != null) {
      sole.claim();
    }
  }

  /** Whether the calling thread may call; it may not while another has the loop for itself. */
  @InternalApi
  public boolean admitsCaller() {
    return sole == null || !sole.isHeld() || sole.isHeldByCaller();
  }

  /** The thread that has this loop for itself; null where any may come. */
  @InternalApi
  public SoleThread sole() {
    return sole;
  }

  /**
   * The thread that has this loop for itself gives it up; the next that calls is the one then. The
   * two must be ordered by what the program does: nothing of the first may be under way.
   *
   * @throws IllegalStateException inside a pass, or if another thread has it
   */
  public void giveThreadUp() {
    requireOutside("giving up a domain");
    if (sole != null) {
      sole.giveUp();
    }
  }

  /** From now on any thread may come: the domain closes. Thread: any, outside a pass. */
  @InternalApi
  public void openToAll() {
    if (sole != null) {
      sole.end();
    }
  }

  private void wakeOnlookers() {
    if (owner != null) {
      owner.wakeOnlookers();
    }
  }

  /**
   * Takes the loop for one short piece of work of the calling thread, if nobody drives it and no
   * mailbox waits: what the thread told before has run then, so its order is kept. What the work
   * leaves to flush goes out with the next pass.
   *
   * @return whether the loop is taken; then {@link #leave} must follow
   */
  public boolean tryEnter() {
    if (batching && isDriving()) {
      return true;
    }
    if (!take()) {
      return false;
    }
    if (tasks.isEmpty()) {
      return true;
    }
    release();
    return false;
  }

  /**
   * Whether code of the calling thread may add a step: it drives this loop, and no mailbox has
   * mail, so what it told before is handled first.
   */
  public boolean mayStep() {
    return isDriving() && mail.isEmpty();
  }

  /** As {@link #leave(boolean)} for work that may have left something to flush. */
  public void leave() {
    leave(true);
  }

  /**
   * Gives a loop back that {@link #tryEnter} took, and lets waiting threads look for work. Steps
   * that the work has added run before.
   *
   * @param unflushed whether the work has left something to flush
   * @return whether the work or its steps have left something to flush
   */
  public boolean leave(boolean unflushed) {
    if (batching) {
      leaveInBatch(unflushed);
      return false;
    }
    boolean toFlush = unflushed;
    try {
      toFlush |= runSteps() > 0;
      toFlush |= heldBack;
      heldBack = false;
      toFlush &= mayFlush();
    } finally {
      entered |= toFlush;
      giveBack(true);
    }
    return toFlush;
  }

  private void leaveInBatch(boolean unflushed) {
    batching = false; // steps enter as they do elsewhere
    try {
      boolean stepped = runSteps() > 0;
      batchUnflushed |= unflushed || stepped || heldBack;
      heldBack = false;
    } finally {
      batching = true;
    }
  }

  /**
   * Takes the loop as {@link #tryEnter} does, for several calls of the calling thread: they enter
   * without taking it again, and completions are published when {@link #endBatch} follows.
   *
   * @return false if that cannot be done now, or is done already
   */
  @InternalApi
  public boolean tryBatch() {
    if (handOver == HandOver.MAILBOX || isDriving() || !tryEnter()) {
      return false;
    }
    batching = true;
    return true;
  }

  /**
   * Ends what {@link #tryBatch} began.
   *
   * @return as {@link #leave(boolean)}
   */
  @InternalApi
  public boolean endBatch() {
    batching = false;
    boolean unflushed = batchUnflushed;
    batchUnflushed = false;
    try {
      if (!dueFlushes.isEmpty()) {
        dueFlushes.run();
      }
    } finally {
      unflushed = leave(unflushed);
    }
    return unflushed;
  }

  /** Whether the driver is between two calls of a batch, or in one. Thread: the driver. */
  @InternalApi
  public boolean isBatching() {
    return batching;
  }

  private boolean mayFlush() {
    return !dueFlushes.isEmpty() || !flushes.isEmpty();
  }

  private int runSteps() {
    return steps.isEmpty() ? 0 : steps.run();
  }

  /**
   * Runs a pass if something entered directly since the last one: a wait that finds its result
   * there at once must not leave the packets behind, nobody else may come by.
   */
  public void settle() {
    if (entered) {
      advance();
    }
  }

  private int pass() {
    try {
      return recorder.isOn() ? recorded(this::runPass) : runPass();
    } finally {
      passTime.end();
    }
  }

  private int recorded(Step part) {
    long beganNs = recorder.nanoTime();
    int work = part.run();
    if (work > 0) {
      recorder.passed(beganNs, work);
    }
    return work;
  }

  private int runPass() {
    passes.begin();
    passTime.begin();
    lookingOn = false;
    int work = 0;
    if (entered && handOver == HandOver.CALL) {
      // What entered directly has waited since; it need not wait for the polls too.
      entered = false;
      work += flush();
    }
    return finishPass(work + runTasks() + polls.run());
  }

  /** The part of a pass that finds what others bring, and the rest if there is something. */
  private int look() {
    try {
      return recorder.isOn() ? recorded(this::runLook) : runLook();
    } finally {
      passTime.end();
    }
  }

  private int runLook() {
    passes.begin();
    passTime.begin();
    lookingOn = true;
    int work = tasks.hasArrived() ? runTasks() : polls.run();
    return work == 0 ? 0 : finishPass(work);
  }

  private int finishPass(int before) {
    int work = before + runSteps();
    if (tasks.hasOwn()) {
      work += runTasks();
    }
    work += handOver == HandOver.MAILBOX ? emptyMailboxes() : 0;
    if (work == 0 || ++busyPasses >= busyPassesPerClock) {
      busyPasses = 0;
      if (!timers.isEmpty()) {
        work += timers.poll(passTime.nanoTime()) + runSteps();
        work += handOver == HandOver.MAILBOX ? emptyMailboxes() : 0;
      }
    }
    work += flush();
    if (runSteps() > 0) {
      // What they leave to flush goes out with the next pass, which must come.
      tasks.addOwn(this::runSteps);
    }
    return work;
  }

  private int runTasks() {
    int ran = tasks.run();
    if (ran > 0) {
      passTime.begin();
    }
    return ran;
  }

  /**
   * Runs mailboxes until none has mail: what a pass has handed over is handled before it flushes,
   * and so before anybody hears that it has come.
   */
  private int emptyMailboxes() {
    int work = 0;
    int ran = 1;
    while (ran > 0 && !mail.isEmpty()) {
      ran = runTasks();
      work += ran;
    }
    return work;
  }

  private int findLostMemory() {
    int found = 0;
    for (Step check : memoryChecks.all()) {
      found += check.run();
    }
    return found;
  }

  private int flush() {
    heldBack = false;
    int work = dueFlushes.run();
    for (Step flush : flushes.all()) {
      work += flush.run();
    }
    return work;
  }

  /**
   * Tells threads outside a pass what is left; true if they have work or may have to sleep less
   * than planned.
   */
  private boolean publishSleepLimits() {
    boolean left = tasks.hasOwn();
    if (left != mailboxesLeft) {
      mailboxesLeft = left;
    }
    long nextNs = timers.nextDeadlineNs();
    long knownNs = nextTimerInPassNs;
    if (nextNs == knownNs) {
      return left;
    }
    nextTimerInPassNs = nextNs;
    return left || knownNs == Long.MAX_VALUE || (nextNs != Long.MAX_VALUE && nextNs - knownNs < 0);
  }

  /**
   * Waits until {@code condition} holds, driving the loop meanwhile.
   *
   * <p>Inside a pass of this loop the call cannot make progress and is refused. The condition is
   * checked often, on the calling thread only; whatever makes it true must either happen inside a
   * pass of this loop or be followed by {@link #wake()}.
   *
   * @param deadlineNs on the loop's time source
   * @return false if the deadline passed or the thread was interrupted (its flag is left set)
   * @throws IllegalStateException if called from an actor of this domain
   */
  public boolean await(BooleanSupplier condition, long deadlineNs, IdlePolicy idle) {
    requireOutside("a wait");
    settle();
    if (condition.getAsBoolean()) {
      return true;
    }
    return wait.await(condition, deadlineNs, idle);
  }

  /**
   * The calling thread alone drives from now on, if the loop is {@link PollMode#EXCLUSIVE}: until
   * {@link #disown}, passes of others do nothing, and their waits look on.
   */
  public void own() {
    if (owner != null && owner.take()) {
      sleepers.wakeWaiters();
    }
  }

  /** Any thread may drive again. */
  public void disown() {
    if (owner != null) {
      owner.release();
    }
  }

  /**
   * Refuses what would wait for this loop inside one of its passes.
   *
   * @param what for the text
   * @throws IllegalStateException inside a pass
   */
  public void requireOutside(String what) {
    if (isDriving()) {
      throw new IllegalStateException(
          what
              + (batching
                  ? " inside a batch of calls can never end; end the batch first"
                  : " inside a pass of its own progress loop can never end; use a completion message or"
                      + " a future's callback instead, or another thread"));
    }
  }

  /**
   * Tells threads that wait whether a pass stands still because somebody who watches wants it: they
   * sleep then, whatever is queued, and look now and then whether it goes on. Thread: any.
   */
  @InternalApi
  public void hold(boolean isHeld) {
    held = isHeld;
  }

  /**
   * Sleeps for a moment if the loop is held.
   *
   * @param mostNs how long at most
   * @return false if it is not held
   */
  boolean sleptAsHeld(long mostNs) {
    if (!held) {
      return false;
    }
    time.park(this, Math.min(HELD_NS, mostNs));
    return true;
  }

  /**
   * Moves threads that wait here to another core when they share theirs with who answers. Before
   * the loop is used.
   *
   * @param mover moves the calling thread; false if that can never be done here
   * @param random a number from 0 to below its argument
   */
  @InternalApi
  public void moveWaiters(BooleanSupplier mover, IntUnaryOperator random) {
    wait.moveWaiters(mover, random);
  }

  /** Whether application threads are waiting and so driving the loop. */
  public boolean hasWaiters() {
    return sleepers.hasWaiters();
  }

  /** Whether application threads wait while the owner of the loop drives. */
  boolean hasOnlookers() {
    return owner != null && owner.hasOnlookers();
  }

  /**
   * Wakes the threads that sleep on this loop: the waiting ones, or the resident driver if there
   * are none; inside a pass at its end. Cheap when nobody sleeps. Thread: any.
   */
  public void wake() {
    if (isDriving()) {
      wakeWhenLeft = true;
    } else {
      sleepers.wake();
      wakeOnlookers();
    }
  }

  /**
   * Wakes the threads that wait, for something that is done and that one of them may wait for;
   * inside a pass at its end. The resident driver sleeps on: nothing is left to do. Thread: any.
   */
  @InternalApi
  public void wakeWaiters() {
    if (isDriving()) {
      tellWhenLeft = true;
    } else {
      sleepers.wakeWaiters();
      wakeOnlookers();
    }
  }

  /**
   * Wakes the resident driver even while application threads wait, or keeps it from its next sleep.
   * Thread: any.
   */
  public void wakeResident() {
    sleepers.wakeResident();
    rest.end();
  }

  /**
   * Lets the resident driver rest until a time, whatever work comes meanwhile; {@link
   * #wakeResident} ends it. Thread: the resident driver, outside a pass.
   *
   * @return whether it has rested; else the time is over already
   */
  public boolean restResident(long untilNs) {
    return rest.until(untilNs);
  }

  /**
   * Parks the resident driver until there is work for it, at most {@code maxParkNs}. Thread: the
   * resident driver, outside a pass.
   *
   * @return whether it has parked; else there was work
   */
  public boolean parkResident(long maxParkNs) {
    return sleepers.parkResident(maxParkNs);
  }

  /**
   * Whether the resident driver has nothing to do again after {@link #parkResident}: waits drive,
   * and nobody has called it. Thread: the resident driver, outside a pass.
   */
  boolean residentMaySleepOn() {
    return sleepers.residentMaySleepOn();
  }

  /** Whether tasks are queued that no pass has run yet. */
  public boolean hasQueuedWork() {
    return mailboxesLeft || tasks.hasArrived();
  }
}
