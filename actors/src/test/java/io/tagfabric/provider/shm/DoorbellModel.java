package io.tagfabric.provider.shm;

import io.tagfabric.explore.Model;
import io.tagfabric.explore.Mutant;
import io.tagfabric.explore.Program;

/**
 * A thread that sleeps until the bell rings, and processes that write records. {@link ShmDoorbell}
 * and {@link ShmPeer}, with a ring whose records are one cell each.
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

  /** Writers with so many records each; the first may be killed. */
  DoorbellModel(Mutant mutant, boolean killable, int... records) {
    model = new Model(mutant);
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
    p.daemon();
    p.label("look").loadVolatile("look at the ring", length, r -> lengths + r[read]);
    p.when("nothing there", r -> r[length] > 0 ? 0 : 1, "sleep");
    p.set("count it", r -> r[read]++);
    p.storeRelease("the room is free", r -> head, r -> r[read]);
    p.when("all read", r -> r[read] == total ? 1 : 0, "end");
    p.jump("look");
    p.label("sleep");
    announce(p, says);
    p.when("there is work", r -> 1 - r[says], "look");
    // Who rings may have died: then only the longest sleep ends this one.
    p.await(
        "sleep in the selector",
        (m, r) -> m[strokes] > 0 || (m[alive] == 0 && m[head] < m[tail]),
        (m, r) -> m[strokes] = 0);
    withdraw(p);
    p.jump("look");
    p.label("end");
  }

  private void announce(Program p, int says) {
    int at = p.register("at");
    int length = p.register("length");
    String quiet = p.fresh("quiet");
    String end = p.fresh("end");
    p.enter("ShmDoorbell.announce");
    p.note("synchronized").note("put announced");
    p.storeRelease("buffer.putIntOrdered" + ASLEEP, r -> asleep, r -> 1);
    p.fence("VarHandle.fullFence");
    p.enter("RingReader.hasRecord", "hasWork.getAsBoolean");
    p.loadVolatile("buffer.getLongVolatile headAt", at, r -> head);
    p.loadVolatile("buffer.getIntVolatile computed", length, r -> lengths + r[at]);
    p.exit();
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
    int sleeps = p.register("sleeps");
    int taken = p.register("taken");
    String end = p.fresh("end");
    p.atomic("claim a record", (m, r) -> r[at] = m[tail]++);
    p.enter("ShmPeer.end");
    p.enter("RingWriter.commit", "writer.commit");
    p.storeRelease("ring.commit index", r -> lengths + r[at], r -> 1);
    p.note("counts.putLongOrdered countAt");
    p.exit();
    p.note("writer.abort");
    p.enter("ShmPeer.ringIfAsleep");
    p.fence("VarHandle.fullFence");
    p.load("buffer.getInt" + ASLEEP, sleeps, r -> asleep);
    p.when("nobody sleeps", r -> r[sleeps] == 0 ? 1 : 0, end);
    p.compareAndSet("buffer.compareAndSetInt" + ASLEEP, taken, r -> asleep, r -> 1, r -> 0);
    p.when("another rings", r -> 1 - r[taken], end);
    p.atomic("ShmPeer.ringBell", (m, r) -> m[strokes] = 1);
    p.label(end);
    p.exit();
    p.exit();
  }
}
