package io.tagfabric.provider.shm.ring;

import io.tagfabric.explore.Model;
import io.tagfabric.explore.Mutant;
import io.tagfabric.explore.Program;

/**
 * A sender that writes into a lane, its reader, and another sender that has the lane after it:
 * {@link LaneWriter}, {@link LaneReader}, {@link ShmLanes}.
 *
 * <p>A record is one cell of header and payload, so none wraps round the end; {@link LanesTest} has
 * the padding. The first sender may be killed. A record that finds no room is given up.
 */
final class LaneModel {
  private static final int CAPACITY = 4;
  private static final int REPORT_AFTER = 1;
  private static final int AHEAD = 2;

  private final Model model;
  private final int head;
  private final int headers;
  private final int payloads;
  private final int inUse;
  private final int entryFree;
  private final int alive;
  private final int sent;
  private final int ended;
  private final int read;

  /** The first sender writes so many records, then, when the lane is free, another one. */
  LaneModel(Mutant mutant, boolean killable, int first, int second) {
    model = new Model(mutant);
    head = model.cell("head", 0);
    headers = model.cells("header", CAPACITY, 0);
    payloads = model.cells("payload", CAPACITY, 0);
    inUse = model.cell("used", 1);
    entryFree = model.cell("entry free", 0);
    alive = model.cell("alive", 1);
    sent = model.cells("sent", 2, 0);
    ended = model.cells("ended", 2, 0);
    read = model.cell("read", 0);
    sender(0, first, killable);
    sender(1, second, false);
    reader();
    model.atEnd(
        m -> {
          int least = (m[alive] == 1 ? m[sent] : 0) + m[sent + 1];
          return m[read] < least ? "read=" + m[read] + " of " + least : null;
        });
  }

  Model model() {
    return model;
  }

  private void sender(int self, int records, boolean killable) {
    Program p = model.thread("sender-" + self);
    int tail = p.register("tail");
    int seen = p.register("seen");
    int done = p.register("done");
    int cleared = p.register("cleared");
    int end = p.register("end");
    if (killable) {
      p.killable(alive);
    }
    if (self == 1) {
      p.await("the entry is free", (m, r) -> m[entryFree] == 1, (m, r) -> m[entryFree] = 0);
    }
    p.loadVolatile("where the one before ended", seen, r -> head);
    p.set("goes on there", r -> r[tail] = r[seen]);
    p.set("clears behind it", r -> r[cleared] = r[tail] + 1);
    for (int i = 0; i < records; i++) {
      String full = p.fresh("full");
      claim(p, tail, seen, full);
      p.store("write the payload", r -> payloads + r[tail] % CAPACITY, r -> r[tail] + 1);
      p.enter("LaneWriter.commit");
      p.note("LaneLayout.header");
      p.set("behind this record", r -> r[end] = r[tail] + 2);
      clearTo(p, cleared, end);
      p.note("LaneLayout.at").note("memory.putLong at").note("LaneLayout.header");
      p.note("LaneLayout.at");
      p.storeRelease("memory.putLongOrdered at", r -> headers + r[tail] % CAPACITY, r -> 1);
      p.set("next", r -> r[tail]++);
      p.exit();
      p.set("sent", r -> r[done]++);
      prepare(p, tail, seen, cleared, end);
      p.label(full);
    }
    p.storeRelease("has sent", r -> sent + self, r -> r[done]);
    p.storeRelease("has ended", r -> ended + self, r -> 1);
  }

  /** It may come after each record; the more often, the more there is to find. */
  private void prepare(Program p, int tail, int seen, int cleared, int end) {
    p.enter("LaneWriter.prepare").note("LaneLayout.recordBytes");
    p.set("some more", r -> r[end] = r[tail] + AHEAD);
    p.set("nothing that is not read", r -> r[end] = Math.min(r[end], r[seen] + CAPACITY));
    clearTo(p, cleared, end);
    p.exit();
  }

  private void clearTo(Program p, int cleared, int end) {
    String again = p.fresh("again");
    String enough = p.fresh("enough");
    p.enter("LaneWriter.clearTo");
    p.label(again);
    p.when("cleared that far", r -> r[cleared] >= r[end] ? 1 : 0, enough);
    p.note("LaneLayout.at");
    p.store("memory.putLong at", r -> headers + r[cleared] % CAPACITY, r -> 0);
    p.set("cleared", r -> r[cleared]++);
    p.jump(again);
    p.label(enough);
    p.exit();
  }

  private void claim(Program p, int tail, int seen, String full) {
    String room = p.fresh("room");
    p.enter("LaneWriter.claim").note("LaneLayout.recordBytes").note("LaneWriter.padding");
    p.when("there is room", r -> r[tail] + 2 - CAPACITY <= r[seen] ? 1 : 0, room);
    p.loadVolatile("memory.getLongVolatile " + LaneLayout.HEAD_AT, seen, r -> head);
    p.when("there is none", r -> r[tail] + 2 - CAPACITY > r[seen] ? 1 : 0, full);
    p.label(room);
    p.note("LaneLayout.at");
    p.exit();
  }

  private void reader() {
    Program p = model.thread("reader");
    int position = p.register("position");
    int reported = p.register("reported");
    int header = p.register("header");
    int payload = p.register("payload");
    int given = p.register("given");
    p.daemon();
    p.label("look");
    p.enter("LaneReader.read").note("LaneLayout.at");
    p.loadVolatile("memory.getLongVolatile at", header, r -> headers + r[position] % CAPACITY);
    p.note("LaneLayout.length").note("LaneLayout.type").note("LaneLayout.type");
    p.when("none", r -> r[header] == 0 ? 1 : 0, "empty");
    p.enterStranger("handler.onRecord");
    p.load("read the payload", payload, r -> payloads + r[position] % CAPACITY);
    p.check("a record that is not written", r -> r[payload] == r[position] + 1 ? 1 : 0);
    p.store("count it", r -> read, r -> r[position] + 1);
    p.exit();
    p.note("LaneLayout.recordBytes");
    p.enter("LaneReader.moveTo").note("POSITION.setRelease");
    p.set("move", r -> r[position]++);
    String later = p.fresh("later");
    p.when("not a quarter", r -> r[position] - r[reported] < REPORT_AFTER ? 1 : 0, later);
    report(p, position, reported);
    p.label(later);
    p.exit();
    p.exit();
    p.jump("look");
    p.label("empty");
    p.when("given away already", r -> r[given], "wait");
    free(p, position, reported, header);
    p.label("wait");
    p.await(
        "somebody has written, or is gone",
        (m, r) -> m[headers + r[position] % CAPACITY] != 0 || (r[given] == 0 && isFirstGone(m)),
        (m, r) -> {});
    p.jump("look");
  }

  private boolean isFirstGone(int[] m) {
    return m[alive] == 0 || m[ended] == 1;
  }

  /** The first sender is gone: the lane is free for the second. */
  private void free(Program p, int position, int reported, int header) {
    int lives = p.register("lives");
    int given = p.register("given");
    String kept = p.fresh("kept");
    String notYet = p.fresh("not yet");
    p.await("look whether it lives", (m, r) -> true, (m, r) -> r[lives] = isFirstGone(m) ? 0 : 1);
    p.when("it lives", r -> r[lives], kept);
    String again = p.fresh("again");
    int used = p.register("used");
    int done = p.register("done");
    p.enter("ShmLanes.free").note("ShmLanes.isCutOff");
    p.enter("LaneReader.isDrained").note("LaneLayout.at");
    p.loadVolatile("memory.getLongVolatile at", header, r -> headers + r[position] % CAPACITY);
    p.when("not drained", r -> r[header] != 0 ? 1 : 0, notYet);
    report(p, position, reported);
    p.exit();
    p.note("ShmLanes.cutOff");
    p.label(again);
    p.loadVolatile("buffer.getLongVolatile " + ShmLayout.LANES_USED_AT, used, r -> inUse);
    p.compareAndSet(
        "buffer.compareAndSetLong " + ShmLayout.LANES_USED_AT,
        done,
        r -> inUse,
        r -> r[used],
        r -> 0);
    p.when("another has written it", r -> 1 - r[done], again);
    p.set("given", r -> r[given] = 1);
    p.label(notYet);
    p.exit();
    p.when("not drained after all", r -> 1 - r[given], kept);
    // ShmSenders.free
    p.storeRelease("the entry is free", r -> entryFree, r -> 1);
    p.label(kept);
  }

  private void report(Program p, int position, int reported) {
    p.enter("LaneReader.report");
    p.set("reported", r -> r[reported] = r[position]);
    p.storeRelease("memory.putLongOrdered " + LaneLayout.HEAD_AT, r -> head, r -> r[position]);
    p.exit();
  }
}
