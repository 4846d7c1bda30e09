package io.tagfabric.collective.host;

import io.tagfabric.explore.Model;
import io.tagfabric.explore.Mutant;
import io.tagfabric.explore.Program;

/**
 * Members of a team on one host that go through stages, sleep while they wait for a flag, and may
 * leave: {@link SharedBoard} with works in which all write one number and read those of all.
 */
final class BoardModel {
  private static final int NOTHING = -1;
  private static final int SLOWEST = 9;
  private static final int CALL = 7;

  private final Model model;
  private final int members;
  private final int slots;
  private final boolean fromRoot;
  private final boolean manyCalls;
  private final int flags;
  private final int data;
  private final int ended;
  private final int left;
  private final int firstStages;
  private final int called;
  private final int waiting;
  private final int asleep;
  private final int sleepers;
  private final int bells;
  private final int over;

  /**
   * A team that makes one call, of all stages.
   *
   * @param stages that each member goes through
   * @param fromRoot whether only the first member writes, as in a broadcast; else all do
   * @param leaves whether the last member leaves one stage early
   */
  BoardModel(Mutant mutant, int members, int slots, int stages, boolean fromRoot, boolean leaves) {
    this(mutant, members, slots, fromRoot, false);
    for (int rank = 0; rank < members; rank++) {
      boolean early = leaves && rank == members - 1;
      member(rank, early ? stages - 1 : stages, early);
    }
    model.atEnd(
        m -> {
          int said = 0;
          for (int rank = 0; rank < members; rank++) {
            said += m[asleep + rank];
          }
          return said == m[sleepers] ? null : "sleepers=" + m[sleepers] + " asleep=" + said;
        });
  }

  /**
   * A member that waits, and so tells, in each of its calls or in every other, of a stage each; and
   * one that makes the same calls and looks at any time. More can happen here than in a team, whose
   * members wait for one another.
   */
  static BoardModel ofCalls(Mutant mutant, int calls, int every) {
    BoardModel board = new BoardModel(mutant, 2, 2, false, true);
    board.tells(calls, every);
    board.looks(calls);
    return board;
  }

  private void tells(int calls, int every) {
    Program p = model.thread("member-0");
    int stage = p.register("stage");
    int told = p.register("told");
    p.label("next");
    tellCall(p, 0, stage, told);
    p.set(
        "next call",
        r -> {
          r[told] = 0;
          r[stage] += every;
        });
    p.when("more", r -> r[stage] < calls ? 1 : 0, "next");
  }

  private void looks(int calls) {
    Program p = model.thread("member-1");
    int stage = p.register("stage");
    int next = p.register("next"); // member 0
    p.label("look");
    requireInCall(p, stage, next);
    p.when("more", r -> ++r[stage] < calls ? 1 : 0, "look");
  }

  private BoardModel(Mutant mutant, int members, int slots, boolean fromRoot, boolean manyCalls) {
    this.manyCalls = manyCalls;
    this.fromRoot = fromRoot;
    this.members = members;
    this.slots = slots;
    model = new Model(mutant);
    flags = model.cells("flag", members * slots, 0);
    data = model.cells("data", members * slots, 0);
    ended = model.cells("ended", members, 0);
    left = model.cells("left", members, 0);
    firstStages = model.cells("firstStage", 2 * members, -1);
    called = model.cells("called", 2 * members, 0);
    waiting = model.cells("waiting", members, 0);
    asleep = model.cells("asleep", members, 0);
    sleepers = model.cell("sleepers", 0);
    bells = model.cells("bell", members, 0);
    over = model.cells("over", members, 0);
  }

  Model model() {
    return model;
  }

  private int slot(int member, int stage) {
    return member * slots + stage % slots;
  }

  /** The number of the call that a stage belongs to. */
  private int call(int stage) {
    return manyCalls ? stage + 1 : 1;
  }

  private int firstStage(int stage) {
    return manyCalls ? stage : 0;
  }

  /** A hash of all that was called. */
  private int hash(int stage) {
    return CALL + call(stage);
  }

  private static int place(int member, int call) {
    return 2 * member + (call & 1);
  }

  private void member(int self, int last, boolean leaves) {
    Program p = model.thread("member-" + self);
    int stage = p.register("stage");
    int written = p.register("written");
    int next = p.register("next");
    int awaitedStage = p.register("awaitedStage");
    int awaited = p.register("awaited");
    int blocked = p.register("blocked");
    int gone = p.register("gone");
    int says = p.register("says");
    int told = p.register("told");
    p.set("waits for nobody", r -> r[awaited] = NOTHING);
    p.label("advance");
    p.when("all stages are done", r -> r[stage] == last ? 1 : 0, "end");
    p.when("is written", r -> r[written], "read");
    write(p, self, stage, awaitedStage, awaited, blocked, gone, told);
    p.when("somebody has left", r -> r[gone], "end");
    p.when("cannot write", r -> r[blocked], "sleep");
    p.set("is written", r -> r[written] = 1);
    p.label("read");
    read(p, self, stage, next, awaitedStage, awaited, blocked, gone, told);
    p.when("somebody has left", r -> r[gone], "end");
    p.when("cannot read", r -> r[blocked], "sleep");
    endStage(p, self, stage);
    p.set(
        "next stage",
        r -> {
          r[written] = 0;
          r[next] = 0;
          r[told] = manyCalls ? 0 : r[told];
        });
    p.jump("advance");
    p.label("sleep");
    announce(p, self, awaitedStage, awaited, says);
    p.when("something is there", r -> 1 - r[says], "advance");
    p.await("sleep", (m, r) -> m[bells + self] == 1, (m, r) -> m[bells + self] = 0);
    withdraw(p, self);
    p.jump("advance");
    p.label("end");
    if (leaves) {
      p.enter("SharedBoard.leave").note("layout.leftAt");
      p.storeVolatile("buffer.putIntVolatile leftAt", r -> left + self, r -> 1);
      wakeSleepers(p, self);
      p.exit();
    }
    p.storeRelease("over", r -> over + self, r -> 1);
  }

  // ---- a stage ----

  private void write(
      Program p,
      int self,
      int stage,
      int awaitedStage,
      int awaited,
      int blocked,
      int gone,
      int told) {
    String free = p.fresh("free");
    String end = p.fresh("end");
    p.enter("SharedBoard.write");
    int is = p.scratch("is free");
    p.set("not blocked", r -> r[blocked] = 0);
    p.note("work.writes");
    p.when("writes nothing", r -> fromRoot && self > 0 ? 1 : 0, end);
    isSlotFree(p, self, stage, is);
    p.when("the slot is free", r -> r[is], free);
    p.set(
        "waits for the slowest",
        r -> {
          r[awaitedStage] = r[stage];
          r[awaited] = SLOWEST;
          r[blocked] = 1;
        });
    p.note("put awaited");
    requireAllPresent(p, stage, gone);
    p.when("somebody has left", r -> r[gone], end);
    tellCall(p, self, stage, told);
    p.jump(end);
    p.label(free);
    p.note("layout.flagAt").note("SharedBoard.at");
    p.store("work.write", r -> data + slot(self, r[stage]), r -> r[stage] + 1);
    p.note("buffer.putLong flagAt+8");
    p.storeRelease(
        "buffer.putLongOrdered flagAt", r -> flags + slot(self, r[stage]), r -> r[stage] + 1);
    wakeSleepers(p, self);
    p.label(end);
    p.exit();
  }

  private void isSlotFree(Program p, int self, int stage, int is) {
    String known = p.fresh("known");
    p.enter("SharedBoard.isSlotFree");
    int by = p.register("ended by all");
    p.when("known", r -> r[by] >= r[stage] - slots + 1 ? 1 : 0, known);
    slowest(p, self, by);
    p.label(known);
    p.set("is free", r -> r[is] = r[by] >= r[stage] - slots + 1 ? 1 : 0);
    p.exit();
  }

  private void slowest(Program p, int self, int least) {
    p.enter("SharedBoard.slowest");
    int value = p.scratch("value");
    p.set("many", r -> r[least] = 99);
    p.note("layout.endedAt");
    p.enterStranger("buffer.getLongVolatile endedAt");
    for (int member = 0; member < members; member++) {
      int other = member;
      if (other != self) {
        p.loadVolatile("of a member", value, r -> ended + other);
        p.set("the least", r -> r[least] = Math.min(r[least], r[value]));
      }
    }
    p.exit();
    p.exit();
  }

  private void requireAllPresent(Program p, int stage, int gone) {
    p.enter("SharedBoard.requireAllPresent");
    missing(p, stage, gone);
    p.exit();
  }

  /** The register tells whether a member has left that is waited for. */
  private void missing(Program p, int stage, int result) {
    String more = p.fresh("more");
    String next = p.fresh("next");
    p.enter("SharedBoard.missing");
    int member = p.scratch("member");
    int value = p.scratch("value");
    p.label(more);
    hasLeft(p, member, value);
    p.when("present", r -> 1 - r[value], next);
    p.note("layout.endedAt");
    p.loadVolatile("buffer.getLongVolatile endedAt", value, r -> ended + r[member]);
    p.set("is missed", r -> r[result] |= r[value] <= r[stage] - slots ? 1 : 0);
    p.label(next);
    p.when("more", r -> ++r[member] < members ? 1 : 0, more);
    p.exit();
  }

  private void hasLeft(Program p, int member, int result) {
    p.enter("SharedBoard.hasLeft").note("layout.leftAt");
    p.loadVolatile("buffer.getIntVolatile leftAt", result, r -> left + r[member]);
    p.exit();
  }

  private void read(
      Program p,
      int self,
      int stage,
      int next,
      int awaitedStage,
      int awaited,
      int blocked,
      int gone,
      int told) {
    String more = p.fresh("more");
    String own = p.fresh("own");
    String up = p.fresh("up");
    String end = p.fresh("end");
    p.enter("SharedBoard.read");
    int flag = p.scratch("flag");
    int value = p.scratch("value");
    p.set("not blocked", r -> r[blocked] = 0);
    p.label(more);
    p.when("all are read", r -> r[next] == members ? 1 : 0, end);
    p.note("SharedBoard.at").note("work.readOwn").note("work.reads");
    p.when("own, or not read", r -> r[next] == self || fromRoot && r[next] > 0 ? 1 : 0, own);
    p.note("layout.flagAt");
    p.loadVolatile("buffer.getLongVolatile flagAt", flag, r -> flags + slot(r[next], r[stage]));
    p.when("it is up", r -> r[flag] == r[stage] + 1 ? 1 : 0, up);
    p.set(
        "waits for a flag",
        r -> {
          r[awaitedStage] = r[stage];
          r[awaited] = r[next];
          r[blocked] = 1;
        });
    p.note("put awaited");
    requirePresent(p, stage, next, gone);
    p.when("somebody has left", r -> r[gone], end);
    tellCall(p, self, stage, told);
    requireInCall(p, stage, next);
    p.jump(end);
    p.label(up);
    p.note("buffer.getLong flagAt+8").note("SharedBoard.at");
    p.load("work.read", value, r -> data + slot(r[next], r[stage]));
    p.check("the data are of this stage", r -> r[value] == r[stage] + 1 ? 1 : 0);
    p.label(own);
    p.set("next", r -> r[next]++);
    p.jump(more);
    p.label(end);
    p.exit();
  }

  private void requirePresent(Program p, int stage, int next, int gone) {
    String present = p.fresh("present");
    p.enter("SharedBoard.requirePresent");
    int value = p.scratch("value");
    hasLeft(p, next, value);
    p.when("present", r -> 1 - r[value], present);
    p.loadVolatile("buffer.getLongVolatile flagAt", value, r -> flags + slot(r[next], r[stage]));
    p.set("is missed", r -> r[gone] = r[value] != r[stage] + 1 ? 1 : 0);
    p.label(present);
    p.exit();
  }

  private void tellCall(Program p, int self, int stage, int told) {
    String end = p.fresh("end");
    p.enter("SharedBoard.tellCall");
    p.when("has told", r -> r[told], end);
    p.set("has told", r -> r[told] = 1);
    p.note("layout.waitingAt");
    p.storeRelease("buffer.putLongOrdered waitingAt", r -> waiting + self, r -> 0);
    p.note("layout.firstStageAt");
    p.storeRelease(
        "buffer.putLongOrdered firstStageAt",
        r -> firstStages + place(self, call(r[stage])),
        r -> firstStage(r[stage]));
    p.note("layout.calledAt");
    p.storeRelease(
        "buffer.putLongOrdered calledAt",
        r -> called + place(self, call(r[stage])),
        r -> hash(r[stage]));
    p.note("layout.waitingAt");
    p.storeVolatile("buffer.putLongVolatile waitingAt", r -> waiting + self, r -> call(r[stage]));
    p.label(end);
    p.exit();
  }

  /** Members that make the same call are never taken for members that differ. */
  private void requireInCall(Program p, int stage, int next) {
    String notOn = p.fresh("notOn");
    p.enter("SharedBoard.requireInCall");
    int value = p.scratch("value");
    int waits = p.scratch("waits");
    int began = p.scratch("began");
    int theirs = p.scratch("theirs");
    p.note("layout.endedAt");
    p.loadVolatile("buffer.getLongVolatile endedAt", value, r -> ended + r[next]);
    p.when("has not gone on", r -> r[value] <= r[stage] ? 1 : 0, notOn);
    p.loadVolatile("buffer.getLongVolatile flagAt", value, r -> flags + slot(r[next], r[stage]));
    p.check("who has gone on has raised the flag", r -> r[value] == r[stage] + 1 ? 1 : 0);
    p.label(notOn);
    p.note("layout.waitingAt");
    p.loadVolatile("buffer.getLongVolatile waitingAt", waits, r -> waiting + r[next]);
    p.note("layout.firstStageAt");
    p.loadVolatile(
        "buffer.getLongVolatile firstStageAt", began, r -> firstStages + place(r[next], r[waits]));
    p.note("layout.calledAt");
    p.loadVolatile(
        "buffer.getLongVolatile calledAt", theirs, r -> called + place(r[next], r[waits]));
    p.note("layout.waitingAt");
    p.loadVolatile("buffer.getLongVolatile waitingAt", value, r -> waiting + r[next]);
    p.check(
        "the call is the same",
        r ->
            r[value] != r[waits]
                    || r[waits] == 0
                    || r[began] != firstStage(r[stage])
                    || r[theirs] == hash(r[stage])
                ? 1
                : 0);
    p.exit();
  }

  private void endStage(Program p, int self, int stage) {
    p.enter("SharedBoard.endStage").note("work.end").note("layout.endedAt");
    p.set("stage", r -> r[stage]++);
    p.storeRelease("buffer.putLongOrdered endedAt", r -> ended + self, r -> r[stage]);
    wakeSleepers(p, self);
    p.note("work.stages").note("put awaited").note("SharedBoard.enterStage");
    p.exit();
  }

  // ---- sleep ----

  private void wakeSleepers(Program p, int self) {
    String nobody = p.fresh("nobody");
    p.enter("SharedBoard.wakeSleepers");
    int count = p.scratch("count");
    int took = p.scratch("took");
    p.fence("VarHandle.fullFence");
    p.loadVolatile("buffer.getLongVolatile " + SharedLayout.SLEEPERS_AT, count, r -> sleepers);
    p.when("nobody sleeps", r -> r[count] == 0 ? 1 : 0, nobody);
    int member = p.scratch("woken");
    String more = p.fresh("more");
    String next = p.fresh("next");
    p.label(more);
    p.when("itself", r -> r[member] == self ? 1 : 0, next);
    takeDown(p, member, took);
    p.when("awake", r -> 1 - r[took], next);
    p.atomic("waker.accept", (m, r) -> m[bells + r[member]] = 1);
    p.label(next);
    p.when("more", r -> ++r[member] < members ? 1 : 0, more);
    p.label(nobody);
    p.exit();
  }

  private void takeDown(Program p, int member, int took) {
    String end = p.fresh("end");
    p.enter("SharedBoard.takeDown").note("layout.asleepAt");
    int value = p.scratch("value");
    p.set("not yet", r -> r[took] = 0);
    p.loadVolatile("buffer.getIntVolatile asleepAt", value, r -> asleep + r[member]);
    p.when("awake", r -> r[value] == 0 ? 1 : 0, end);
    p.compareAndSet(
        "buffer.compareAndSetInt asleepAt", took, r -> asleep + r[member], r -> 1, r -> 0);
    p.when("taken by another", r -> 1 - r[took], end);
    p.atomic("buffer.getAndAddLong " + SharedLayout.SLEEPERS_AT, (m, r) -> m[sleepers]--);
    p.label(end);
    p.exit();
  }

  private void announce(Program p, int self, int awaitedStage, int awaited, int says) {
    String counted = p.fresh("counted");
    String quiet = p.fresh("quiet");
    String end = p.fresh("end");
    p.enter("SharedBoard.announce");
    int done = p.scratch("done");
    int there = p.scratch("there");
    p.note("synchronized").note("get awaited");
    p.atomic("buffer.getAndAddLong " + SharedLayout.SLEEPERS_AT, (m, r) -> m[sleepers]++);
    p.note("layout.asleepAt");
    p.compareAndSet("buffer.compareAndSetInt asleepAt", done, r -> asleep + self, r -> 0, r -> 1);
    p.when("said now", r -> r[done], counted);
    p.atomic("buffer.getAndAddLong " + SharedLayout.SLEEPERS_AT, (m, r) -> m[sleepers]--);
    p.label(counted);
    p.note("get awaited");
    isThere(p, self, awaitedStage, awaited, there);
    p.when("nothing there", r -> 1 - r[there], quiet);
    withdraw(p, self);
    p.set("something is there", r -> r[says] = 0);
    p.jump(end);
    p.label(quiet);
    p.set("sleeps", r -> r[says] = 1);
    p.label(end);
    p.exit();
  }

  private void isThere(Program p, int self, int awaitedStage, int awaited, int there) {
    String flag = p.fresh("flag");
    String end = p.fresh("end");
    p.enter("SharedBoard.isThere");
    int value = p.scratch("value");
    p.when("a flag", r -> r[awaited] != SLOWEST ? 1 : 0, flag);
    slowest(p, self, value);
    p.set("all have ended", r -> r[there] = r[value] >= r[awaitedStage] - slots + 1 ? 1 : 0);
    p.when("ended", r -> r[there], end);
    missing(p, awaitedStage, there);
    p.jump(end);
    p.label(flag);
    p.note("layout.flagAt");
    p.loadVolatile(
        "buffer.getLongVolatile flagAt", value, r -> flags + slot(r[awaited], r[awaitedStage]));
    p.set("it is up", r -> r[there] = r[value] == r[awaitedStage] + 1 ? 1 : 0);
    p.when("up", r -> r[there], end);
    hasLeft(p, awaited, there);
    p.label(end);
    p.exit();
  }

  private void withdraw(Program p, int self) {
    p.enter("SharedBoard.withdraw").note("synchronized");
    int took = p.scratch("took");
    int member = p.scratch("itself");
    p.set("itself", r -> r[member] = self);
    takeDown(p, member, took);
    p.exit();
  }
}
