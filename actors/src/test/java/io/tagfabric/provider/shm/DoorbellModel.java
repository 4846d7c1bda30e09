package io.tagfabric.provider.shm;

import io.tagfabric.explore.Model;
import io.tagfabric.explore.Mutant;
import io.tagfabric.explore.Program;
import io.tagfabric.explore.Step;
import io.tagfabric.provider.shm.ring.ShmLayout;

/**
 * A thread that sleeps until the bell rings, and processes that write records. {@link ShmDoorbell}
 * and {@link ShmPeer}, with a ring whose records are one cell each.
 *
 * <p>Writers pass no fence between a record and their look. So somebody has to look again: the
 * sleeper, when what was stored before its first sleep is visible, or the writer, behind a fence.
 * Each is enough; the writer is the sooner, and may never come to it.
 */
final class DoorbellModel {
  static final String ASLEEP = " " + ShmLayout.ASLEEP_AT;

  private final Model model;
  private final int head;
  private final int tail;
  private final int lengths;
  private final int asleep;
  private final int strokes;
  private final int alive;
  private final Again again;

  /** Who looks again. */
  enum Again {
    SLEEPER,
    WRITERS
  }

  /** Writers with so many records each; the first may be killed. */
  DoorbellModel(Mutant mutant, Again again, boolean killable, int... records) {
    model = new Model(mutant);
    this.again = again;
    int all = 0;
    for (int count : records) {
      all += count;
    }
    head = model.cell("head", 0);
    tail = model.cell("tail", 0);
    lengths = model.cells("length", all + 1, 0);
    asleep = model.cell("asleep", 0);
    strokes = model.cell("strokes", 0);
    alive = model.cell("alive", 1);
    int total = all;
    sleeper(total);
    for (int writer = 0; writer < records.length; writer++) {
      Program program = model.thread("writer-" + writer);
      if (killable && writer == 0) {
        program.killable(alive);
      }
      for (int i = 0; i < records[writer]; i++) {
        write(program);
      }
      if (again == Again.WRITERS) {
        // As it does before it writes to another peer, and when nothing has come.
        boolean prepares = records.length == 1;
        program.enter(prepares ? "ShmPeer.prepare" : "ShmPeer.ringAfterAll");
        program.note("ShmPeer.isReady");
        program.fence("VarHandle.fullFence");
        ringIfAsleep(program);
        program.note(prepares ? "writer.prepare" : "");
        program.exit();
      }
    }
    model.atEnd(m -> m[alive] == 1 && m[head] != total ? "read=" + m[head] + " of " + total : null);
  }

  Model model() {
    return model;
  }

  private void sleeper(int total) {
    Program p = model.thread("sleeper");
    int length = p.register("length");
    int read = p.register("read");
    int says = p.register("says");
    int heard = p.register("heard");
    p.daemon();
    p.label("look").loadVolatile("look at the ring", length, r -> lengths + r[read]);
    p.when("nothing there", r -> r[length] > 0 ? 0 : 1, "sleep");
    p.set("count it", r -> r[read]++);
    p.storeRelease("the room is free", r -> head, r -> r[read]);
    p.when("all read", r -> r[read] == total ? 1 : 0, "end");
    p.jump("look");
    p.label("sleep");
    announce(p, says, heard);
    p.when("there is work", r -> 1 - r[says], "look");
    // Who rings may have died: then only the longest sleep ends this one.
    Step.Guard ends = (m, r) -> m[strokes] > 0 || (m[alive] == 0 && m[head] < m[tail]);
    if (again == Again.SLEEPER) {
      p.outlast("a short sleep in the selector", ends, (m, r) -> r[heard] |= m[strokes]);
      isQuiet(p, says);
      p.when("there is work after all", r -> 1 - r[says], "awake");
    }
    p.await("sleep in the selector", ends, (m, r) -> r[heard] |= m[strokes]);
    p.label("awake");
    withdraw(p);
    p.jump("look");
    p.label("end");
  }

  private void isQuiet(Program p, int says) {
    p.enter("ShmDoorbell.isQuiet");
    p.note("synchronized");
    int length = hasRecord(p);
    p.set("says whether there is none", r -> r[says] = r[length] > 0 ? 0 : 1);
    p.exit();
  }

  /** The register for the length of the record. */
  private int hasRecord(Program p) {
    int at = p.register("at");
    int length = p.register("length");
    p.enter("RingReader.hasRecord", "hasWork.getAsBoolean");
    p.loadVolatile("buffer.getLongVolatile headAt", at, r -> head);
    p.loadVolatile("buffer.getIntVolatile computed", length, r -> lengths + r[at]);
    p.exit();
    return length;
  }

  private void announce(Program p, int says, int heard) {
    String quiet = p.fresh("quiet");
    String end = p.fresh("end");
    p.enter("ShmDoorbell.announce");
    p.note("synchronized");
    p.atomic(
        "ShmDoorbell.readBells",
        (m, r) -> {
          m[strokes] &= ~r[heard];
          r[heard] = 0;
        });
    p.note("put announced");
    p.storeRelease("buffer.putIntOrdered" + ASLEEP, r -> asleep, r -> 1);
    p.fence("VarHandle.fullFence");
    int length = hasRecord(p);
    p.when("nothing there", r -> r[length] > 0 ? 0 : 1, quiet);
    withdraw(p);
    p.set("says that there is work", r -> r[says] = 0);
    p.jump(end);
    p.label(quiet);
    p.set("says that it sleeps", r -> r[says] = 1);
    p.label(end);
    p.exit();
  }

  private void withdraw(Program p) {
    p.enter("ShmDoorbell.withdraw").note("get announced");
    p.enter("ShmDoorbell.withdrawLocked").note("synchronized").note("put announced");
    p.storeVolatile("buffer.putIntVolatile" + ASLEEP, r -> asleep, r -> 0);
    p.exit().exit();
  }

  private void write(Program p) {
    int at = p.register("at");
    p.atomic("claim a record", (m, r) -> r[at] = m[tail]++);
    p.enter("ShmPeer.end");
    p.enter("RingWriter.commit", "writer.commit");
    p.storeRelease("ring.commit index", r -> lengths + r[at], r -> 1);
    p.note("counts.putLongOrdered countAt");
    p.exit();
    p.note("writer.abort");
    p.note("VarHandle.releaseFence"); // for the compilers
    ringIfAsleep(p);
    p.exit();
  }

  private void ringIfAsleep(Program p) {
    int sleeps = p.register("sleeps");
    String end = p.fresh("end");
    p.enter("ShmPeer.ringIfAsleep");
    p.load("buffer.getInt" + ASLEEP, sleeps, r -> asleep);
    p.when("nobody sleeps", r -> r[sleeps] == 0 ? 1 : 0, end);
    p.storeVolatile("buffer.putIntVolatile" + ASLEEP, r -> asleep, r -> 0);
    p.atomic("ShmPeer.ringBell", (m, r) -> m[strokes] = 1);
    p.label(end);
    p.exit();
  }
}
