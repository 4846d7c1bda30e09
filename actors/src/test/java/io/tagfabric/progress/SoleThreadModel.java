package io.tagfabric.progress;

import io.tagfabric.explore.Model;
import io.tagfabric.explore.Mutant;
import io.tagfabric.explore.Program;
import java.util.Set;

/**
 * Threads that enter a loop of {@link ThreadUse#ONE}: the holder, guests that came while there was
 * none, and who takes the loop from the holder. Inside each adds 1 to a number that has no order of
 * its own; at the end it is how often somebody was inside.
 *
 * <p>The holder meets a safepoint between two of its steps, or when it ends.
 */
final class SoleThreadModel {
  private static final int HOLDER = 1;
  private static final int GUEST = 2;
  private static final int TAKER = 3;
  private static final int NEXT = 4;
  private static final int ALL = 5;

  /** Who is there beside the holder. */
  enum Part {
    /** A thread that may have seen no holder. */
    GUEST,
    /** A thread that ends the holder's time, then enters. */
    TAKER,
    /** The holder gives the loop up, and the next that claims it enters. */
    NEXT
  }

  private final Model model;
  private final Set<Part> parts;
  private final int safepointAt;
  private int safepoints;
  private final int holder;
  private final int ending;
  private final int driver;
  private final int loneDriver;
  private final int number;
  private final int inside;
  private final int asked;
  private final int answered;
  private final int ended;
  private final int refused;

  /**
   * A model.
   *
   * @param safepointAt which of the places between the holder's steps is the safepoint
   */
  SoleThreadModel(Mutant mutant, Set<Part> parts, int safepointAt) {
    this.parts = parts;
    this.safepointAt = safepointAt;
    model = new Model(mutant);
    holder = model.cell("holder", 0);
    ending = model.cell("ending", 0);
    driver = model.cell("driver", 0);
    loneDriver = model.cell("loneDriver", 0);
    number = model.cell("number", 0);
    inside = model.cells("inside", NEXT + 1, 0);
    asked = model.cell("asked", 0);
    answered = model.cell("answered", 0);
    ended = model.cell("ended", 0);
    refused = model.cells("refused", NEXT + 1, 0);
    holder();
    if (parts.contains(Part.GUEST)) {
      guest();
    }
    if (parts.contains(Part.TAKER)) {
      taker();
    }
    if (parts.contains(Part.NEXT)) {
      next();
    }
    model.atEnd(this::wrong);
  }

  Model model() {
    return model;
  }

  /** How many such places there are. */
  int safepoints() {
    return safepoints;
  }

  private String wrong(int[] m) {
    int all = m[inside + HOLDER] + m[inside + GUEST] + m[inside + TAKER] + m[inside + NEXT];
    if (m[refused + TAKER] != 0) {
      return "who has taken it is refused";
    }
    return m[number] == all ? null : "entered " + all + " times, counted " + m[number];
  }

  // ---- the threads ----

  private void holder() {
    Program p = model.thread("holder");
    boolean givesUp = parts.contains(Part.NEXT);
    String end = p.fresh("end");
    claim(p, HOLDER, end);
    enterOnce(p, HOLDER);
    claim(p, HOLDER, end);
    enterOnce(p, HOLDER);
    if (givesUp) {
      giveUp(p);
    }
    p.label(end);
    p.fence("it ends");
    p.storeRelease("it has ended", r -> ended, r -> 1);
  }

  private void guest() {
    Program p = model.thread("guest");
    enterOnce(p, GUEST);
  }

  private void taker() {
    Program p = model.thread("taker");
    p.enter("SoleThread.end");
    int last = p.scratch("last");
    p.storeVolatile("put ending", r -> ending, r -> 1);
    p.atomic(
        "HOLDER.getAndSet",
        (m, r) -> {
          r[last] = m[holder];
          m[holder] = ALL;
        });
    String nobody = p.fresh("nobody");
    p.when("nobody has it", r -> r[last] == 0 ? 1 : 0, nobody);
    p.enterStranger("");
    p.storeVolatile("ask for a safepoint", r -> asked, r -> 1);
    p.await("it passes a safepoint", (m, r) -> m[answered] + m[ended] > 0, (m, r) -> {});
    p.exit();
    p.label(nobody);
    p.storeVolatile("put ending", r -> ending, r -> 0);
    p.exit();
    enterOnce(p, TAKER);
  }

  private void next() {
    Program p = model.thread("next");
    String end = p.fresh("end");
    claim(p, NEXT, end);
    enterOnce(p, NEXT);
    p.label(end);
  }

  /** A place between two steps. */
  private void safepoint(Program p, int self) {
    if (self != HOLDER || !parts.contains(Part.TAKER) || safepoints++ != safepointAt) {
      return;
    }
    String on = p.fresh("on");
    p.enterStranger("");
    int value = p.scratch("asked");
    p.load("is there a safepoint", value, r -> asked);
    p.when("there is none", r -> 1 - r[value], on);
    p.fence("at the safepoint");
    p.storeRelease("it is there", r -> answered, r -> 1);
    p.label(on);
    p.exit();
  }

  /** Tries to enter, and adds 1 inside. */
  private void enterOnce(Program p, int self) {
    int taken = p.register("taken");
    int value = p.register("value");
    int count = p.register("count");
    String out = p.fresh("out");
    take(p, self, taken);
    p.when("not taken", r -> 1 - r[taken], out);
    safepoint(p, self);
    p.load("read the number", value, r -> number);
    safepoint(p, self);
    p.store("write the number", r -> number, r -> r[value] + 1);
    p.store("was inside", r -> inside + self, r -> r[count] + 1);
    p.set("counted", r -> r[count]++);
    release(p, self);
    p.label(out);
    safepoint(p, self);
    p.set("forget", r -> r[taken] = r[value] = 0);
  }

  // ---- ProgressLoop ----

  private void take(Program p, int self, int taken) {
    String no = p.fresh("no");
    p.enter("ProgressLoop.take");
    int value = p.scratch("driver");
    p.set("not yet", r -> r[taken] = 0);
    p.loadVolatile("get driver", value, r -> driver);
    p.when("driven", r -> r[value] != 0 ? 1 : 0, no);
    p.note("owner.excludes").note("DRIVER.compareAndSet");
    safepoint(p, self);
    takeAlone(p, self, taken);
    p.label(no);
    p.exit();
  }

  private void takeAlone(Program p, int self, int taken) {
    String end = p.fresh("end");
    String guest = p.fresh("guest");
    String undo = p.fresh("undo");
    String leave = p.fresh("leave");
    p.enter("ProgressLoop.takeAlone");
    int held = p.scratch("held");
    int value = p.scratch("value");
    isHeldByCaller(p, self, held);
    p.when("not the holder", r -> 1 - r[held], guest);
    safepoint(p, self);
    p.loadVolatile("get loneDriver", value, r -> loneDriver);
    p.when("inside already", r -> r[value] != 0 ? 1 : 0, end);
    safepoint(p, self);
    p.store("LONE_DRIVER.setOpaque", r -> loneDriver, r -> self);
    safepoint(p, self);
    isHeldByCaller(p, self, held);
    safepoint(p, self);
    p.when("no longer the holder", r -> 1 - r[held], undo);
    p.set("taken", r -> r[taken] = 1);
    p.jump(end);
    p.label(undo);
    p.storeRelease("LONE_DRIVER.setRelease", r -> loneDriver, r -> 0);
    p.jump(end);
    p.label(guest);
    require(p, self, held);
    String admitted = p.fresh("admitted");
    p.when("admitted", r -> r[held], admitted);
    p.enterStranger("");
    p.storeRelease("it throws", r -> refused + self, r -> 1);
    p.exit();
    p.jump(end);
    p.label(admitted);
    safepoint(p, self);
    p.compareAndSet("DRIVER.compareAndSet", taken, r -> driver, r -> 0, r -> self);
    p.when("lost", r -> 1 - r[taken], end);
    safepoint(p, self);
    isHeld(p, held);
    p.when("held meanwhile", r -> r[held], leave);
    p.loadVolatile("get loneDriver", value, r -> loneDriver);
    p.when("the holder is inside", r -> r[value] != 0 ? 1 : 0, leave);
    p.jump(end);
    p.label(leave);
    p.storeRelease("DRIVER.setRelease", r -> driver, r -> 0);
    p.set("left", r -> r[taken] = 0);
    p.label(end);
    p.exit();
  }

  private void release(Program p, int self) {
    String end = p.fresh("end");
    String other = p.fresh("other");
    p.enter("ProgressLoop.release");
    int value = p.scratch("value");
    p.loadVolatile("get loneDriver", value, r -> loneDriver);
    p.when("entered as others do", r -> r[value] == self ? 0 : 1, other);
    p.storeRelease("LONE_DRIVER.setRelease", r -> loneDriver, r -> 0);
    p.jump(end);
    p.label(other);
    p.storeRelease("DRIVER.setRelease", r -> driver, r -> 0);
    p.label(end);
    p.exit();
  }

  // ---- SoleThread ----

  private void isHeldByCaller(Program p, int self, int held) {
    p.enter("SoleThread.isHeldByCaller", "sole.isHeldByCaller");
    int value = p.scratch("holder");
    p.loadVolatile("get holder", value, r -> holder);
    p.set("is it me", r -> r[held] = r[value] == self ? 1 : 0);
    p.exit();
  }

  private void isHeld(Program p, int held) {
    String end = p.fresh("end");
    p.enter("SoleThread.isHeld", "sole.isHeld");
    int value = p.scratch("value");
    p.loadVolatile("get holder", value, r -> holder);
    p.set("there is one", r -> r[held] = r[value] != 0 && r[value] != ALL ? 1 : 0);
    p.when("it has one", r -> r[held], end);
    p.loadVolatile("get ending", held, r -> ending);
    p.label(end);
    p.exit();
  }

  /** {@code admitted} is 0 where it throws. */
  private void require(Program p, int self, int admitted) {
    p.enter("SoleThread.require", "sole.require");
    int value = p.scratch("holder");
    p.loadVolatile("get holder", value, r -> holder);
    p.set("may I", r -> r[admitted] = r[value] == 0 || r[value] == ALL || r[value] == self ? 1 : 0);
    p.exit();
  }

  private void claim(Program p, int self, String refused) {
    String end = p.fresh("end");
    int claimed = p.register("claimed");
    p.enter("SoleThread.claim");
    int value = p.scratch("holder");
    int done = p.scratch("done");
    p.loadVolatile("get holder", value, r -> holder);
    p.set("may go on", r -> r[claimed] = 1);
    p.when("it is me", r -> r[value] == self ? 1 : 0, end);
    p.compareAndSet("HOLDER.compareAndSet", done, r -> holder, r -> 0, r -> self);
    p.when("it is mine", r -> r[done], end);
    safepoint(p, self);
    p.enter("SoleThread.require");
    p.loadVolatile("get holder", value, r -> holder);
    p.set("may I", r -> r[claimed] = r[value] == 0 || r[value] == ALL || r[value] == self ? 1 : 0);
    p.exit();
    p.label(end);
    p.exit();
    p.when("it throws", r -> 1 - r[claimed], refused);
  }

  private void giveUp(Program p) {
    p.enter("SoleThread.giveUp").note("SoleThread.require");
    int done = p.scratch("done");
    p.compareAndSet("HOLDER.compareAndSet", done, r -> holder, r -> HOLDER, r -> 0);
    p.exit();
  }
}
