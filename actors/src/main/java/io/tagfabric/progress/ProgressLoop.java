package io.tagfabric.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

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
 * <p><b>Nobody misses a wake-up.</b> A thread that is about to park first registers, then looks
 * once more for work; a producer first publishes its work, then looks for sleepers. Both steps are
 * separated by a full fence, so at least one of the two sees the other.
 *
 * <p><b>One driver at a time.</b> While an application thread waits in {@link #await}, it drives,
 * and the resident driver (the {@link ProgressThread} of AUTO mode) sleeps: two threads that pass
 * the loop to and fro would cost more than they bring. On its way out a waiter wakes the resident
 * driver if work or a timer is left.
 *
 * <p><b>Work from outside the JVM.</b> A {@link Doorbell} ends sleeps that nobody here can end. One
 * sleeping thread at a time listens to it: the resident driver if there is one, else a waiter. What
 * it hears it passes on to the waiters, if there are any.
 *
 * <p><b>Sockets.</b> A transport without a thread has the loop {@link #watch} its sockets; a
 * datagram then ends a sleep. A socket rings whether anybody looks or not, so while application
 * threads wait, one of them listens and not the resident driver. That one takes over when the last
 * has left, after 1 ms at the latest.
 */
public final class ProgressLoop implements Executor {
  /** A step of a pass. Returns the work it did, 0 when idle. Runs on the driving thread. */
  @FunctionalInterface
  public interface Step {
    int run();
  }

  private static final int MAX_MAILBOXES_PER_PASS = 256;

  /** A spinning waiter looks so often before it asks the clock and lets others have the loop. */
  private static final int LOOKS_PER_IDLE_PASS = 16;

  private static final VarHandle DRIVER;
  private static final VarHandle WAITERS;
  private static final VarHandle LISTENER;

  /** How long watched sockets may be without anybody who listens. */
  private static final long HANDOVER_NS = 1_000_000L;

  /** What a doorbell cannot tell apart from no time at all. */
  private static final long SHORTEST_LISTENING_NS = 1_000_000L;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      DRIVER = lookup.findVarHandle(ProgressLoop.class, "driver", Thread.class);
      WAITERS = lookup.findVarHandle(ProgressLoop.class, "waiters", int.class);
      LISTENER = lookup.findVarHandle(ProgressLoop.class, "listener", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final TimeSource time;
  private final LoopTimers timers = new LoopTimers();
  private final ManyToOneConcurrentLinkedQueue<Runnable> arrivals =
      new ManyToOneConcurrentLinkedQueue<>();
  private final ArrayDeque<Runnable> own = new ArrayDeque<>();
  private final Set<Thread> parkedWaiters = ConcurrentHashMap.newKeySet();

  private volatile Step[] polls = {};
  private volatile Step[] flushes = {};
  private volatile Thread driver;
  private volatile int waiters;

  /** Written by whoever has the loop; its owner before sees its own writes, others may be late. */
  private boolean entered;

  private boolean wakeWhenLeft;
  private volatile Thread parkedResident;
  private volatile Thread listener;
  private volatile Doorbell doorbell = Silence.INSTANCE;
  private final Set<SelectableChannel> watched = new HashSet<>();
  private volatile boolean watches;
  private final AtomicInteger waitsEnded = new AtomicInteger();
  private int waitsEndedSeen;
  private long handoverNs = HANDOVER_NS;
  private volatile boolean residentWanted;
  private volatile long residentWakesAtNs;
  private volatile boolean mailboxesLeft;
  private volatile long nextTimerInPassNs = Long.MAX_VALUE;

  public ProgressLoop(TimeSource time) {
    this.time = time;
  }

  /** The time source of everything that runs on this loop. */
  public TimeSource time() {
    return time;
  }

  /** Timers of this loop; only for code that runs on it. */
  public LoopTimers timers() {
    return timers;
  }

  /** Whether the calling thread is inside a pass of this loop. */
  public boolean isDriving() {
    return driver == Thread.currentThread();
  }

  /** Adds a transport poll to every pass. Thread: any. */
  public synchronized void addPoll(Step step) {
    polls = with(polls, step);
    wake();
  }

  /** Takes a transport poll out again. Thread: any; a pass under way may still run it. */
  public synchronized void removePoll(Step step) {
    polls = without(polls, step);
  }

  /** Sets what ends sleeps from outside the JVM; null for nothing. Thread: any. */
  public synchronized void doorbell(Doorbell bell) {
    if (bell != null) {
      ring(bell);
    } else {
      ring(watched.isEmpty() ? Silence.INSTANCE : new SocketBell());
    }
  }

  /**
   * Has sleeps end when the channel can be read. Thread: any.
   *
   * @param channel non-blocking; a poll of this loop must read all of it
   */
  public synchronized void watch(SelectableChannel channel) {
    watched.add(channel);
    watches = true;
    if (doorbell == Silence.INSTANCE) {
      ring(new SocketBell());
    } else {
      doorbell.watch(channel);
    }
  }

  /** Ends what {@link #watch} began; also for a channel that is closed already. Thread: any. */
  public synchronized void unwatch(SelectableChannel channel) {
    if (watched.remove(channel)) {
      doorbell.unwatch(channel);
      watches = !watched.isEmpty();
      if (watched.isEmpty() && doorbell instanceof SocketBell) {
        ring(Silence.INSTANCE);
      }
    }
  }

  private void ring(Doorbell bell) {
    Doorbell before = doorbell;
    watched.forEach(bell::watch);
    doorbell = bell;
    before.wake();
    if (before instanceof SocketBell sockets) {
      sockets.close();
    }
    wakeResident();
    wake();
  }

  /** Adds a flush to the end of every pass. Thread: any. */
  public synchronized void addFlush(Step step) {
    flushes = with(flushes, step);
  }

  /** Takes a flush out again. Thread: any; a pass under way may still run it. */
  public synchronized void removeFlush(Step step) {
    flushes = without(flushes, step);
  }

  /** Queues a mailbox (or any task) for the next pass and wakes a sleeping driver. Thread: any. */
  @Override
  public void execute(Runnable task) {
    if (driver == Thread.currentThread()) {
      own.add(task);
    } else {
      arrivals.offer(task);
      wake();
    }
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

  /** As {@link #advance()}; an idle pass keeps the loop for some more looks at the transports. */
  private int advance(int looks) {
    Thread self = Thread.currentThread();
    if (driver != null || !DRIVER.compareAndSet(this, (Thread) null, self)) {
      return 0;
    }
    int work = 1;
    try {
      work = pass();
      for (int look = 0; look < looks && work == 0; look++) {
        work = look();
      }
      return work;
    } finally {
      // Who drove this pass need not come back, and it may have made true what others wait for.
      boolean sleepersHaveWork = publishSleepLimits() || wakeWhenLeft || (work > 0 && waiters > 0);
      wakeWhenLeft = false;
      DRIVER.setRelease(this, (Thread) null);
      if (sleepersHaveWork) {
        wake();
      }
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
    if (driver != null || !DRIVER.compareAndSet(this, (Thread) null, Thread.currentThread())) {
      return false;
    }
    if (own.isEmpty() && arrivals.isEmpty()) {
      return true;
    }
    DRIVER.setRelease(this, (Thread) null);
    return false;
  }

  /** Gives a loop back that {@link #tryEnter} took, and lets waiting threads look for work. */
  public void leave() {
    boolean sleepersHaveWork = publishSleepLimits() || wakeWhenLeft || waiters > 0;
    wakeWhenLeft = false;
    entered = true;
    DRIVER.setRelease(this, (Thread) null);
    if (sleepersHaveWork) {
      wake();
    }
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
    int work = 0;
    if (entered) {
      // What entered directly has waited since; it need not wait for the polls too.
      entered = false;
      work += flush();
    }
    return finishPass(work + runMailboxes() + pollTransports());
  }

  /** The part of a pass that finds what others bring, and the rest if there is something. */
  private int look() {
    int work = arrivals.isEmpty() ? pollTransports() : runMailboxes();
    return work == 0 ? 0 : finishPass(work);
  }

  private int pollTransports() {
    int work = 0;
    for (Step poll : polls) {
      work += poll.run();
    }
    return work;
  }

  private int finishPass(int before) {
    int work = before;
    if (!own.isEmpty()) {
      work += runMailboxes();
    }
    if (!timers.isEmpty()) {
      work += timers.poll(time.nanoTime());
    }
    return work + flush();
  }

  private int flush() {
    int work = 0;
    for (Step flush : flushes) {
      work += flush.run();
    }
    return work;
  }

  /**
   * Tells threads outside a pass what is left; true if they have work or may have to sleep less
   * than planned.
   */
  private boolean publishSleepLimits() {
    boolean left = !own.isEmpty();
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

  private long sleepLimitNs(long nowNs) {
    long nextNs = nextTimerInPassNs;
    return nextNs == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, nextNs - nowNs);
  }

  private int runMailboxes() {
    int ran = 0;
    while (ran < MAX_MAILBOXES_PER_PASS) {
      Runnable task = own.poll();
      if (task == null) {
        task = arrivals.poll();
        if (task == null) {
          break;
        }
      }
      ran++;
      task.run();
    }
    return ran;
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
    if (isDriving()) {
      throw new IllegalStateException(
          "a wait inside a pass of its own progress loop can never end; use a completion message or"
              + " a future's callback instead");
    }
    settle();
    if (condition.getAsBoolean()) {
      return true;
    }
    WAITERS.getAndAdd(this, 1);
    doorbell.withdraw();
    if (watches && listener != null) {
      // The resident driver lets go, so that a waiter can listen.
      doorbell.wake();
    }
    try {
      return awaitDriving(condition, deadlineNs, idle);
    } finally {
      leaveWait();
    }
  }

  private boolean awaitDriving(BooleanSupplier condition, long deadlineNs, IdlePolicy idle) {
    long idleSinceNs = 0;
    boolean idling = false;
    int looks = idle.spinNs() > 0 ? LOOKS_PER_IDLE_PASS : 0;
    while (true) {
      int work = advance(looks);
      if (condition.getAsBoolean()) {
        return true;
      }
      if (work > 0) {
        idling = false;
        continue;
      }
      long nowNs = time.nanoTime();
      if (deadlineNs - nowNs <= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (!idling) {
        idling = true;
        idleSinceNs = nowNs;
      }
      long idleNs = nowNs - idleSinceNs;
      if (idleNs < idle.spinNs()) {
        Thread.onSpinWait();
      } else if (idleNs < idle.spinNs() + idle.yieldNs()) {
        Thread.yield();
      } else {
        parkWaiter(condition, Math.min(deadlineNs - nowNs, idle.maxParkNs()));
      }
    }
  }

  private void parkWaiter(BooleanSupplier condition, long maxNs) {
    Thread self = Thread.currentThread();
    parkedWaiters.add(self);
    VarHandle.fullFence();
    try {
      if (!condition.getAsBoolean() && !hasQueuedWork()) {
        long limitNs = Math.min(maxNs, sleepLimitNs(time.nanoTime()));
        if (limitNs > 0) {
          sleepWaiter(condition, limitNs);
        }
      }
    } finally {
      parkedWaiters.remove(self);
    }
  }

  private void sleepWaiter(BooleanSupplier condition, long limitNs) {
    Doorbell bell = doorbell;
    if (!bell.announce()) {
      return;
    }
    try {
      if (!listens(bell, limitNs)) {
        LockSupport.parkNanos(this, limitNs);
        return;
      }
      try {
        // Who made it true before this thread was known to listen has unparked it, in vain.
        if (!condition.getAsBoolean() && !hasQueuedWork()) {
          bell.await(limitNs);
        }
      } finally {
        listener = null;
      }
    } finally {
      bell.withdraw();
    }
  }

  /** Whether the calling thread is now the one that listens to the bell. */
  private boolean listens(Doorbell bell, long limitNs) {
    return bell != Silence.INSTANCE
        && (limitNs >= SHORTEST_LISTENING_NS || watches)
        && listener == null
        && LISTENER.compareAndSet(this, (Thread) null, Thread.currentThread());
  }

  private void leaveWait() {
    if (watches) {
      waitsEnded.getAndIncrement();
    }
    WAITERS.getAndAdd(this, -1);
    if (waiters > 0) {
      wake();
      return;
    }
    Thread resident = parkedResident;
    if (resident != null
        && (!doorbell.announce()
            || hasQueuedWork()
            || residentOversleepsTimer()
            || residentOversleepsHandover())) {
      wake(resident);
    }
  }

  private boolean residentOversleepsTimer() {
    long nextNs = nextTimerInPassNs;
    return nextNs != Long.MAX_VALUE && nextNs - residentWakesAtNs < 0;
  }

  private boolean residentOversleepsHandover() {
    return watches && residentWakesAtNs - time.nanoTime() > HANDOVER_NS;
  }

  /**
   * How long the resident driver may leave watched sockets to application threads that wait. Short
   * while their waits end again and again; then nobody has to wake it at the end of each.
   */
  private long handoverLimitNs(long maxParkNs) {
    int ended = waitsEnded.get();
    handoverNs = ended == waitsEndedSeen ? Math.min(2 * handoverNs, maxParkNs) : HANDOVER_NS;
    waitsEndedSeen = ended;
    return handoverNs;
  }

  /**
   * Parks the resident driver until there is work for it, at most {@code maxParkNs}. Thread: the
   * resident driver, outside a pass.
   */
  public void parkResident(long maxParkNs) {
    long nowNs = time.nanoTime();
    boolean waitersDrive = waiters > 0;
    long limitNs = waitersDrive ? maxParkNs : Math.min(maxParkNs, sleepLimitNs(nowNs));
    if (waitersDrive && watches) {
      limitNs = Math.min(limitNs, handoverLimitNs(maxParkNs));
    }
    residentWakesAtNs = nowNs + limitNs;
    parkedResident = Thread.currentThread();
    VarHandle.fullFence();
    try {
      if (limitNs > 0) {
        sleepResident(waitersDrive, limitNs);
      }
    } finally {
      parkedResident = null;
      residentWanted = false;
    }
    if (waiters > 0) {
      // The bell may have rung for them, and none of them listens.
      wake();
    }
  }

  private void sleepResident(boolean waitersDrive, long limitNs) {
    Doorbell bell = doorbell;
    boolean listens = !(waitersDrive && watches) && listens(bell, limitNs);
    try {
      if (!waitersDrive && !bell.announce()) {
        return;
      }
      boolean stillSo = waitersDrive == waiters > 0 && !residentWanted && bell == doorbell;
      if (stillSo && (waitersDrive || !hasQueuedWork())) {
        if (listens) {
          bell.await(limitNs);
        } else {
          // A waiter that is about to leave may listen still.
          boolean handsOver = watches && !waitersDrive;
          LockSupport.parkNanos(this, handsOver ? Math.min(limitNs, HANDOVER_NS) : limitNs);
        }
      }
    } finally {
      if (listens) {
        listener = null;
      }
      if (waiters == 0) {
        bell.withdraw();
      }
    }
  }

  /** Whether application threads are waiting and so driving the loop. */
  public boolean hasWaiters() {
    return waiters > 0;
  }

  /**
   * Wakes whoever sleeps on this loop: the waiting threads, or the resident driver if there are
   * none; inside a pass at its end. Cheap when nobody sleeps. Thread: any.
   */
  public void wake() {
    if (driver == Thread.currentThread()) {
      wakeWhenLeft = true;
      return;
    }
    VarHandle.fullFence();
    if (waiters > 0) {
      if (!parkedWaiters.isEmpty()) {
        for (Thread waiter : parkedWaiters) {
          wake(waiter);
        }
      }
    } else {
      wakeParkedResident();
    }
  }

  private void wake(Thread sleeper) {
    if (sleeper == listener) {
      doorbell.wake();
    } else {
      LockSupport.unpark(sleeper);
    }
  }

  /**
   * Wakes the resident driver even while application threads wait, or keeps it from its next sleep.
   * Thread: any.
   */
  public void wakeResident() {
    residentWanted = true;
    wakeParkedResident();
  }

  private void wakeParkedResident() {
    Thread resident = parkedResident;
    if (resident != null) {
      wake(resident);
    }
  }

  /** Whether tasks are queued that no pass has run yet. */
  public boolean hasQueuedWork() {
    return mailboxesLeft || !arrivals.isEmpty();
  }

  /** For a loop that all work reaches from inside the JVM. */
  private enum Silence implements Doorbell {
    INSTANCE;

    @Override
    public boolean announce() {
      return true;
    }

    @Override
    public void withdraw() {}

    @Override
    public void await(long maxNs) {}

    @Override
    public void wake() {}

    @Override
    public void watch(SelectableChannel channel) {}

    @Override
    public void unwatch(SelectableChannel channel) {}
  }

  private static Step[] with(Step[] steps, Step added) {
    Step[] longer = new Step[steps.length + 1];
    System.arraycopy(steps, 0, longer, 0, steps.length);
    longer[steps.length] = added;
    return longer;
  }

  private static Step[] without(Step[] steps, Step removed) {
    return Arrays.stream(steps).filter(step -> step != removed).toArray(Step[]::new);
  }
}
