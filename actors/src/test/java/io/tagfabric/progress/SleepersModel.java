package io.tagfabric.progress;

import io.tagfabric.explore.Model;
import io.tagfabric.explore.Mutant;
import io.tagfabric.explore.Program;
import io.tagfabric.explore.Step;
import java.util.List;

/**
 * Threads that sleep on a loop and what wakes them: {@link LoopSleepers}, {@link ChannelWatch}, and
 * of {@link ProgressLoop} what enters work and ends a pass.
 *
 * <p>It is always the same moment: a timer is later, sleeps have limits. A thread may reach its
 * limit once. When nothing can happen any more, whatever is left to do must be somebody's next
 * thing at the end of its limit. A collection of threads promises no more than that what was added
 * is seen with what was written before; so it is written here, and so are tasks.
 */
final class SleepersModel {
  /** What a task does when a pass runs it. */
  enum Task {
    ENDS_WAIT_0,
    ENDS_WAIT_1,
    ENDS_BOTH_WAITS,
    SETS_TIMER,
    ENDS_WAIT_0_AND_SETS_TIMER
  }

  private static final int HUSHER = 4;
  private static final int HANDOVER = 1;
  private static final int TIMER = 3;
  private static final int MAX_PARK = 5;
  private static final int FOR_EVER = 6;
  private static final int NEVER = 7;

  private final Model model;
  private final Scene scene;
  private final int waiters;
  private final int parkedWaiters;
  private final int parkedResident;
  private final int residentWanted;
  private final int residentWakesAt;
  private final int residentSleepsLong;
  private final int waitsEnded;
  private final int close;
  private final int watch;
  private final int sleeper;
  private final int wakeup;
  private final int woken;
  private final int readable;
  private final int received;
  private final int queued;
  private final int taken;
  private final int timer;
  private final int nextTimer;
  private final int driver;
  private final int conditions;
  private final int waiting;
  private final int permits;
  private final int limits;
  private final int expiries;
  private final int told;
  private final int heard;

  /**
   * Who is there.
   *
   * @param waits application threads that wait
   * @param resident whether there is a resident driver
   * @param watched whether the loop watches a socket
   * @param datagrams that come there; the first ends the first wait
   * @param other what one more thread does
   * @param tasks that another thread executes
   */
  record Scene(
      int waits, boolean resident, boolean watched, int datagrams, Other other, List<Task> tasks) {
    Scene(int waits, boolean resident, boolean watched, int datagrams, Other other, Task... tasks) {
      this(waits, resident, watched, datagrams, other, List.of(tasks));
    }
  }

  /** What one more thread does. */
  enum Other {
    NOTHING,
    /** Sends the resident driver a message and wakes it for that. */
    TELLS_RESIDENT,
    /** Enters the loop directly and ends the first wait, or sets a timer if there is none. */
    POSTS,
    /** Ends the first wait without the loop, and wakes who waits. */
    TELLS_WAITERS,
    /** Keeps the system from noting what comes at the socket, until somebody sleeps there. */
    HUSHES,
    /** The same for one socket. */
    HUSHES_ONE,
    /** Nobody: what the first wait is for has happened before. */
    HAS_ENDED_WAIT_0
  }

  SleepersModel(Mutant mutant, Scene scene) {
    this.scene = scene;
    model = new Model(mutant);
    waiters = model.cell("waiters", 0);
    parkedWaiters = model.cells("parkedWaiters", 2, 0);
    parkedResident = model.cell("parkedResident", 0);
    residentWanted = model.cell("residentWanted", 0);
    residentWakesAt = model.cell("residentWakesAtNs", 0);
    residentSleepsLong = model.cell("residentSleepsLong", 0);
    waitsEnded = model.cell("waitsEnded", 0);
    close = model.cell("close", 0);
    watch = model.cell("watch", scene.watched() ? 1 : 0);
    sleeper = model.cell("sleeper", 0);
    wakeup = model.cell("wakeup", 0);
    woken = model.cell("woken", 0);
    readable = model.cell("readable", 0);
    received = model.cell("received", 0);
    queued = model.cell("queued", 0);
    taken = model.cell("taken", 0);
    timer = model.cell("timer", NEVER);
    nextTimer = model.cell("nextTimerInPassNs", NEVER);
    driver = model.cell("driver", 0);
    conditions = model.cell("condition[0]", scene.other() == Other.HAS_ENDED_WAIT_0 ? 1 : 0);
    model.cell("condition[1]", 0);
    waiting = model.cells("waiting", 2, 0);
    permits = model.cells("permit", 3, 0);
    limits = model.cells("limit", 3, 0);
    expiries = model.cells("expiries", 3, 0);
    told = model.cell("told", 0);
    heard = model.cell("heard", 0);
    for (int i = 0; i < scene.waits(); i++) {
      waiter(i);
    }
    if (scene.resident()) {
      resident();
    }
    if (!scene.tasks().isEmpty()) {
      producer();
    }
    if (scene.datagrams() > 0) {
      socket();
    }
    if (scene.resident() && (scene.watched() || scene.waits() == 0)) {
      pace();
    }
    if (scene.other() == Other.TELLS_RESIDENT) {
      teller();
    } else if (scene.other() == Other.POSTS) {
      poster();
    } else if (scene.other() == Other.TELLS_WAITERS) {
      waitersTeller();
    } else if (scene.other() == Other.HUSHES) {
      husher("LoopSleepers.hush", "watch.isHushed", "watch.hush");
    } else if (scene.other() == Other.HUSHES_ONE) {
      husher("LoopSleepers.hushOne", "watch.isWatched", "watch.hushOne");
    }
    model.atEnd(this::missed);
  }

  Model model() {
    return model;
  }

  private String missed(int[] m) {
    int waiterLimit = NEVER;
    for (int i = 0; i < scene.waits(); i++) {
      if (m[waiting + i] == 1) {
        waiterLimit = Math.min(waiterLimit, m[limits + i]);
        if (m[conditions + i] == 1 && m[limits + i] > HANDOVER) {
          return "waiter-" + i + " sleeps though its condition holds";
        }
      }
    }
    boolean waitersDrive = m[waiters] > 0;
    int limit = waitersDrive ? waiterLimit : scene.resident() ? m[limits + 2] : NEVER;
    if (m[queued] != m[taken] && (waitersDrive || scene.resident())) {
      return "a task waits and all sleep";
    }
    if (m[timer] != NEVER && (waitersDrive || scene.resident()) && limit > TIMER) {
      return "a timer is set and all sleep longer";
    }
    boolean handedOver = !waitersDrive && limit <= HANDOVER;
    boolean listens = m[sleeper] > 0 && m[sleeper] < HUSHER && m[limits + m[sleeper] - 1] > 0;
    if (scene.watched() && (waitersDrive || scene.resident()) && !listens && !handedOver) {
      return "nobody sleeps in the socket";
    }
    if (m[told] == 1 && m[heard] == 0) {
      return "the resident driver sleeps though it was wanted";
    }
    return null;
  }

  // ---- threads ----

  private void waiter(int self) {
    Program p = model.thread("waiter-" + self).daemon();
    int work = p.register("work");
    int holds = p.register("holds");
    int entered = p.register("entered");
    int longest = p.register("longest sleep");
    p.storeRelease("waits", r -> waiting + self, r -> 1);
    enterWait(p);
    p.label("again");
    advance(p, self, work, entered);
    p.load("condition", holds, r -> conditions + self);
    p.when("ended", r -> r[holds], "end");
    p.when("did something", r -> r[work], "again");
    p.set("at most the longest", r -> r[longest] = MAX_PARK);
    p.when("has entered", r -> r[entered], "sleep");
    p.set("only for a moment", r -> r[longest] = HANDOVER);
    p.label("sleep");
    parkWaiter(p, self, longest);
    p.jump("again");
    p.label("end");
    leaveWait(p);
    p.storeRelease("waits no more", r -> waiting + self, r -> 0);
  }

  private void resident() {
    Program p = model.thread("resident").daemon();
    int others = p.register("others");
    int work = p.register("work");
    p.label("again");
    if (scene.other() == Other.TELLS_RESIDENT) {
      p.load("mailbox", others, r -> told);
      p.storeRelease("hear", r -> heard, r -> r[others]);
    }
    hasWaiters(p, others, "loop.hasWaiters");
    p.when("waiters drive", r -> r[others], "sleep");
    advance(p, 2, work, p.register("entered"));
    p.when("did something", r -> r[work], "again");
    p.label("sleep");
    parkResident(p);
    residentMaySleepOn(p, others);
    p.when("sleeps on", r -> r[others], "sleep");
    p.jump("again");
  }

  private void residentMaySleepOn(Program p, int says) {
    String no = p.fresh("no");
    String end = p.fresh("end");
    int wanted = p.register("wasWanted");
    p.enter("LoopSleepers.residentMaySleepOn");
    p.when("wanted", r -> r[wanted], no);
    p.enter("LoopSleepers.waitsAreClose");
    p.loadVolatile("waitsEnded.get", says, r -> waitsEnded);
    p.note("time.nanoTime");
    p.load("pace.isClose", says, r -> close);
    p.exit();
    p.jump(end);
    p.label(no);
    p.set("says no", r -> r[says] = 0);
    p.label(end);
    p.exit();
  }

  private void producer() {
    Program p = model.thread("producer");
    for (int i = 1; i <= scene.tasks().size(); i++) {
      int number = i;
      p.enter("ProgressLoop.execute").note("ProgressLoop.isDriving").note("tasks.addOwn");
      p.storeRelease("tasks.add", r -> queued, r -> number);
      loopWake(p);
      p.exit();
    }
  }

  private void socket() {
    Program p = model.thread("socket");
    for (int i = 0; i < scene.datagrams(); i++) {
      p.atomic("a datagram comes", (m, r) -> m[readable]++);
    }
  }

  /** Whether waits count as close may change at any moment. */
  private void pace() {
    Program p = model.thread("pace");
    p.atomic("waits are close", (m, r) -> m[close] = 1);
    p.atomic("waits are rare", (m, r) -> m[close] = 0);
  }

  private void teller() {
    Program p = model.thread("teller");
    p.storeRelease("a message", r -> told, r -> 1);
    p.enter("LoopSleepers.wakeResident");
    p.storeVolatile("put residentWanted", r -> residentWanted, r -> 1);
    unparkResident(p);
    p.exit();
  }

  private void waitersTeller() {
    Program p = model.thread("teller");
    p.storeRelease("end a wait", r -> conditions, r -> 1);
    p.enter("ProgressLoop.wakeWaiters").note("ProgressLoop.isDriving");
    wakeWaiters(p);
    p.note("ProgressLoop.wakeOnlookers");
    p.exit();
  }

  private void poster() {
    Program p = model.thread("poster");
    int entered = p.register("entered");
    p.label("again");
    tryEnter(p, entered);
    p.when("not entered", r -> 1 - r[entered], "again");
    boolean ends = scene.waits() > 0;
    p.storeRelease(
        "end a wait, or set a timer", r -> ends ? conditions : timer, r -> ends ? 1 : TIMER);
    leave(p);
  }

  private void husher(String method, String asked, String done) {
    String end = "end";
    Program p = model.thread("husher");
    p.enter(method);
    int watching = p.scratch("watching");
    int claimed = p.scratch("claimed");
    p.loadVolatile("get watch", watching, r -> watch);
    p.when("no watch", r -> 1 - r[watching], end);
    p.note(asked);
    p.enter("ChannelWatch.claim", "watch.claim");
    p.compareAndSet("sleeper.compareAndSet", claimed, r -> sleeper, r -> 0, r -> HUSHER);
    p.exit();
    p.when("not claimed", r -> 1 - r[claimed], end);
    p.atomic(done, (m, r) -> m[wakeup] = 0);
    watchRelease(p, "watch.release");
    wake(p, "LoopSleepers.wake");
    p.label(end);
    p.exit();
  }

  // ---- ProgressLoop ----

  private void take(Program p, int self, int taken) {
    String no = p.fresh("no");
    p.enter("ProgressLoop.take");
    int value = p.scratch("driver");
    p.set("not yet", r -> r[taken] = 0);
    p.loadVolatile("get driver", value, r -> driver);
    p.when("driven", r -> r[value] != 0 ? 1 : 0, no);
    p.note("owner.excludes"); // there is no owner here
    p.compareAndSet("DRIVER.compareAndSet", taken, r -> driver, r -> 0, r -> self);
    p.note("ProgressLoop.takeAlone"); // nobody has it for itself
    p.label(no);
    p.exit();
  }

  private void release(Program p) {
    p.enter("ProgressLoop.release").note("get loneDriver").note("LONE_DRIVER.setRelease");
    p.storeRelease("DRIVER.setRelease", r -> driver, r -> 0);
    p.exit();
  }

  private void giveBack(Program p, Step.Expression worked) {
    String end = p.fresh("end");
    String waiting = p.fresh("waiting");
    p.enter("ProgressLoop.giveBack");
    int wakes = p.scratch("wakes");
    publishSleepLimits(p, wakes);
    release(p);
    p.note("sole.isHeldByCaller");
    p.when("sleep limits as before", r -> 1 - r[wakes], waiting);
    loopWake(p);
    p.jump(end);
    p.label(waiting);
    p.when("nothing was done", worked, end);
    wakeWaitersThatPass(p);
    p.note("sleepers.wakeWaiters").note("ProgressLoop.wakeOnlookers"); // for those who do not pass
    p.label(end);
    p.exit();
  }

  private void tryEnter(Program p, int entered) {
    String no = p.fresh("no");
    String yes = p.fresh("yes");
    p.enter("ProgressLoop.tryEnter");
    int value = p.scratch("value");
    p.note("ProgressLoop.isDriving"); // nobody batches here
    take(p, 4, entered);
    p.when("not taken", r -> 1 - r[entered], no);
    p.load("tasks.isEmpty", value, r -> queued);
    p.when("empty", r -> r[value] == 0 ? 1 : 0, yes);
    release(p);
    p.set("not entered", r -> r[entered] = 0);
    p.label(yes);
    p.label(no);
    p.exit();
  }

  private void leave(Program p) {
    p.enter("ProgressLoop.leave");
    p.note("ProgressLoop.leave").note("ProgressLoop.leaveInBatch");
    p.note("ProgressLoop.runSteps").note("ProgressLoop.mayFlush");
    giveBack(p, r -> 0);
    p.exit();
  }

  private void advance(Program p, int self, int work, int entered) {
    String end = p.fresh("end");
    p.enter("ProgressLoop.tryAdvance");
    int taken = p.scratch("taken");
    p.set("nothing done", r -> r[work] = 0);
    take(p, self + 1, taken);
    p.when("not taken", r -> 1 - r[taken], end);
    p.set("has entered", r -> r[entered] = 1);
    pass(p, work);
    p.note("ProgressLoop.look");
    giveBack(p, r -> 1 - r[work]);
    p.label(end);
    p.exit();
  }

  private void pass(Program p, int work) {
    String more = p.fresh("more");
    String poll = p.fresh("poll");
    String one = p.fresh("one");
    p.enterStranger("ProgressLoop.pass");
    int added = p.scratch("added");
    int ran = p.scratch("ran");
    p.label(more);
    p.load("look for tasks", added, r -> queued);
    p.load("tasks run", ran, r -> taken);
    p.when("none", r -> r[added] == r[ran] ? 1 : 0, poll);
    p.storeRelease("run a task", r -> firstCell(r[ran]), r -> firstValue(r[ran]));
    p.when("that was all of it", r -> hasSecond(r[ran]) ? 0 : 1, one);
    p.storeRelease("its second half", r -> secondCell(r[ran]), r -> secondValue(r[ran]));
    p.label(one);
    p.storeRelease("it has run", r -> taken, r -> r[ran] + 1);
    p.set("did something", r -> r[work] = 1);
    p.jump(more);
    p.label(poll);
    if (scene.datagrams() > 0) {
      p.atomic(
          "poll the socket",
          (m, r) -> {
            while (m[readable] > 0) {
              m[readable]--;
              m[conditions + m[received]++] = 1;
              r[work] = 1;
            }
          });
    }
    p.exit();
  }

  private int firstCell(int task) {
    return switch (scene.tasks().get(task)) {
      case ENDS_WAIT_0, ENDS_BOTH_WAITS, ENDS_WAIT_0_AND_SETS_TIMER -> conditions;
      case ENDS_WAIT_1 -> conditions + 1;
      case SETS_TIMER -> timer;
    };
  }

  private int firstValue(int task) {
    return scene.tasks().get(task) == Task.SETS_TIMER ? TIMER : 1;
  }

  private boolean hasSecond(int task) {
    return scene.tasks().get(task) == Task.ENDS_BOTH_WAITS
        || scene.tasks().get(task) == Task.ENDS_WAIT_0_AND_SETS_TIMER;
  }

  private int secondCell(int task) {
    return scene.tasks().get(task) == Task.ENDS_BOTH_WAITS ? conditions + 1 : timer;
  }

  private int secondValue(int task) {
    return scene.tasks().get(task) == Task.ENDS_BOTH_WAITS ? 1 : TIMER;
  }

  private void publishSleepLimits(Program p, int wakes) {
    String same = p.fresh("same");
    p.enter("ProgressLoop.publishSleepLimits");
    int next = p.scratch("next");
    int known = p.scratch("known");
    p.set("nothing new", r -> r[wakes] = 0);
    p.note("tasks.hasOwn").note("get mailboxesLeft").note("put mailboxesLeft");
    p.load("timers.nextDeadlineNs", next, r -> timer);
    p.loadVolatile("get nextTimerInPassNs", known, r -> nextTimer);
    p.when("same", r -> r[next] == r[known] ? 1 : 0, same);
    p.storeVolatile("put nextTimerInPassNs", r -> nextTimer, r -> r[next]);
    p.set("sooner", r -> r[wakes] = r[next] < r[known] ? 1 : 0);
    p.label(same);
    p.exit();
  }

  private void loopWake(Program p) {
    p.enter("ProgressLoop.wake").note("ProgressLoop.isDriving");
    wake(p, "sleepers.wake");
    p.note("ProgressLoop.wakeOnlookers");
    p.exit();
  }

  private void hasQueued(Program p, int result) {
    p.enter("ProgressLoop.hasQueuedWork", "work.hasQueued").note("get mailboxesLeft");
    p.enterStranger("tasks.hasArrived");
    int added = p.scratch("added");
    int ran = p.scratch("ran");
    p.load("tasks added", added, r -> queued);
    p.load("tasks run", ran, r -> taken);
    p.set("has arrived", r -> r[result] = r[added] != r[ran] ? 1 : 0);
    p.exit();
    p.exit();
  }

  // ---- LoopSleepers ----

  private void hasWaiters(Program p, int result, String line) {
    p.enter("LoopSleepers.hasWaiters", line);
    p.loadVolatile("get waiters", result, r -> waiters);
    p.exit();
  }

  private void enterWait(Program p) {
    p.enter("LoopSleepers.enterWait");
    p.atomic("WAITERS.getAndAdd", (m, r) -> m[waiters]++);
    wakeWatcher(p);
    p.exit();
  }

  private void parkWaiter(Program p, int self, int longest) {
    String go = p.fresh("go");
    String release = p.fresh("release");
    p.enter("LoopSleepers.parkWaiter");
    int claimed = p.scratch("claimed");
    int holds = p.scratch("condition holds");
    int has = p.scratch("has");
    int limit = p.scratch("limit");
    p.storeRelease("parkedWaiters.add", r -> parkedWaiters + self, r -> 1);
    claimWatch(p, self, claimed);
    p.fence("VarHandle.fullFence");
    p.load("condition.getAsBoolean", holds, r -> conditions + self);
    p.when("condition holds", r -> r[holds], go);
    hasQueued(p, has);
    p.when("work is queued", r -> r[has], go);
    p.note("time.nanoTime");
    sleepLimit(p, limit);
    p.set("at most the longest", r -> r[limit] = Math.min(r[limit], r[longest]));
    sleep(p, self, claimed, limit);
    p.label(go);
    p.when("not claimed", r -> 1 - r[claimed], release);
    watchRelease(p, "claimWatch.release");
    p.label(release);
    p.storeRelease("parkedWaiters.remove", r -> parkedWaiters + self, r -> 0);
    p.exit();
  }

  private void claimWatch(Program p, int self, int claimed) {
    String none = p.fresh("none");
    p.enter("LoopSleepers.claimWatch");
    int watching = p.scratch("watching");
    p.set("not yet", r -> r[claimed] = 0);
    p.loadVolatile("get watch", watching, r -> watch);
    p.when("no watch", r -> 1 - r[watching], none);
    p.enter("ChannelWatch.claim", "watch.claim");
    p.compareAndSet("sleeper.compareAndSet", claimed, r -> sleeper, r -> 0, r -> self + 1);
    p.exit();
    p.label(none);
    p.exit();
  }

  private void watchRelease(Program p, String line) {
    p.enter("ChannelWatch.release", line);
    p.storeVolatile("put woken", r -> woken, r -> 0);
    p.storeVolatile("sleeper.set", r -> sleeper, r -> 0);
    p.exit();
  }

  private void sleep(Program p, int self, int claimed, int limit) {
    String inSelector = p.fresh("inSelector");
    String end = p.fresh("end");
    p.enter("LoopSleepers.sleep");
    p.enterStranger("");
    p.atomic("falls asleep", (m, r) -> m[limits + self] = r[limit]);
    p.exit();
    p.when("claimed", r -> r[claimed], inSelector);
    p.note("get watch");
    p.await(
        "time.park",
        (m, r) -> m[permits + self] == 1 || mayExpire(m, self),
        (m, r) -> wakeUp(m, self, permits + self));
    p.note("get bells").note("time.park").note("LoopSleepers.sleepAnnounced");
    p.jump(end);
    p.label(inSelector);
    p.note("get doorbell").note("doorbell.announce").note("get bells");
    sleepIn(p, self);
    p.note("LoopSleepers.sleepAnnounced").note("doorbell.withdraw");
    p.label(end);
    p.exit();
  }

  /** A short sleep first, where the limit is none; after it only the bell has looked. */
  private void sleepIn(Program p, int self) {
    String twice = p.fresh("twice");
    String awake = p.fresh("awake");
    String end = p.fresh("end");
    p.enter("LoopSleepers.sleepIn");
    int ended = p.scratch("ended");
    p.enterStranger("");
    p.atomic("the limit", (m, r) -> r[ended] = m[limits + self] < MAX_PARK ? 1 : 0);
    p.exit();
    p.when("no limit", r -> 1 - r[ended], twice);
    p.await(
        "watching.sleep",
        (m, r) -> m[wakeup] == 1 || m[readable] > 0 || mayExpire(m, self),
        (m, r) -> wakeUp(m, self, wakeup));
    p.jump(end);
    p.label(twice);
    p.atomic(
        "watching.sleep",
        (m, r) -> {
          // A wake-up ends it too, and looks like the end of the time.
          r[ended] = m[readable] > 0 ? 1 : 0;
          m[wakeup] = 0;
        });
    p.when("a channel has ended it", r -> r[ended], awake);
    p.enterStranger("");
    p.loadVolatile("woken", ended, r -> woken);
    p.exit();
    p.when("woken", r -> r[ended], awake);
    p.note("bell.isQuiet");
    p.await(
        "watching.sleep",
        (m, r) -> m[wakeup] == 1 || m[readable] > 0,
        (m, r) -> wakeUp(m, self, wakeup));
    p.jump(end);
    p.label(awake);
    p.enterStranger("");
    p.atomic("is awake", (m, r) -> m[limits + self] = 0);
    p.exit();
    p.label(end);
    p.exit();
  }

  private boolean mayExpire(int[] m, int self) {
    return m[limits + self] < MAX_PARK && m[expiries + self] == 0;
  }

  private void wakeUp(int[] m, int self, int by) {
    if (m[by] == 0 && m[readable] == 0) {
      m[expiries + self] = 1;
    }
    m[by] = 0;
    m[limits + self] = 0;
  }

  private void sleepLimit(Program p, int limit) {
    p.enter("LoopSleepers.sleepLimitNs");
    p.loadVolatile("work.nextTimerNs", limit, r -> nextTimer);
    p.exit();
  }

  private void leaveWait(Program p) {
    String last = p.fresh("last");
    String unpark = p.fresh("unpark");
    String end = p.fresh("end");
    p.enter("LoopSleepers.leaveWait");
    int left = p.scratch("left");
    int resident = p.scratch("resident");
    int has = p.scratch("has");
    if (scene.resident()) {
      p.load("waitsEnded.getPlain", left, r -> waitsEnded);
      p.store("waitsEnded.setOpaque", r -> waitsEnded, r -> r[left] + 1);
    } else {
      p.note("waitsEnded.getPlain").note("waitsEnded.setOpaque"); // nobody reads it
    }
    p.atomic("WAITERS.getAndAdd", (m, r) -> m[waiters]--);
    p.loadVolatile("get waiters", left, r -> waiters);
    p.when("the last", r -> r[left] == 0 ? 1 : 0, last);
    wake(p, "LoopSleepers.wake");
    p.jump(end);
    p.label(last);
    p.loadVolatile("get parkedResident", resident, r -> parkedResident);
    p.when("it does not sleep", r -> 1 - r[resident], end);
    hasQueued(p, has);
    p.when("work is queued", r -> r[has], unpark);
    oversleepsTimer(p, has);
    p.when("oversleeps a timer", r -> r[has], unpark);
    oversleepsHandover(p, has);
    p.when("oversleeps the handover", r -> r[has], unpark);
    p.jump(end);
    p.label(unpark);
    p.storeRelease("time.unpark", r -> permits + 2, r -> 1);
    p.label(end);
    p.exit();
  }

  private void oversleepsTimer(Program p, int result) {
    p.enter("LoopSleepers.residentOversleepsTimer");
    int wakesAt = p.scratch("wakesAt");
    p.loadVolatile("work.nextTimerNs", result, r -> nextTimer);
    p.loadVolatile("get residentWakesAtNs", wakesAt, r -> residentWakesAt);
    p.set("compare", r -> r[result] = r[result] != NEVER && r[result] < r[wakesAt] ? 1 : 0);
    p.exit();
  }

  private void oversleepsHandover(Program p, int result) {
    p.enter("LoopSleepers.residentOversleepsHandover");
    int wakesAt = p.scratch("wakesAt");
    int sleepsLong = p.scratch("sleepsLong");
    p.loadVolatile("get watch", result, r -> watch);
    p.loadVolatile("get residentSleepsLong", sleepsLong, r -> residentSleepsLong);
    p.loadVolatile("get residentWakesAtNs", wakesAt, r -> residentWakesAt);
    p.note("time.nanoTime");
    p.set(
        "compare",
        r -> r[result] = r[result] == 1 && r[sleepsLong] == 1 && r[wakesAt] > HANDOVER ? 1 : 0);
    p.exit();
  }

  private void parkResident(Program p) {
    String unclaimed = p.fresh("unclaimed");
    String limited = p.fresh("limited");
    String known = p.fresh("known");
    String rare = p.fresh("rare");
    String awake = p.fresh("awake");
    String drivesNot = p.fresh("drivesNot");
    String sleeps = p.fresh("sleeps");
    String end = p.fresh("end");
    p.enter("LoopSleepers.parkResident");
    int drive = p.scratch("waiters drive");
    int claimed = p.scratch("claimed");
    int limit = p.scratch("limit");
    int value = p.scratch("value");
    int rushed = p.scratch("rushed");
    p.note("time.nanoTime");
    p.storeVolatile("put residentWakesAtNs", r -> residentWakesAt, r -> FOR_EVER);
    p.storeVolatile("put residentSleepsLong", r -> residentSleepsLong, r -> 1);
    p.storeVolatile("put parkedResident", r -> parkedResident, r -> 1);
    p.loadVolatile("get waiters", drive, r -> waiters);
    p.loadVolatile("waitsEnded.get", value, r -> waitsEnded);
    p.load("pace.isClose", rushed, r -> close);
    p.when("waits are close", r -> r[rushed], unclaimed);
    p.when("waiters drive", r -> r[drive] > 0 ? 1 : 0, unclaimed);
    claimWatch(p, 2, claimed);
    p.label(unclaimed);
    p.set("at most the longest", r -> r[limit] = MAX_PARK);
    p.when("waiters have timers", r -> r[drive] > 0 ? 1 : 0, limited);
    sleepLimit(p, limit);
    p.set("the shorter", r -> r[limit] = Math.min(r[limit], MAX_PARK));
    p.label(limited);
    p.enter("LoopSleepers.closeLimitNs").note("pace.closeForNs"); // the unit of time here
    p.exit();
    p.loadVolatile("get watch", value, r -> watch);
    p.when("no watch, or claimed", r -> r[value] == 0 || r[claimed] != 0 ? 1 : 0, known);
    p.when("waits are rare", r -> 1 - r[rushed], rare);
    p.set("soon: the next wait may never come", r -> r[limit] = Math.min(r[limit], HANDOVER));
    p.jump(known);
    p.label(rare);
    handoverLimit(p, limit);
    p.label(known);
    p.storeVolatile("put residentWakesAtNs", r -> residentWakesAt, r -> r[limit]);
    p.storeVolatile(
        "put residentSleepsLong", r -> residentSleepsLong, r -> r[limit] > HANDOVER ? 1 : 0);
    p.loadVolatile("get waiters", value, r -> waiters);
    p.when("no longer so", r -> r[value] > 0 != r[drive] > 0 ? 1 : 0, awake);
    p.loadVolatile("get residentWanted", value, r -> residentWanted);
    p.when("wanted", r -> r[value], awake);
    p.when("theirs", r -> r[drive] > 0 ? 1 : 0, sleeps);
    hasQueued(p, value);
    p.when("work is queued", r -> r[value], awake);
    p.label(sleeps);
    sleep(p, 2, claimed, limit);
    p.label(awake);
    p.storeVolatile("put parkedResident", r -> parkedResident, r -> 0);
    int wanted = p.register("wasWanted");
    p.atomic(
        "WANTED.getAndSet",
        (m, r) -> {
          r[wanted] = m[residentWanted];
          m[residentWanted] = 0;
        });
    p.when("not claimed", r -> 1 - r[claimed], end);
    watchRelease(p, "ChannelWatch.release");
    p.loadVolatile("get waiters", value, r -> waiters);
    p.when("nobody waits", r -> r[value] == 0 ? 1 : 0, drivesNot);
    wake(p, "LoopSleepers.wake");
    p.label(drivesNot);
    p.label(end);
    p.exit();
  }

  private void handoverLimit(Program p, int limit) {
    int seen = p.register("waitsEndedSeen");
    int longer = p.register("longer handover");
    p.enter("LoopSleepers.handoverLimitNs");
    int ended = p.scratch("ended");
    p.loadVolatile("waitsEnded.get", ended, r -> waitsEnded);
    p.set(
        "handover",
        r -> {
          r[longer] = r[ended] == r[seen] ? 1 : 0;
          r[seen] = r[ended];
          r[limit] = Math.min(r[limit], r[longer] == 1 ? MAX_PARK : HANDOVER);
        });
    p.exit();
  }

  private void wake(Program p, String line) {
    String nobody = p.fresh("nobody");
    String end = p.fresh("end");
    p.enter("LoopSleepers.wake", line);
    int count = p.scratch("count");
    p.fence("VarHandle.fullFence");
    p.loadVolatile("get waiters", count, r -> waiters);
    p.when("nobody waits", r -> r[count] == 0 ? 1 : 0, nobody);
    unparkWaiters(p);
    p.jump(end);
    p.label(nobody);
    unparkResident(p);
    p.label(end);
    p.exit();
  }

  private void wakeWaiters(Program p) {
    String nobody = p.fresh("nobody");
    p.enter("LoopSleepers.wakeWaiters", "sleepers.wakeWaiters");
    int count = p.scratch("count");
    p.fence("VarHandle.fullFence");
    p.loadVolatile("get waiters", count, r -> waiters);
    p.when("nobody waits", r -> r[count] == 0 ? 1 : 0, nobody);
    unparkWaiters(p);
    p.label(nobody);
    p.exit();
  }

  private void wakeWaitersThatPass(Program p) {
    String nobody = p.fresh("nobody");
    p.enter("LoopSleepers.wakeWaitersThatPass", "sleepers.wakeWaitersThatPass");
    int count = p.scratch("count");
    p.loadVolatile("get waiters", count, r -> waiters);
    p.when("nobody waits", r -> r[count] == 0 ? 1 : 0, nobody);
    p.fence("VarHandle.fullFence");
    unparkWaiters(p);
    p.label(nobody);
    p.exit();
  }

  private void unparkWaiters(Program p) {
    String end = p.fresh("end");
    p.enter("LoopSleepers.unparkWaiters");
    int parked = p.scratch("parked");
    int other = p.scratch("other");
    p.enterStranger("parkedWaiters.isEmpty");
    p.load("first", parked, r -> parkedWaiters);
    p.load("second", other, r -> parkedWaiters + 1);
    p.exit();
    p.when("none parked", r -> r[parked] + r[other] == 0 ? 1 : 0, end);
    p.note("parkedWaiters.iterator").note("iterator.hasNext").note("iterator.next");
    p.enterStranger("time.unpark");
    for (int i = 0; i < scene.waits(); i++) {
      int waiter = i;
      String next = p.fresh("next");
      p.load("next", parked, r -> parkedWaiters + waiter);
      p.when("not parked", r -> 1 - r[parked], next);
      p.storeRelease("unpark", r -> permits + waiter, r -> 1);
      p.label(next);
    }
    p.exit();
    wakeWatcher(p);
    p.label(end);
    p.exit();
  }

  private void unparkResident(Program p) {
    String none = p.fresh("none");
    p.enter("LoopSleepers.unparkResident");
    int resident = p.scratch("resident");
    p.loadVolatile("get parkedResident", resident, r -> parkedResident);
    p.when("it does not sleep", r -> 1 - r[resident], none);
    p.storeRelease("time.unpark", r -> permits + 2, r -> 1);
    wakeWatcher(p);
    p.label(none);
    p.exit();
  }

  private void wakeWatcher(Program p) {
    String none = p.fresh("none");
    String silent = p.fresh("silent");
    p.enter("LoopSleepers.wakeWatcher");
    int watching = p.scratch("watching");
    int who = p.scratch("who");
    p.loadVolatile("get watch", watching, r -> watch);
    p.when("no watch", r -> 1 - r[watching], none);
    p.enter("ChannelWatch.wake", "watch.wake");
    p.loadVolatile("sleeper.get", who, r -> sleeper);
    p.when("nobody", r -> r[who] == 0 ? 1 : 0, silent);
    p.storeVolatile("put woken", r -> woken, r -> 1);
    p.storeRelease("selector.wakeup", r -> wakeup, r -> 1);
    p.label(silent);
    p.exit();
    p.label(none);
    p.exit();
  }
}
