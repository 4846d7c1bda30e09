package io.tagfabric.collective.host;

import io.tagfabric.explore.Model;
import io.tagfabric.explore.Mutant;
import io.tagfabric.explore.Program;

/**
 * Two members that write to one another by {@link SharedMail}, read what has come, and sleep while
 * there is neither mail nor room. A message is one number, and so many have room in a ring.
 */
final class MailModel {
  private static final int FIRST = 11;
  private static final int UNKNOWN = -1;

  private final Model model;
  private final int room;
  private final int notes;
  private final int written;
  private final int read;
  private final int data;
  private final int asleep;
  private final int counts;
  private final int bells;

  /**
   * Two members.
   *
   * @param room messages that a ring holds
   * @param ofFirst how many messages the first member sends
   * @param ofSecond how many the other one does
   */
  MailModel(Mutant mutant, int room, int ofFirst, int ofSecond) {
    this.room = room;
    model = new Model(mutant);
    notes = model.cells("notes", 2, 1);
    written = model.cells("written", 2, 0);
    read = model.cells("read", 2, 0);
    data = model.cells("data", 2 * room, 0);
    asleep = model.cells("asleep", 2, 0);
    counts = model.cells("count", 2, 0);
    bells = model.cells("bell", 2, 0);
    member(0, ofFirst, ofSecond);
    member(1, ofSecond, ofFirst);
  }

  Model model() {
    return model;
  }

  /** Rings and what belongs to them are numbered by their writers. */
  private int place(int writer, int number) {
    return data + writer * room + number % room;
  }

  private void member(int self, int toSend, int toRead) {
    Program p = model.thread("member-" + self);
    int sent = p.register("sent");
    int taken = p.register("taken");
    int counted = p.register("counted");
    int says = p.register("says");
    p.set("unknown", r -> r[counted] = UNKNOWN);
    p.label("advance");
    advance(p, self, toSend, sent, taken, counted);
    p.when("all is done", r -> r[sent] == toSend && r[taken] == toRead ? 1 : 0, "end");
    announce(p, self, counted, says);
    p.when("something is there", r -> 1 - r[says], "advance");
    p.await("sleep", (m, r) -> m[bells + self] == 1, (m, r) -> m[bells + self] = 0);
    withdraw(p, self);
    p.jump("advance");
    p.label("end");
    p.check("nothing is read twice", r -> r[taken] == toRead ? 1 : 0);
  }

  private void advance(Program p, int self, int toSend, int sent, int taken, int counted) {
    String end = p.fresh("end");
    p.enter("SharedMail.advance").note("layout.mailCountAt");
    int count = p.scratch("count");
    p.loadVolatile("buffer.getLongVolatile mailCountAt", count, r -> counts + self);
    p.note("get counted");
    p.when("nobody has counted", r -> r[count] == r[counted] ? 1 : 0, end);
    p.note("put counted");
    p.set("counted", r -> r[counted] = r[count]);
    write(p, self, toSend, sent);
    read(p, self, taken);
    p.label(end);
    p.exit();
  }

  // ---- writing ----

  private void write(Program p, int self, int toSend, int sent) {
    String more = p.fresh("more");
    String full = p.fresh("full");
    String publish = p.fresh("publish");
    String end = p.fresh("end");
    p.enter("SharedMail.write");
    int theirs = p.scratch("read by them");
    int before = p.scratch("before");
    p.note("waiting.isEmpty");
    p.when("nothing waits", r -> r[sent] == toSend ? 1 : 0, end);
    p.note("layout.mailReadAt");
    p.loadVolatile("buffer.getLongVolatile mailReadAt", theirs, r -> read + self);
    p.set("before", r -> r[before] = r[sent]);
    p.label(more);
    p.when("no room", r -> r[sent] - r[theirs] == room ? 1 : 0, full);
    p.note("waiting.isEmpty");
    p.when("all are written", r -> r[sent] == toSend ? 1 : 0, publish);
    p.note("waiting.peekFirst");
    p.enter("SharedMail.put").note("layout.mailDataAt");
    p.store("buffer.putBytes mailDataAt+computed", r -> place(self, r[sent]), r -> FIRST + r[sent]);
    p.note("buffer.putBytes mailDataAt");
    p.exit();
    p.note("waiting.removeFirst");
    p.set("written", r -> r[sent]++);
    p.jump(more);
    p.label(full);
    p.when("had no room", r -> r[sent] == r[before] ? 1 : 0, end);
    p.label(publish);
    p.enter("SharedMail.publish").note("layout.mailWrittenAt");
    p.storeRelease("buffer.putLongOrdered mailWrittenAt", r -> written + self, r -> r[sent]);
    wake(p, self);
    p.exit();
    p.label(end);
    p.exit();
  }

  private void wake(Program p, int self) {
    int other = 1 - self;
    String end = p.fresh("end");
    p.enter("SharedMail.wake");
    int value = p.scratch("value");
    p.note("layout.mailCountAt");
    p.atomic("buffer.getAndAddLong mailCountAt", (m, r) -> m[counts + other]++);
    p.note("layout.mailAsleepAt");
    p.loadVolatile("buffer.getIntVolatile mailAsleepAt", value, r -> asleep + other);
    p.when("awake", r -> r[value] == 0 ? 1 : 0, end);
    p.compareAndSet(
        "buffer.compareAndSetInt mailAsleepAt", value, r -> asleep + other, r -> 1, r -> 0);
    p.when("woken by another", r -> 1 - r[value], end);
    p.atomic("waker.accept", (m, r) -> m[bells + other] = 1);
    p.label(end);
    p.exit();
  }

  // ---- reading ----

  private void read(Program p, int self, int taken) {
    int other = 1 - self;
    String more = p.fresh("more");
    String released = p.fresh("released");
    String end = p.fresh("end");
    p.enter("SharedMail.read");
    int there = p.scratch("there");
    int value = p.scratch("value");
    isThere(p, self, taken, there);
    p.when("nothing came", r -> 1 - r[there], end);
    p.note("layout.mailWrittenAt");
    p.loadVolatile("buffer.getLongVolatile mailWrittenAt", there, r -> written + other);
    p.label(more);
    p.when("all are taken", r -> r[taken] == r[there] ? 1 : 0, released);
    p.enter("SharedMail.take").note("layout.mailDataAt");
    p.load("buffer.getBytes mailDataAt+computed", value, r -> place(other, r[taken]));
    p.note("buffer.getBytes mailDataAt");
    p.enter("SharedMail.isEmpty").note("reader.onBroken"); // a length that no message has
    p.exit();
    p.note("reader.onMail");
    p.check("it is the next message", r -> r[value] == FIRST + r[taken] ? 1 : 0);
    p.set("taken", r -> r[taken]++);
    p.exit();
    p.jump(more);
    p.label(released);
    p.enter("SharedMail.release").note("layout.mailReadAt");
    p.storeRelease("buffer.putLongOrdered mailReadAt", r -> read + other, r -> r[taken]);
    wake(p, self);
    p.exit();
    p.label(end);
    p.exit();
  }

  private void isThere(Program p, int self, int taken, int there) {
    int other = 1 - self;
    String end = p.fresh("end");
    p.enter("SharedMail.isThere").note("layout.mailNotesAt");
    int value = p.scratch("value");
    p.set("not yet", r -> r[there] = 0);
    p.loadVolatile("buffer.getIntVolatile mailNotesAt", value, r -> notes + other);
    p.when("it has no mail", r -> r[value] == 0 ? 1 : 0, end);
    p.note("layout.mailWrittenAt");
    p.loadVolatile("buffer.getLongVolatile mailWrittenAt", value, r -> written + other);
    p.set("is there", r -> r[there] = r[value] > r[taken] ? 1 : 0);
    p.label(end);
    p.exit();
  }

  // ---- sleep ----

  private void announce(Program p, int self, int counted, int says) {
    String quiet = p.fresh("quiet");
    String end = p.fresh("end");
    p.enter("SharedMail.announce").note("synchronized").note("layout.mailAsleepAt");
    int count = p.scratch("count");
    p.storeVolatile("buffer.putIntVolatile mailAsleepAt", r -> asleep + self, r -> 1);
    p.note("layout.mailCountAt");
    p.loadVolatile("buffer.getLongVolatile mailCountAt", count, r -> counts + self);
    p.note("get counted");
    p.when("nothing to do", r -> r[count] == r[counted] ? 1 : 0, quiet);
    withdraw(p, self);
    p.set("does not sleep", r -> r[says] = 0);
    p.jump(end);
    p.label(quiet);
    p.set("sleeps", r -> r[says] = 1);
    p.label(end);
    p.exit();
  }

  private void withdraw(Program p, int self) {
    p.enter("SharedMail.withdraw").note("synchronized").note("layout.mailAsleepAt");
    p.storeVolatile("buffer.putIntVolatile mailAsleepAt", r -> asleep + self, r -> 0);
    p.exit();
  }
}
