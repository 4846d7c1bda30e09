package io.tagfabric.provider.shm.ring;

import io.tagfabric.explore.Model;
import io.tagfabric.explore.Mutant;
import io.tagfabric.explore.Program;

/**
 * Senders that take entries in the file of a domain and write by them, and the domain, which frees
 * what the dead had: {@link ShmEntry}, {@link ShmSenders}, {@link ShmLanes}.
 *
 * <p>A sender writes one record: into its lane, or, without one, it makes its count odd. {@link
 * LaneModel} and {@link RingModel} have more of that. One that stays waits if no entry is free.
 * That the domain looks twice before it asks who lives saves walks through directories; nothing
 * here needs it.
 */
final class EntryModel {
  private static final int WORDS = 10;

  /** So many passes in a row in which the domain sees nothing new: then it would look for ever. */
  private static final int MOST_USELESS = 6;

  /** What a sender does in its life. */
  enum Life {
    /** Has an entry in the end. */
    STAYS,
    /** As that, and at some time somebody cuts its file. */
    IS_CUT,
    /** If it has got one. */
    LEAVES,
    /** Anywhere; one that is not killed leaves. */
    IS_KILLED
  }

  private final Model model;
  private final int entries;
  private final int lanes;
  private final int[] hashes;
  private final int states;
  private final int lengths;
  private final int paths;
  private final int claims;
  private final int inUse;
  private final int heads;
  private final int published;
  private final int positions;
  private final int trusted;
  private final int broken;
  private final int alive;
  private final int closed;
  private final int cut;
  private final int has;

  /** Who took an entry last, and who made one ready last; nobody asks for it but the claims. */
  private final int takers;

  private final int holders;

  /**
   * A file and its senders.
   *
   * @param entries how many there are, the first {@code lanes} of them with a lane
   * @param hashes of the senders' paths
   * @param vandal whether somebody writes into the first lane what no sender writes
   */
  EntryModel(Mutant mutant, int entries, int lanes, int[] hashes, boolean vandal, Life... lives) {
    model = new Model(mutant);
    this.entries = entries;
    this.lanes = lanes;
    this.hashes = hashes.clone();
    states = model.cells("state", entries, ShmLayout.SENDER_FREE);
    lengths = model.cells("length", entries, 0);
    paths = model.cells("path", entries, 0);
    claims = model.cells("claims", entries, 0);
    inUse = model.cell("used", 0);
    heads = model.cells("head", entries, 0);
    published = model.cells("published", entries, 0);
    positions = model.cells("position", entries, 0);
    trusted = model.cells("trusted", entries, 1);
    broken = model.cell("broken", 0);
    alive = model.cells("alive", lives.length, 1);
    closed = model.cells("closed", lives.length, 0);
    cut = model.cells("cut", lives.length, 0);
    has = model.cells("has", lives.length, 0);
    takers = model.cells("taker", entries, 0);
    holders = model.cells("holder", entries, 0);
    for (int sender = 0; sender < lives.length; sender++) {
      sender(sender, lives[sender]);
      if (lives[sender] == Life.IS_CUT) {
        int file = cut + sender;
        model.thread("cutter").atomic("cut the file", (m, r) -> m[file] = 1);
      }
    }
    if (vandal) {
      model.thread("vandal").atomic("write what no sender writes", (m, r) -> m[broken] = 1);
    }
    domain();
    model.atEnd(m -> wrong(m, lives.length));
  }

  Model model() {
    return model;
  }

  private boolean isGone(int[] m, int sender) {
    return m[alive + sender] == 0 || m[closed + sender] == 1;
  }

  /** Nothing happens any more: each entry is of a living sender that writes by it, or is free. */
  private String wrong(int[] m, int senders) {
    int[] owners = new int[entries];
    for (int sender = 0; sender < senders; sender++) {
      if (!isGone(m, sender) && m[has + sender] > 0) {
        owners[m[has + sender] - 1] = sender + 1;
      }
    }
    for (int entry = 0; entry < entries; entry++) {
      boolean hasLane = entry < lanes;
      boolean isRead = hasLane && (m[inUse] & 1 << entry) != 0;
      int state = m[states + entry];
      String what = "entry " + entry + " of " + owners[entry] + " has state=" + state;
      if (owners[entry] > 0 && m[cut + owners[entry] - 1] == 1) {
        boolean isTrusted = hasLane && m[trusted + entry] == 1;
        if (state != ShmLayout.SENDER_CUT_OFF || isTrusted) {
          return what + " and its file was cut";
        }
      } else if (m[trusted + entry] == 0) {
        // Of whoever it was when a vandal came.
        if (m[broken] == 0 || state != ShmLayout.SENDER_CUT_OFF) {
          return what + " and is not trusted";
        }
      } else if (owners[entry] == 0) {
        boolean isAsOfTheLiving = isTaken(state) && isOfTheLiving(m, state); // has the same hash
        if (!isAsOfTheLiving && (state != ShmLayout.SENDER_FREE || isRead)) {
          return what + ", used=" + m[inUse];
        }
      } else if (state != ShmLayout.SENDER_READY
          || m[paths + entry] != owners[entry]
          || m[lengths + entry] != owners[entry]) {
        return what + " and path=" + m[paths + entry];
      } else if (hasLane && (!isRead || m[positions + entry] != m[published + entry])) {
        return what + ", its records are not read";
      } else if (!hasLane && m[claims + entry] != 1) {
        return what + " and claims=" + m[claims + entry];
      }
    }
    return null;
  }

  // ---- a sender ----

  private void sender(int self, Life life) {
    Program p = model.thread("sender-" + self);
    int entry = p.register("entry");
    int done = p.register("done");
    int tail = p.register("tail");
    if (life == Life.IS_KILLED) {
      p.killable(alive + self);
    }
    String none = p.fresh("none");
    String left = p.fresh("left");
    p.label(none);
    boolean stays = life == Life.STAYS || life == Life.IS_CUT;
    if (stays) {
      p.await("there may be a free one", (m, r) -> isAnyFree(m), (m, r) -> {});
    }
    take(p, self, entry, done, tail, stays ? none : left);
    String ring = p.fresh("ring");
    String written = p.fresh("written");
    p.when("it has no lane", r -> r[entry] >= lanes ? 1 : 0, ring);
    p.storeRelease("publish a record", r -> published + r[entry], r -> r[tail] + 1);
    p.jump(written);
    p.label(ring);
    p.storeRelease("claim", r -> claims + r[entry], r -> 1);
    if (!stays) {
      p.storeRelease("commit", r -> claims + r[entry], r -> 2);
    }
    p.label(written);
    p.storeRelease("has it", r -> has + self, r -> r[entry] + 1);
    if (!stays) {
      leave(p, self);
    }
    p.label(left);
  }

  private boolean isAnyFree(int[] m) {
    for (int entry = 0; entry < entries; entry++) {
      if (m[states + entry] == ShmLayout.SENDER_FREE) {
        return true;
      }
    }
    return false;
  }

  private void take(Program p, int self, int entry, int done, int tail, String none) {
    int seen = p.register("seen");
    int alone = p.register("alone");
    int follows = p.register("follows");
    int word = WORDS + hashes[self];
    String next = p.fresh("next");
    String other = p.fresh("other");
    String ring = p.fresh("ring");
    String enter = p.fresh("enter");
    String have = p.fresh("have");
    p.enter("ShmEntry.take");
    p.note("LaneLayout.longestRecord").note("ShmEntry.takenBy");
    p.set("from the first", r -> r[entry] = r[tail] = 0);
    p.label(next);
    p.note("ShmLayout.senderAt");
    p.loadVolatile("buffer.getIntVolatile senderAt", seen, r -> states + r[entry]);
    p.when("it is not free", r -> r[seen], other);
    p.atomic(
        "buffer.compareAndSetInt senderAt",
        (m, r) -> {
          r[done] = m[states + r[entry]] == ShmLayout.SENDER_FREE ? 1 : 0;
          if (r[done] == 1) {
            m[states + r[entry]] = word;
            m[takers + r[entry]] = self + 1;
          }
        });
    p.when("another was quicker", r -> 1 - r[done], other);
    p.store("buffer.putInt senderAt+4", r -> lengths + r[entry], r -> self + 1);
    p.store("buffer.putBytes senderAt+8", r -> paths + r[entry], r -> self + 1);
    p.when("it has no lane", r -> r[entry] >= lanes ? 1 : 0, ring);
    p.note("lane.apply");
    p.enterStranger("");
    p.loadVolatile("where the one before ended", tail, r -> heads + r[entry]);
    p.exit();
    enterLane(p, entry, done);
    p.jump(enter);
    p.label(ring);
    p.enter("RingWriter.<init>", "");
    p.storeRelease("counts.putLongOrdered countAt", r -> claims + r[entry], r -> 0);
    p.exit();
    p.label(enter);
    p.atomic(
        "buffer.compareAndSetInt senderAt",
        (m, r) -> {
          r[done] = m[states + r[entry]] == word ? 1 : 0;
          int holder = m[holders + r[entry]];
          r[alone] = holder == 0 || holder == self + 1 || isGone(m, holder - 1) ? 1 : 0;
          r[follows] = r[entry] >= lanes || r[tail] == m[published + r[entry]] ? 1 : 0;
          if (r[done] == 1) {
            m[states + r[entry]] = ShmLayout.SENDER_READY;
            m[holders + r[entry]] = self + 1;
          }
        });
    p.when("it is ready", r -> r[done], have);
    p.label(other);
    p.set("the next one", r -> r[entry]++);
    p.when("there are more", r -> r[entry] < entries ? 1 : 0, next);
    p.exit();
    p.jump(none);
    p.label(have);
    p.check("nobody else has it", r -> r[alone]);
    p.check("it is ready", r -> r[done]);
    p.check("it goes on where the one before ended", r -> r[follows]);
    p.set("forget", r -> r[seen] = r[alone] = r[follows] = r[done] = 0);
  }

  private void enterLane(Program p, int entry, int done) {
    int used = p.register("used");
    String again = p.fresh("again");
    p.enter("ShmLanes.enter");
    p.label(again);
    p.loadVolatile("buffer.getLongVolatile " + ShmLayout.LANES_USED_AT, used, r -> inUse);
    p.compareAndSet(
        "buffer.compareAndSetLong " + ShmLayout.LANES_USED_AT,
        done,
        r -> inUse,
        r -> r[used],
        r -> r[used] | 1 << r[entry]);
    p.when("another has written it", r -> 1 - r[done], again);
    p.exit();
  }

  /** As a domain does that closes: its peers may see that long before its file is gone. */
  private void leave(Program p, int self) {
    p.storeVolatile("is closed", r -> closed + self, r -> 1);
    p.storeRelease("its file is gone", r -> alive + self, r -> 0);
  }

  // ---- the domain ----

  private void domain() {
    Program p = model.thread("domain");
    int entry = p.register("entry");
    int word = p.register("word");
    int path = p.register("path");
    int length = p.register("length");
    int lives = p.register("lives");
    int writesOn = p.register("writes on");
    int right = p.register("right");
    int done = p.register("done");
    int useless = p.register("useless");
    int then = p.register("taken then 0");
    for (int i = 1; i < entries; i++) {
      p.register("taken then " + i);
    }
    String next = p.fresh("next");
    String taken = p.fresh("taken");
    String freed = p.fresh("freed");
    p.daemon();
    p.label("look");
    p.await(
        "there is something to do",
        (m, r) -> r[useless] < (isAnyToDo(m, r, then) ? MOST_USELESS : isAnyTaken(m) ? 1 : 0),
        (m, r) -> r[useless]++);
    p.set("from the first", r -> r[entry] = 0);
    p.label("each");
    readLane(p, entry, done);
    p.enter("ShmSenders.state", "").note("ShmLayout.senderAt");
    p.loadVolatile("buffer.getIntVolatile senderAt", word, r -> states + r[entry]);
    p.exit();
    p.when("it is taken", r -> isTaken(r[word]) ? 1 : 0, taken);
    p.set("not taken", r -> r[then + r[entry]] = 0);
    p.when("nobody writes by it", r -> r[word] == ShmLayout.SENDER_READY ? 0 : 1, next);
    p.load("read the length", length, r -> lengths + r[entry]);
    p.load("read the path", path, r -> paths + r[entry]);
    p.atomic(
        "look whether it lives",
        (m, r) -> {
          boolean isThere = r[path] > 0 && r[path] == r[length] && !isGone(m, r[path] - 1);
          r[writesOn] = isThere ? m[cut + r[path] - 1] : 0;
          r[lives] = isThere ? 1 - r[writesOn] : 0;
          r[right] = isGone(m, m[takers + r[entry]] - 1) ? 1 : 0;
        });
    p.when("it lives", r -> r[lives], next);
    p.when("it may not write on", r -> 1 - r[writesOn], freed);
    giveUp(p, entry);
    p.jump(next);
    p.label(freed);
    p.check("what it frees is of nobody who lives", r -> r[right]);
    readLane(p, entry, done);
    p.enter("ShmSenders.forget").note("peers.get").note("peers.set");
    free(p, entry, done);
    p.exit();
    p.jump(next);
    p.label(taken);
    freeTaken(p, entry, word, then, done);
    p.label(next);
    p.set("the next one", r -> r[entry]++);
    p.set("forget", r -> r[word] = r[path] = r[length] = r[done] = 0);
    p.set("forget", r -> r[lives] = r[writesOn] = r[right] = 0);
    p.when("there are more", r -> r[entry] < entries ? 1 : 0, "each");
    p.jump("look");
  }

  private static boolean isTaken(int word) {
    return word >= WORDS || word == ShmLayout.SENDER_TAKEN;
  }

  /** Whether a living sender has a path that gives the word. */
  private boolean isOfTheLiving(int[] m, int word) {
    for (int sender = 0; sender < hashes.length; sender++) {
      if (word == WORDS + hashes[sender] && m[alive + sender] == 1) {
        return true;
      }
    }
    return false;
  }

  private boolean isAnyToDo(int[] m, int[] r, int then) {
    for (int entry = 0; entry < entries; entry++) {
      int word = m[states + entry];
      int path = m[paths + entry];
      if (isTaken(word)
          ? r[then + entry] != word || !isOfTheLiving(m, word)
          : word == ShmLayout.SENDER_READY
              && (path == 0 || isGone(m, path - 1) || m[cut + path - 1] == 1)) {
        return true;
      }
      if (isToBeRead(m, entry)
          && (m[published + entry] > m[positions + entry] || (entry == 0 && m[broken] == 1))) {
        return true;
      }
    }
    return false;
  }

  private boolean isAnyTaken(int[] m) {
    for (int entry = 0; entry < entries; entry++) {
      if (isTaken(m[states + entry])) {
        return true;
      }
    }
    return false;
  }

  private boolean isToBeRead(int[] m, int entry) {
    return entry < lanes && (m[inUse] & 1 << entry) != 0 && m[trusted + entry] == 1;
  }

  private void readLane(Program p, int entry, int done) {
    int useless = p.register("useless");
    String whole = p.fresh("whole");
    p.atomic(
        "read the lane",
        (m, r) -> {
          r[done] = 0;
          if (isToBeRead(m, r[entry])) {
            if (r[entry] == 0 && m[broken] == 1) {
              m[trusted] = 0;
              r[done] = 1;
              r[useless] = 0;
            } else {
              r[useless] *= m[positions + r[entry]] == m[published + r[entry]] ? 1 : 0;
              m[positions + r[entry]] = m[published + r[entry]];
            }
          }
        });
    p.when("it is not broken", r -> 1 - r[done], whole);
    p.enter("ShmSenders.cutOff").note("ShmSenders.peer").note("ShmLayout.senderAt");
    p.storeVolatile(
        "buffer.putIntVolatile senderAt", r -> states + r[entry], r -> ShmLayout.SENDER_CUT_OFF);
    p.exit();
    p.label(whole);
  }

  private void giveUp(Program p, int entry) {
    p.enter("ShmSenders.giveUp").note("peers.get").note("peers.set");
    p.atomic("lanes.cutOff", (m, r) -> m[trusted + r[entry]] = r[entry] < lanes ? 0 : 1);
    p.note("ShmLayout.senderAt");
    p.storeVolatile(
        "buffer.putIntVolatile senderAt", r -> states + r[entry], r -> ShmLayout.SENDER_CUT_OFF);
    p.exit();
  }

  private void freeTaken(Program p, int entry, int word, int then, int done) {
    int lives = p.register("lives");
    int right = p.register("right");
    int useless = p.register("useless");
    String first = p.fresh("first");
    String kept = p.fresh("kept");
    p.enter("ShmSenders.freeTaken");
    p.when("it is the first look", r -> r[then + r[entry]] != r[word] ? 1 : 0, first);
    p.atomic("mayLive.test", (m, r) -> r[lives] = isOfTheLiving(m, r[word]) ? 1 : 0);
    p.when("its taker may live", r -> r[lives], kept);
    p.note("ShmLayout.senderAt");
    p.atomic(
        "buffer.compareAndSetInt senderAt",
        (m, r) -> {
          r[done] = m[states + r[entry]] == r[word] ? 1 : 0;
          r[right] = isGone(m, m[takers + r[entry]] - 1) ? 1 : 0;
          if (r[done] == 1) {
            m[states + r[entry]] = ShmLayout.SENDER_TAKEN;
          }
        });
    p.when("it is not taken any more", r -> 1 - r[done], kept);
    p.check("what it frees is of nobody who lives", r -> r[right]);
    free(p, entry, done);
    p.jump(kept);
    p.label(first);
    p.set(
        "taken then",
        r -> {
          r[useless] *= r[then + r[entry]] == r[word] ? 1 : 0;
          r[then + r[entry]] = r[word];
        });
    p.label(kept);
    p.exit();
  }

  private void free(Program p, int entry, int done) {
    int reusable = p.register("reusable");
    p.enter("ShmSenders.free").note("ShmLayout.senderAt");
    freeLane(p, entry, done, reusable);
    p.store("buffer.putLong senderAt+" + ShmLayout.SENDER_CLAIMS, r -> claims + r[entry], r -> 0);
    p.storeRelease(
        "buffer.putIntOrdered senderAt",
        r -> states + r[entry],
        r -> r[reusable] == 1 ? ShmLayout.SENDER_FREE : ShmLayout.SENDER_CUT_OFF);
    p.set("forget", r -> r[reusable] = 0);
    p.exit();
  }

  private void freeLane(Program p, int entry, int done, int reusable) {
    int drained = p.register("drained");
    int end = p.register("end");
    int used = p.register("used");
    String lane = p.fresh("lane");
    String trustedYet = p.fresh("trusted yet");
    String empty = p.fresh("empty");
    String again = p.fresh("again");
    String decided = p.fresh("decided");
    p.enter("ShmLanes.free", "lanes.free");
    p.set("no", r -> r[reusable] = 0);
    p.when("it has a lane", r -> r[entry] < lanes ? 1 : 0, lane);
    p.set("yes", r -> r[reusable] = 1);
    p.jump(decided);
    p.label(lane);
    p.atomic("ShmLanes.isCutOff", (m, r) -> r[done] = m[trusted + r[entry]]);
    p.when("it is trusted", r -> r[done], trustedYet);
    p.jump(decided);
    p.label(trustedYet);
    p.enterStranger("LaneReader.isDrained");
    p.atomic(
        "look for more",
        (m, r) -> {
          r[end] = m[positions + r[entry]];
          r[drained] = r[end] == m[published + r[entry]] ? 1 : 0;
        });
    p.storeRelease("report", r -> heads + r[entry], r -> r[end]);
    p.exit();
    p.when("it is drained", r -> r[drained], empty);
    p.atomic("ShmLanes.cutOff", (m, r) -> m[trusted + r[entry]] = 0);
    p.jump(decided);
    p.label(empty);
    p.label(again);
    p.loadVolatile("buffer.getLongVolatile " + ShmLayout.LANES_USED_AT, used, r -> inUse);
    p.compareAndSet(
        "buffer.compareAndSetLong " + ShmLayout.LANES_USED_AT,
        done,
        r -> inUse,
        r -> r[used],
        r -> r[used] & ~(1 << r[entry]));
    p.when("another has written it", r -> 1 - r[done], again);
    p.set("yes", r -> r[reusable] = 1);
    p.label(decided);
    p.set("forget", r -> r[drained] = r[end] = r[used] = 0);
    p.exit();
  }
}
