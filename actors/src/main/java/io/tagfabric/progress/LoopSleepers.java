package io.tagfabric.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The threads that sleep on a loop, and what wakes them: application threads that wait, and the
 * resident driver of AUTO mode.
 *
 * <p><b>Nobody misses a wake-up.</b> A thread that is about to park first registers, then looks
 * once more for work; a producer first publishes its work, then looks for sleepers. Both steps are
 * separated by a full fence or by volatile accesses, so at least one of the two sees the other. The
 * same holds for who makes a condition true and who waits for it; what makes it true inside the
 * loop needs the fence only beside a wait that is counted, since a wait enters the loop before it
 * sleeps for long. {@code SleepersModel} among the tests explores it.
 *
 * <p><b>One driver at a time.</b> While an application thread waits, it drives and the resident
 * driver sleeps. On its way out a waiter wakes the resident driver if work or a timer is left.
 *
 * <p><b>Transports without a thread.</b> One thread that would park sleeps in the selector of the
 * watched channels instead, an application thread if one waits. The resident driver takes it over
 * when the last has left: it looks after 1 ms at the latest. Beside a wait it looks some times
 * after 1 ms, then ever more rarely; a wait that ends in such a long sleep has to wake it. While
 * waits follow one another closely it does not sleep there in between, since each message would
 * ring for it and each wait send it away; it looks then after an eighth of the time for which they
 * have been close, but after 1 ms at the earliest and 4 ms at the latest; each look that finds them
 * not close takes half of that time away. A sleep there begins with a short one, after which the
 * bell looks once more: another process writes its work without a fence before it looks for
 * sleepers. While polls follow one another closely, channels that they read are in no selector
 * until the next sleep.
 */
final class LoopSleepers {
  /** What the loop has to do. Asked by any thread. */
  interface Work {
    /** Whether tasks are queued that no pass has run yet. */
    boolean hasQueued();

    /** Deadline of the next timer as the last pass left it, {@code Long.MAX_VALUE} for none. */
    long nextTimerNs();
  }

  /** How long watched channels may be without a thread that sleeps there. */
  static final long HANDOVER_NS = 1_000_000L;

  /**
   * So often the resident driver looks after so long while no wait ends, before it sleeps longer.
   */
  static final int QUIET_LOOKS = 8;

  /**
   * Where waits have been close so many times as long, they may be without one for longer: each
   * look of the resident driver takes a core from one of those who wait.
   */
  static final int CLOSE_TIMES = 8;

  /**
   * How long what another process has written may take to become visible. It takes less than a
   * microsecond; a selector counts in milliseconds.
   */
  static final long LOOK_AGAIN_NS = 1_000_000L;

  private static final long FOR_EVER_NS = Long.MAX_VALUE / 2;

  private static final Doorbell NOBODY_RINGS =
      new Doorbell() {
        @Override
        public boolean announce() {
          return true;
        }

        @Override
        public void withdraw() {}
      };

  private static final VarHandle WAITERS;
  private static final VarHandle WANTED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      WAITERS = lookup.findVarHandle(LoopSleepers.class, "waiters", int.class);
      WANTED = lookup.findVarHandle(LoopSleepers.class, "residentWanted", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Object blocker;
  private final TimeSource time;
  private final Work work;
  private final Set<Thread> parkedWaiters = ConcurrentHashMap.newKeySet();

  /** Threads whose waits end at the same moment may count as one: it tells how close waits are. */
  private final AtomicInteger waitsEnded = new AtomicInteger();

  private volatile int waiters;
  private volatile Thread parkedResident;
  private volatile boolean residentWanted;
  private volatile long residentWakesAtNs;

  /**
   * Whether the resident driver may sleep longer than one that hands over; else no clock is asked.
   */
  private volatile boolean residentSleepsLong;

  private volatile ChannelWatch watch;
  private volatile Doorbell doorbell = NOBODY_RINGS;
  private volatile Doorbell[] bells = {};

  // Only the resident driver touches these.
  private final WaitPace pace = new WaitPace();
  private int waitsEndedSeen;
  private boolean wasWanted;
  private long handoverNs = HANDOVER_NS;
  private int quietLooks;

  /**
   * Nobody sleeps yet.
   *
   * @param blocker what thread dumps show that a parked thread waits for
   */
  LoopSleepers(Object blocker, TimeSource time, Work work) {
    this.blocker = blocker;
    this.time = time;
    this.work = work;
  }

  /** Whether application threads are waiting and so driving the loop. */
  boolean hasWaiters() {
    return waiters > 0;
  }

  /** An application thread begins to wait; {@link #leaveWait} must follow. */
  void enterWait() {
    WAITERS.getAndAdd(this, 1);
    wakeWatcher();
  }

  /**
   * The same for the only thread that waits here. A waker may miss it until it parks; before it
   * parks it passes a fence and looks for work.
   */
  void enterWaitAlone() {
    WAITERS.setOpaque(this, waiters + 1);
  }

  /** The only thread that waits here waits no more; there is no resident driver. */
  void leaveWaitAlone() {
    WAITERS.setOpaque(this, waiters - 1);
  }

  /**
   * Parks a waiting thread unless its condition holds or there is work, at most so long.
   *
   * @return whether it has parked
   */
  boolean parkWaiter(BooleanSupplier condition, long maxNs) {
    boolean parked = false;
    Thread self = Thread.currentThread();
    parkedWaiters.add(self);
    ChannelWatch claimed = claimWatch();
    VarHandle.fullFence();
    try {
      if (!condition.getAsBoolean() && !work.hasQueued()) {
        long limitNs = Math.min(maxNs, sleepLimitNs(time.nanoTime()));
        if (limitNs > 0) {
          parked = sleep(claimed, limitNs);
        }
      }
    } finally {
      if (claimed != null) {
        claimed.release();
      }
      parkedWaiters.remove(self);
    }
    return parked;
  }

  private ChannelWatch claimWatch() {
    ChannelWatch watching = watch;
    return watching != null && watching.claim() ? watching : null;
  }

  /** False if there was work instead. */
  private boolean sleep(ChannelWatch claimed, long limitNs) {
    if (claimed == null) {
      if (watch != null) {
        time.park(blocker, limitNs);
        return true;
      }
      return sleepAnnounced(bells, 0, () -> time.park(blocker, limitNs));
    }
    Doorbell bell = doorbell;
    if (!bell.announce()) {
      return false;
    }
    try {
      return sleepAnnounced(bells, 0, () -> sleepIn(claimed, bell, limitNs));
    } finally {
      bell.withdraw();
    }
  }

  /** Sleeps in two parts, with a look between them; one that is short anyway needs none. */
  private static void sleepIn(ChannelWatch watching, Doorbell bell, long limitNs) {
    if (limitNs <= 2 * LOOK_AGAIN_NS) {
      watching.sleep(limitNs);
    } else if (watching.sleep(LOOK_AGAIN_NS) && bell.isQuiet()) {
      watching.sleep(limitNs - LOOK_AGAIN_NS);
    }
  }

  /** Sleeps unless one of the bells from an index on says that there is work. */
  private static boolean sleepAnnounced(Doorbell[] bells, int index, Runnable sleep) {
    if (index == bells.length) {
      sleep.run();
      return true;
    }
    if (!bells[index].announce()) {
      return false;
    }
    try {
      return sleepAnnounced(bells, index + 1, sleep);
    } finally {
      bells[index].withdraw();
    }
  }

  private long sleepLimitNs(long nowNs) {
    long nextNs = work.nextTimerNs();
    return nextNs == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, nextNs - nowNs);
  }

  /** An application thread waits no more. */
  void leaveWait() {
    waitsEnded.setOpaque(waitsEnded.getPlain() + 1);
    WAITERS.getAndAdd(this, -1);
    if (waiters > 0) {
      wake();
      return;
    }
    Thread resident = parkedResident;
    if (resident != null
        && (work.hasQueued() || residentOversleepsTimer() || residentOversleepsHandover())) {
      time.unpark(resident);
    }
  }

  /**
   * An application thread has driven without a wait. Threads that poll in a loop do so again and
   * again: like waits that are close they need no resident driver in between.
   */
  void polled() {
    waitsEnded.setOpaque(waitsEnded.getPlain() + 1);
  }

  /** Whether application threads drive by waits that are close. Thread: the resident driver. */
  boolean waitsAreClose() {
    return pace.isClose(waitsEnded.get(), time.nanoTime());
  }

  private boolean residentOversleepsTimer() {
    long nextNs = work.nextTimerNs();
    return nextNs != Long.MAX_VALUE && nextNs - residentWakesAtNs < 0;
  }

  private boolean residentOversleepsHandover() {
    return watch != null && residentSleepsLong && residentWakesAtNs - time.nanoTime() > HANDOVER_NS;
  }

  /**
   * Whether the resident driver may go on sleeping after it has slept: nobody has called it, and
   * waits are so close that they drive. Thread: the resident driver.
   */
  boolean residentMaySleepOn() {
    return !wasWanted && waitsAreClose();
  }

  /**
   * Parks the resident driver until there is work for it, at most {@code maxParkNs}. Thread: the
   * resident driver, outside a pass.
   *
   * @return whether it has parked; else there was work
   */
  boolean parkResident(long maxParkNs) {
    boolean parked = false;
    // What is looked at before the registration may change unseen, even back and forth: a waiter
    // that has come, set a timer and gone meanwhile has found nobody to wake. No fence: both are
    // volatile, and so is the count of waiters, which is read before anything else.
    long nowNs = time.nanoTime();
    residentWakesAtNs = nowNs + FOR_EVER_NS;
    residentSleepsLong = true;
    parkedResident = Thread.currentThread();
    boolean waitersDrive = waiters > 0;
    boolean waitsAreClose = pace.isClose(waitsEnded.get(), nowNs);
    ChannelWatch claimed = waitsAreClose || waitersDrive ? null : claimWatch();
    try {
      long limitNs = waitersDrive ? maxParkNs : Math.min(maxParkNs, sleepLimitNs(nowNs));
      long shortNs = closeLimitNs();
      if (watch != null && claimed == null) {
        // Where waits were close the next may never come, and so nobody who wakes this thread.
        long longestNs = waitsAreClose ? shortNs : Math.max(shortNs, handoverLimitNs(maxParkNs));
        limitNs = Math.min(limitNs, longestNs);
      }
      residentWakesAtNs = nowNs + limitNs;
      residentSleepsLong = limitNs > shortNs;
      boolean stillSo = waitersDrive == waiters > 0 && !residentWanted;
      if (limitNs > 0 && stillSo && (waitersDrive || !work.hasQueued())) {
        parked = sleep(claimed, limitNs);
      }
    } finally {
      parkedResident = null;
      wasWanted = (boolean) WANTED.getAndSet(this, false);
      if (claimed != null) {
        claimed.release();
        if (waiters > 0) {
          // What has woken this thread is for them, and one of them can sleep in the watch now.
          wake();
        }
      }
    }
    return parked;
  }

  /**
   * How long the resident driver may leave watched channels to application threads that wait. Short
   * while their waits end again and again; then nobody has to wake it at the end of each.
   */
  private long handoverLimitNs(long maxParkNs) {
    int ended = waitsEnded.get();
    if (ended != waitsEndedSeen) {
      waitsEndedSeen = ended;
      quietLooks = 0;
      handoverNs = HANDOVER_NS;
    } else if (++quietLooks > QUIET_LOOKS) {
      handoverNs = Math.min(2 * handoverNs, maxParkNs);
    }
    return handoverNs;
  }

  /** How long it may leave them to waits that are, or have just been, close. */
  private long closeLimitNs() {
    return Math.max(HANDOVER_NS, pace.closeForNs() / CLOSE_TIMES);
  }

  /** Wakes the threads that wait, or the resident driver if there are none. */
  void wake() {
    VarHandle.fullFence();
    if (waiters > 0) {
      unparkWaiters();
    } else {
      unparkResident();
    }
  }

  /**
   * Wakes the threads that wait, for something that may be what one of them waits for: they look at
   * their conditions again. The fence is needed although nothing is queued: a thread that is not
   * counted yet must see what has been made true before.
   */
  void wakeWaiters() {
    VarHandle.fullFence();
    if (waiters > 0) {
      unparkWaiters();
    }
  }

  /**
   * The same, by a thread that has just given the loop back, where each wait enters the loop before
   * it sleeps for long. A wait that is not counted yet enters the loop later, and then finds what
   * this thread has done.
   */
  void wakeWaitersThatPass() {
    if (waiters > 0) {
      VarHandle.fullFence();
      unparkWaiters();
    }
  }

  private void unparkWaiters() {
    if (!parkedWaiters.isEmpty()) {
      for (Thread waiter : parkedWaiters) {
        time.unpark(waiter);
      }
      wakeWatcher();
    }
  }

  /** Wakes the resident driver even while application threads wait, or keeps it from sleeping. */
  void wakeResident() {
    residentWanted = true;
    unparkResident();
  }

  private void unparkResident() {
    Thread resident = parkedResident;
    if (resident != null) {
      time.unpark(resident);
      wakeWatcher();
    }
  }

  private void wakeWatcher() {
    ChannelWatch watching = watch;
    if (watching != null) {
      watching.wake();
    }
  }

  /** Lets sleepers wake when a channel is ready. */
  void watch(SelectableChannel channel, int operations, Runnable heard) {
    add(channel, operations, heard);
    wake(); // as hush does: it may have claimed the selector
  }

  private synchronized void add(SelectableChannel channel, int operations, Runnable heard) {
    if (watch == null) {
      watch = new ChannelWatch();
    }
    watch.add(channel, operations, heard);
  }

  /**
   * Takes the channels that polls read out of the selector until a thread sleeps there again. It
   * claims the selector for that; a thread that could not claim it meanwhile is woken to try again.
   */
  void hush() {
    ChannelWatch watching = watch;
    if (watching == null || watching.isHushed() || !watching.claim()) {
      return;
    }
    try {
      watching.hush();
    } finally {
      watching.release();
    }
    wake();
  }

  /** As {@link #hush()} for one channel, if polls read it. */
  void hushOne(SelectableChannel channel) {
    ChannelWatch watching = watch;
    if (watching == null || !watching.isWatched(channel) || !watching.claim()) {
      return;
    }
    try {
      watching.hushOne(channel);
    } finally {
      watching.release();
    }
    wake();
  }

  /** Ends what {@link #watch} began. It may claim the selector for that, and wakes as hush does. */
  void unwatch(SelectableChannel channel) {
    forget(channel);
    wake();
  }

  private synchronized void forget(SelectableChannel channel) {
    ChannelWatch watching = watch;
    if (watching != null && watching.remove(channel)) {
      watch = null;
      watching.close();
    }
  }

  /** Sets whom to tell that a thread sleeps in watched channels; null for nobody. */
  void doorbell(Doorbell bell) {
    doorbell = bell == null ? NOBODY_RINGS : bell;
  }

  /** Adds one more whom to tell before a thread sleeps. */
  synchronized void addDoorbell(Doorbell bell) {
    Doorbell[] more = Arrays.copyOf(bells, bells.length + 1);
    more[bells.length] = bell;
    bells = more;
  }

  /** Takes it out again; a sleep under way may still tell it. */
  synchronized void removeDoorbell(Doorbell bell) {
    bells = Arrays.stream(bells).filter(each -> each != bell).toArray(Doorbell[]::new);
  }
}
