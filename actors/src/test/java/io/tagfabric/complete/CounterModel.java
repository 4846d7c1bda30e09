package io.tagfabric.complete;

import io.tagfabric.explore.Model;
import io.tagfabric.explore.Mutant;
import io.tagfabric.explore.Program;
import java.util.Set;

/**
 * Threads that count, wait for a counter, defer an operation, take it back and close the counter:
 * {@link CounterState}, {@link Deferrals} and {@link Deferral}. The loop is one thread that runs
 * tasks in the order queued; that no sleeper of it is forgotten is what the model of its sleepers
 * shows, so here a thread that waits sleeps until somebody calls {@code loop.wake}.
 *
 * <p>At the end nobody waits for what has happened, and the deferred operation has been started or
 * ended, once, if it was time. It is started before another that waits for more.
 */
final class CounterModel {
  private static final int CLOSED = -1;
  private static final int TASKS = 6;

  /** What the loop runs. */
  private static final int CHECK = 1;

  private static final int REGISTER_WAIT = 2;
  private static final int CANCEL = 3;

  private static final int NONE = 0;
  private static final int WAITS = 1;
  private static final int OVER = 2;

  private static final int WAITING = 1;
  private static final int STARTED = 2;
  private static final int CANCELLED = 3;

  /** Who is there beside the loop and those that add. */
  enum Part {
    /** A thread sets the value to the threshold. */
    SETS,
    /** A thread counts an error. */
    FAILS,
    /** A thread blocks until the threshold. */
    BLOCKS,
    /** A wait is registered. */
    AWAITS,
    /** A thread defers an operation. */
    DEFERS,
    /** That operation is taken back. */
    CANCELS,
    /** A thread closes the counter. */
    CLOSES,
    /** A thread binds an endpoint to it. */
    BINDS,
    /** The thread that defers then adds so much that another operation is due that waits longer. */
    JUMPS
  }

  /**
   * Who is there.
   *
   * @param adders threads that add 1 each
   * @param threshold that all wait for
   */
  record Scene(int adders, int threshold, Set<Part> parts) {
    Scene(int adders, int threshold, Part... parts) {
      this(adders, threshold, Set.of(parts));
    }

    boolean has(Part part) {
      return parts.contains(part);
    }
  }

  private final Model model;
  private final Scene scene;
  private final int value;
  private final int errors;
  private final int waiting;
  private final int bound;
  private final int checkQueued;
  private final int queue;
  private final int queued;
  private final int taken;
  private final int permit;
  private final int blocked;
  private final int wait;
  private final int deferredWait;
  private final int deferral;
  private final int starts;
  private final int startedAt;
  private final int ends;
  private final int answer;
  private final int bindings;
  private final int arriving;
  private final int greater;

  CounterModel(Mutant mutant, Scene scene) {
    this.scene = scene;
    model = new Model(mutant);
    value = model.cell("value", 0);
    errors = model.cell("errors", 0);
    waiting = model.cell("waiting", scene.has(Part.JUMPS) ? 1 : 0);
    bound = model.cell("bound", 0);
    checkQueued = model.cell("checkQueued", 0);
    queue = model.cells("queue", TASKS, 0);
    queued = model.cell("queued", 0);
    taken = model.cell("taken", 0);
    permit = model.cell("permit", 0);
    blocked = model.cell("blocked", 0);
    wait = model.cell("wait", NONE);
    deferredWait = model.cell("deferredWait", NONE);
    deferral = model.cell("deferral", scene.has(Part.DEFERS) ? WAITING : NONE);
    starts = model.cell("starts", 0);
    startedAt = model.cell("startedAt", scene.threshold());
    ends = model.cell("ends", 0);
    answer = model.cell("answer", 0);
    bindings = model.cell("bindings", 0);
    arriving = model.cell("arriving", 0);
    greater = model.cell("greater", scene.has(Part.JUMPS) ? WAITS : NONE);
    loop();
    for (int i = 0; i < scene.adders(); i++) {
      adder(i);
    }
    if (scene.has(Part.SETS)) {
      setter();
    }
    if (scene.has(Part.FAILS)) {
      failer();
    }
    if (scene.has(Part.BLOCKS)) {
      waiter();
    }
    if (scene.has(Part.AWAITS)) {
      awaiter();
    }
    if (scene.has(Part.DEFERS)) {
      deferrer();
    }
    if (scene.has(Part.CANCELS)) {
      canceller();
    }
    if (scene.has(Part.CLOSES)) {
      closer();
    }
    if (scene.has(Part.BINDS)) {
      binder();
    }
    model.always(this::wrong);
    model.atEnd(this::missed);
  }

  Model model() {
    return model;
  }

  private String wrong(int[] m) {
    if (m[starts] + m[ends] > 1) {
      return "the operation is started or ended twice";
    }
    if (m[startedAt] < scene.threshold()) {
      return "the operation is started below its threshold";
    }
    if (m[greater] == OVER && m[deferral] == WAITING) {
      return "an operation is started before one that waits for less";
    }
    if (m[answer] == 1 && m[starts] == 1) {
      return "it was told to be taken back, and was started";
    }
    if (m[bound] == CLOSED && m[bindings] > 0) {
      return "the counter is closed though an endpoint is bound to it";
    }
    return null;
  }

  private String missed(int[] m) {
    boolean reached = m[value] >= scene.threshold();
    boolean over = reached || m[errors] != 0 || m[bound] == CLOSED;
    if (m[queued] != m[taken]) {
      return "a task waits";
    }
    if (over && m[blocked] == 1) {
      return "a thread sleeps though its wait is over";
    }
    if (over && m[wait] == WAITS) {
      return "a wait hears nothing though it is over";
    }
    if ((reached || m[bound] == CLOSED) && m[deferral] == WAITING) {
      return "the operation waits though it is time";
    }
    int registered = m[wait] == WAITS ? 1 : 0;
    int deferred = (m[deferredWait] == WAITS ? 1 : 0) + (m[greater] == WAITS ? 1 : 0);
    if (m[deferral] == CANCELLED && m[deferredWait] == WAITS) {
      return "the operation was taken back, and its wait stays";
    }
    if (m[waiting] != m[blocked] + registered + deferred) {
      return "waiting is not how many wait";
    }
    if (m[starts] + m[ends] != (m[deferral] == STARTED || m[deferral] == CANCELLED ? 1 : 0)) {
      return "the operation was neither started nor ended";
    }
    return null;
  }

  // ---- threads ----

  private void adder(int self) {
    Program p = model.thread("adder-" + self);
    p.enter("CounterState.add");
    p.atomic("value.getAndAdd", (m, r) -> m[value]++);
    changed(p);
    p.exit();
  }

  private void setter() {
    Program p = model.thread("setter");
    p.enter("CounterState.set");
    p.storeVolatile("value.set", r -> value, r -> scene.threshold());
    changed(p);
    p.exit();
  }

  private void failer() {
    Program p = model.thread("failer");
    p.enter("CounterState.addErrors");
    p.atomic("errors.getAndAdd", (m, r) -> m[errors]++);
    changed(p);
    p.exit();
  }

  private void waiter() {
    Program p = model.thread("waiter").daemon();
    int holds = p.register("holds");
    p.enter("CounterState.await");
    p.atomic(
        "waiting.getAndIncrement",
        (m, r) -> {
          m[waiting]++;
          m[blocked] = 1;
        });
    p.label("again");
    isOver(p, holds);
    p.when("over", r -> r[holds], "end");
    p.await("loop.await", (m, r) -> m[permit] == 1, (m, r) -> m[permit] = 0);
    p.jump("again");
    p.label("end");
    p.atomic(
        "waiting.getAndDecrement",
        (m, r) -> {
          m[waiting]--;
          m[blocked] = 0;
        });
    p.exit();
  }

  private void isOver(Program p, int holds) {
    int read = p.register("read");
    p.loadVolatile("value.get", read, r -> value);
    p.set("reached", r -> r[holds] = r[read] >= scene.threshold() ? 1 : 0);
    p.loadVolatile("errors.get", read, r -> errors);
    p.set("an error", r -> r[holds] |= r[read] != 0 ? 1 : 0);
    isClosed(p, read);
    p.set("closed", r -> r[holds] |= r[read]);
  }

  private void isClosed(Program p, int closed) {
    p.enter("CounterState.isClosed");
    p.loadVolatile("bound.get", closed, r -> bound);
    p.set("compare", r -> r[closed] = r[closed] == CLOSED ? 1 : 0);
    p.exit();
  }

  private void awaiter() {
    Program p = model.thread("awaiter");
    execute(p, "CounterState.register", REGISTER_WAIT);
  }

  private void deferrer() {
    Program p = model.thread("deferrer");
    p.enter("Deferrals.defer").note("state.requireOpen").note("operation.loop");
    p.note("String.valueOf").note("operation.begin").note("operation.accept");
    p.note("Deferral.waiter");
    p.enter("CounterState.defer", "state.defer");
    p.atomic("waiting.getAndIncrement", (m, r) -> m[waiting]++);
    p.storeRelease("arriving.add", r -> arriving, r -> 1);
    queueCheck(p);
    p.exit();
    p.exit();
    if (scene.has(Part.JUMPS)) {
      p.enter("CounterState.add");
      p.atomic("value.getAndAdd", (m, r) -> m[value] += scene.threshold() + 1);
      changed(p);
      p.exit();
    }
  }

  /** The endpoint closes: it may take the operation back before the counter has it. */
  private void canceller() {
    Program p = model.thread("canceller");
    String end = p.fresh("end");
    String waits = p.fresh("waits");
    p.enter("Deferrals.cancel").note("futures.create");
    int now = p.scratch("state");
    isWaiting(p, now, "deferral.isWaiting");
    p.when("it waits", r -> r[now], waits);
    p.note("Boolean.valueOf").note("create.complete");
    p.jump(end);
    p.label(waits);
    p.note("Deferrals.end").note("Boolean.valueOf").note("futures.complete");
    execute(p, "loop.execute", CANCEL);
    wake(p);
    p.label(end);
    p.exit();
  }

  private void isWaiting(Program p, int result, String line) {
    p.enter("Deferral.isWaiting", line);
    p.loadVolatile("get state", result, r -> deferral);
    p.set("compare", r -> r[result] = r[result] == WAITING ? 1 : 0);
    p.exit();
  }

  private void closer() {
    Program p = model.thread("closer");
    String busy = p.fresh("busy");
    p.enter("CounterState.close");
    int before = p.scratch("before");
    p.atomic(
        "bound.compareAndExchange",
        (m, r) -> {
          r[before] = m[bound];
          if (m[bound] == 0) {
            m[bound] = CLOSED;
          }
        });
    p.when("bound or closed", r -> r[before] != 0 ? 1 : 0, busy);
    queueCheck(p);
    p.label(busy);
    p.exit();
  }

  private void binder() {
    Program p = model.thread("binder");
    String closed = p.fresh("closed");
    p.enter("CounterState.bind");
    int before = p.scratch("before");
    p.atomic(
        "bound.getAndUpdate",
        (m, r) -> {
          r[before] = m[bound];
          if (m[bound] != CLOSED) {
            m[bound]++;
            m[bindings]++;
          }
        });
    p.when("closed", r -> r[before] == CLOSED ? 1 : 0, closed);
    p.label(closed);
    p.note("CounterState.requireOpen");
    p.exit();
  }

  // ---- counting ----

  private void changed(Program p) {
    String nobody = p.fresh("nobody");
    p.enter("CounterState.changed");
    int count = p.scratch("count");
    p.loadVolatile("waiting.get", count, r -> waiting);
    p.when("nobody waits", r -> r[count] == 0 ? 1 : 0, nobody);
    queueCheck(p);
    p.label(nobody);
    p.exit();
  }

  private void queueCheck(Program p) {
    String known = p.fresh("known");
    p.enter("CounterState.queueCheck");
    int first = p.scratch("first");
    p.compareAndSet("checkQueued.compareAndSet", first, r -> checkQueued, r -> 0, r -> 1);
    p.when("queued already", r -> 1 - r[first], known);
    execute(p, "loop.execute", CHECK);
    p.label(known);
    wake(p);
    p.exit();
  }

  private void execute(Program p, String line, int task) {
    p.atomic(
        line,
        (m, r) -> {
          m[queue + m[queued] % TASKS] = task;
          m[queued]++;
        });
  }

  private void wake(Program p) {
    p.atomic("loop.wake", (m, r) -> m[permit] = 1);
  }

  // ---- the loop ----

  private void loop() {
    Program p = model.thread("loop").daemon();
    int task = p.register("task");
    p.label("next");
    p.await(
        "a task",
        (m, r) -> m[queued] != m[taken],
        (m, r) -> {
          r[task] = m[queue + m[taken] % TASKS];
          m[queue + m[taken] % TASKS] = 0;
          m[taken]++;
        });
    p.when("a check", r -> r[task] == CHECK ? 1 : 0, "check");
    p.when("a wait", r -> r[task] == REGISTER_WAIT ? 1 : 0, "wait");
    if (scene.has(Part.CANCELS)) {
      end(p);
    }
    p.jump("next");
    p.label("check");
    check(p);
    p.jump("next");
    p.label("wait");
    register(p);
    p.jump("next");
  }

  private void check(Program p) {
    String open = p.fresh("open");
    p.enter("CounterState.check");
    int now = p.scratch("value");
    int failed = p.scratch("errors");
    int closed = p.scratch("closed");
    p.storeVolatile("checkQueued.set", r -> checkQueued, r -> 0);
    p.loadVolatile("value.get", now, r -> value);
    p.loadVolatile("errors.get", failed, r -> errors);
    takeArriving(p);
    p.atomic("waits.check", (m, r) -> endWaits(m, r[now], r[failed]));
    isClosed(p, closed);
    p.when("open", r -> 1 - r[closed], open);
    p.atomic("waits.close", (m, r) -> closeWaits(m));
    p.label(open);
    p.exit();
  }

  private void takeArriving(Program p) {
    String none = p.fresh("none");
    String waits = p.fresh("waits");
    p.enter("CounterState.takeArriving");
    int next = p.scratch("next");
    p.atomic(
        "arriving.poll",
        (m, r) -> {
          r[next] = m[arriving];
          m[arriving] = 0;
        });
    p.when("none", r -> 1 - r[next], none);
    p.note("CounterState.Arrival.waiter");
    p.enterStranger("waiter.isOver");
    p.loadVolatile("get state", next, r -> deferral);
    p.exit();
    p.when("it waits", r -> r[next] == WAITING ? 1 : 0, waits);
    p.atomic("waiting.getAndDecrement", (m, r) -> m[waiting]--);
    p.jump(none);
    p.label(waits);
    p.note("CounterState.Arrival.threshold").note("CounterState.Arrival.waiter");
    p.atomic("waits.add", (m, r) -> m[deferredWait] = WAITS);
    p.label(none);
    p.exit();
  }

  /** Counting in {@code waiting} is the callback of the waits, so it is one step with them. */
  private void endWaits(int[] m, int now, int failed) {
    boolean reached = now >= scene.threshold();
    if (m[wait] == WAITS && (reached || failed != 0)) {
      m[wait] = OVER;
      m[waiting]--;
    }
    if (m[deferredWait] == WAITS && reached) {
      m[deferredWait] = OVER;
      m[waiting]--;
      if (m[deferral] == WAITING) {
        m[deferral] = STARTED;
        m[starts]++;
        m[startedAt] = now;
      }
    }
    if (m[greater] == WAITS && now > scene.threshold()) {
      m[greater] = OVER;
      m[waiting]--;
    }
  }

  private void closeWaits(int[] m) {
    if (m[wait] == WAITS) {
      m[wait] = OVER;
      m[waiting]--;
    }
    if (m[deferredWait] == WAITS) {
      m[deferredWait] = OVER;
      m[waiting]--;
      endDeferral(m);
    }
  }

  private boolean endDeferral(int[] m) {
    if (m[deferral] != WAITING) {
      return false;
    }
    m[deferral] = CANCELLED;
    m[ends]++;
    return true;
  }

  private void register(Program p) {
    p.enter("CounterState.register");
    p.atomic("waiting.getAndIncrement", (m, r) -> m[waiting]++);
    p.atomic("waits.add", (m, r) -> m[wait] = WAITS);
    check(p);
    p.exit();
  }

  private void end(Program p) {
    p.enter("Deferrals.end").note("deferral.waiter");
    p.enter("CounterState.remove", "state.remove");
    takeArriving(p);
    p.atomic(
        "waits.remove",
        (m, r) -> {
          if (m[deferredWait] == WAITS) {
            m[deferredWait] = OVER;
            m[waiting]--;
          }
        });
    p.exit();
    p.atomic("deferral.end", (m, r) -> m[answer] = endDeferral(m) ? 1 : 2);
    p.exit();
  }
}
