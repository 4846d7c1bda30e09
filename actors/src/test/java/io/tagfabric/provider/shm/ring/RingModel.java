package io.tagfabric.provider.shm.ring;

import io.tagfabric.explore.Model;
import io.tagfabric.explore.Mutant;
import io.tagfabric.explore.Program;

/**
 * Processes that write into a ring, the domain that reads it, and what that does about writers who
 * are killed: {@link RingWriter}, {@link RingReader}, {@link ShmSenders} and Agrona's ring.
 *
 * <p>A record is one cell of length, type and payload; so none wraps round the end. Lengths are
 * counted in cells. A record's payload is the sender's count of records. All time that a repair
 * waits for has passed at once. The first sender may be killed; a claim that finds the ring full is
 * given up, as the real one is.
 */
final class RingModel {
  private static final int PADDING = -1;

  private final Model model;
  private final int capacity;
  private final int senders;
  private final int head;
  private final int headCache;
  private final int tail;
  private final int lengths;
  private final int types;
  private final int payloads;
  private final int claims;
  private final int alive;
  private final int sent;
  private final int ended;
  private final int read;

  /**
   * Senders of so many records each.
   *
   * @param killable whether the first sender may be killed
   * @param looks what the reader does while they send: {@code r} reads, {@code c} looks for the
   *     dead; when all have sent it does both until nothing is left
   */
  RingModel(Mutant mutant, int capacity, boolean killable, String looks, int... records) {
    model = new Model(mutant);
    this.capacity = capacity;
    senders = records.length;
    head = model.cell("head", 0);
    headCache = model.cell("headCache", 0);
    tail = model.cell("tail", 0);
    lengths = model.cells("length", capacity, 0);
    types = model.cells("type", capacity, 0);
    payloads = model.cells("payload", capacity, 0);
    claims = model.cells("claims", senders, 0);
    alive = model.cells("alive", senders, 1);
    sent = model.cells("sent", senders, 0);
    ended = model.cells("ended", senders, 0);
    read = model.cells("read", senders, 0);
    for (int sender = 0; sender < senders; sender++) {
      sender(sender, records[sender], killable && sender == 0);
    }
    reader(looks);
    model.atEnd(this::lost);
  }

  Model model() {
    return model;
  }

  private String lost(int[] m) {
    if (m[head] != m[tail]) {
      return "head=" + m[head] + " tail=" + m[tail] + ": room is lost";
    }
    for (int sender = 0; sender < senders; sender++) {
      if (m[alive + sender] == 1 && m[read + sender] != m[sent + sender]) {
        return "read=" + m[read + sender] + " sent=" + m[sent + sender] + " sender=" + sender;
      }
    }
    return null;
  }

  // ---- sender ----

  private void sender(int self, int records, boolean killable) {
    Program p = model.thread("sender-" + self);
    if (killable) {
      p.killable(alive + self);
    }
    int index = p.register("index");
    int done = p.register("done");
    for (int record = 0; record < records; record++) {
      String full = p.fresh("full");
      claim(p, self, index);
      p.when("full", r -> r[index] < 0 ? 1 : 0, full);
      p.store("write the payload", r -> payloads + r[index], r -> r[done] + 1);
      commit(p, self, index);
      p.set("sent", r -> r[done]++);
      p.label(full);
    }
    p.storeRelease("has sent", r -> sent + self, r -> r[done]);
    p.storeRelease("has ended", r -> ended + self, r -> 1);
  }

  private void claim(Program p, int self, int index) {
    int count = p.register("count");
    String claimed = p.fresh("claimed");
    p.enter("RingWriter.claim");
    p.set("odd", r -> r[count]++);
    p.storeRelease("counts.putLongOrdered countAt", r -> claims + self, r -> r[count]);
    tryClaim(p, self, index);
    p.when("claimed", r -> r[index] >= 0 ? 1 : 0, claimed);
    p.set("even", r -> r[count]++);
    p.storeRelease("counts.putLongOrdered countAt", r -> claims + self, r -> r[count]);
    p.label(claimed);
    p.exit();
  }

  private void tryClaim(Program p, int self, int index) {
    String refused = p.fresh("refused");
    p.enter("ManyToOneRingBuffer.tryClaim", "ring.tryClaim type");
    p.note("ManyToOneRingBuffer.checkMsgLength length");
    claimCapacity(p, index);
    p.when("insufficient", r -> r[index] < 0 ? 1 : 0, refused);
    p.storeRelease("buffer.putIntOrdered lengthOffset", r -> lengths + r[index], r -> -1);
    p.note("MemoryAccess.releaseFence");
    // A plain store after a release fence comes after what was before it.
    p.storeRelease("buffer.putInt typeOffset", r -> types + r[index], r -> self + 1);
    p.label(refused);
    p.exit();
  }

  private void claimCapacity(Program p, int index) {
    String again = p.fresh("again");
    String room = p.fresh("room");
    String end = p.fresh("end");
    p.enter("ManyToOneRingBuffer.claimCapacity");
    int done = p.scratch("done-claim");
    int at = p.scratch("at");
    int known = p.scratch("known");
    p.loadVolatile("buffer.getLongVolatile headCachePositionIndex", known, r -> headCache);
    p.label(again);
    p.loadVolatile("buffer.getLongVolatile tailPositionIndex", at, r -> tail);
    p.when("room", r -> r[at] - r[known] < capacity ? 1 : 0, room);
    p.loadVolatile("buffer.getLongVolatile headPositionIndex", known, r -> head);
    p.set("none", r -> r[index] = -2);
    p.when("full", r -> r[at] - r[known] >= capacity ? 1 : 0, end);
    p.storeRelease("buffer.putLongOrdered headCachePositionIndex", r -> headCache, r -> r[known]);
    p.label(room);
    p.note("buffer.getLongVolatile headPositionIndex");
    p.note("buffer.putLongOrdered headCachePositionIndex");
    p.compareAndSet(
        "buffer.compareAndSetLong tailPositionIndex", done, r -> tail, r -> r[at], r -> r[at] + 1);
    p.when("lost", r -> 1 - r[done], again);
    p.note("buffer.putIntOrdered lengthOffset");
    p.note("MemoryAccess.releaseFence");
    p.note("buffer.putInt typeOffset");
    p.note("buffer.putIntOrdered lengthOffset");
    p.set("index", r -> r[index] = r[at] % capacity);
    p.label(end);
    p.exit();
  }

  private void commit(Program p, int self, int index) {
    int count = p.register("count");
    p.enter("RingWriter.commit");
    p.enter("ManyToOneRingBuffer.commit", "ring.commit index");
    p.note("ManyToOneRingBuffer.computeRecordIndex index");
    p.enter("ManyToOneRingBuffer.verifyClaimedSpaceNotReleased");
    int length = p.scratch("own length");
    p.load("buffer.getInt lengthOffset", length, r -> lengths + r[index]);
    p.note("buffer.getInt typeOffset");
    p.check("a living sender's record was given away", r -> r[length] == -1 ? 1 : 0);
    p.exit();
    p.storeRelease("buffer.putIntOrdered lengthOffset", r -> lengths + r[index], r -> 1);
    p.exit();
    p.set("even", r -> r[count]++);
    p.storeRelease("counts.putLongOrdered countAt", r -> claims + self, r -> r[count]);
    p.exit();
  }

  // ---- reader ----

  private void reader(String looks) {
    Program p = model.thread("reader");
    int looked = p.register("looked");
    p.set("nothing seen yet", r -> r[p.register("blockedAt")] = -1);
    for (int i = 0; i < looks.length(); i++) {
      if (looks.charAt(i) == 'r') {
        read(p);
      } else {
        check(p);
      }
    }
    p.await("all have ended or are dead", (m, r) -> allEnded(m), (m, r) -> r[looked] = 0);
    p.label("rest");
    read(p);
    check(p);
    // Each turn reads or finds a blocked record, looks at it once more, and repairs.
    p.when("goes on", r -> ++r[looked] < 2 * capacity + 3 ? 1 : 0, "rest");
  }

  private boolean allEnded(int[] m) {
    for (int sender = 0; sender < senders; sender++) {
      if (m[ended + sender] == 0 && m[alive + sender] == 1) {
        return false;
      }
    }
    return true;
  }

  private void read(Program p) {
    int at = p.register("position");
    int unreturned = p.register("unreturned");
    String more = p.fresh("more");
    String none = p.fresh("none");
    String empty = p.fresh("empty");
    String padding = p.fresh("padding");
    p.enter("RingReader.read");
    int type = p.scratch("type");
    int bytes = p.scratch("bytes");
    int length = p.scratch("length");
    giveBack(p);
    p.loadVolatile("buffer.getIntVolatile computed", length, r -> lengths + r[at] % capacity);
    p.set("nothing yet", r -> r[bytes] = 0);
    p.when("nothing there", r -> r[length] <= 0 ? 1 : 0, empty);
    p.label(more);
    p.when("end of the ring", r -> r[at] % capacity + r[bytes] >= capacity ? 1 : 0, none);
    p.loadVolatile(
        "buffer.getIntVolatile lengthOffset", length, r -> lengths + r[at] % capacity + r[bytes]);
    p.when("not committed", r -> r[length] <= 0 ? 1 : 0, none);
    p.load("buffer.getInt typeOffset", type, r -> types + r[at] % capacity + r[bytes]);
    p.when("padding", r -> r[type] == PADDING ? 1 : 0, padding);
    onRecord(p, at, bytes, type);
    p.label(padding);
    p.set("count", r -> r[bytes] += r[length]);
    p.jump(more);
    p.label(none);
    p.set("head", r -> r[at] += r[bytes]);
    p.set("to give back", r -> r[unreturned] = r[bytes]);
    p.when("a lone one", r -> r[bytes] <= 1 ? 1 : 0, empty);
    giveBack(p);
    p.label(empty);
    p.exit();
  }

  private void onRecord(Program p, int at, int bytes, int type) {
    p.enterStranger("handler.onRecord");
    int before = p.scratch("before");
    int payload = p.scratch("payload");
    p.check("a record has the type of a sender", r -> r[type] > 0 && r[type] <= senders ? 1 : 0);
    p.load("payload", payload, r -> payloads + r[at] % capacity + r[bytes]);
    p.load("read before", before, r -> read + r[type] - 1);
    p.check(
        "a record is whole, and comes once and in order", r -> r[payload] == r[before] + 1 ? 1 : 0);
    p.store("count it", r -> read + r[type] - 1, r -> r[payload]);
    p.exit();
  }

  private void giveBack(Program p) {
    int at = p.register("position");
    int unreturned = p.register("unreturned");
    String more = p.fresh("more");
    String nothing = p.fresh("nothing");
    p.enter("RingReader.giveBack");
    int cleared = p.scratch("cleared");
    p.when("nothing", r -> r[unreturned] == 0 ? 1 : 0, nothing);
    p.enter("RingReader.clear");
    p.note("buffer.setMemory at");
    p.set("begin", r -> r[cleared] = 0);
    p.label(more);
    // One word holds length and type; the payload is another.
    p.store("buffer.putLong computed", r -> lengths + cell(r, at, unreturned, cleared), r -> 0);
    p.set("next", r -> r[cleared]++);
    p.when("more", r -> r[cleared] < r[unreturned] ? 1 : 0, more);
    p.exit();
    p.set("returned", r -> r[unreturned] = 0);
    p.storeRelease("buffer.putLongOrdered headAt", r -> head, r -> r[at]);
    p.label(nothing);
    p.exit();
  }

  private int cell(int[] r, int at, int unreturned, int cleared) {
    return (r[at] - r[unreturned] + r[cleared]) % capacity;
  }

  // ---- repair ----

  private void check(Program p) {
    int blockedAt = p.register("blockedAt");
    int claimedThen = p.register("claimedThen");
    int unblocked = p.register("unblocked");
    int thens = then(p);
    String empty = p.fresh("empty");
    String known = p.fresh("known");
    String next = p.fresh("next");
    String end = p.fresh("end");
    p.enter("ShmSenders.check");
    int dead = p.scratch("dead");
    int sender = p.scratch("sender");
    int last = p.scratch("last");
    int first = p.scratch("first");
    p.note("ShmSenders.state").note("ShmSenders.freeTaken");
    p.note("ShmSenders.isWriters").note("ShmSenders.peer").note("ShmSenders.freeOrphan");
    p.loadVolatile("ring.consumerPosition", first, r -> head);
    p.loadVolatile("ring.producerPosition", last, r -> tail);
    p.when("empty", r -> r[first] == r[last] ? 1 : 0, empty);
    p.when("blocked before", r -> r[first] == r[blockedAt] ? 1 : 0, known);
    p.set("blocked", r -> r[blockedAt] = r[first]);
    p.loadVolatile("ring.producerPosition", claimedThen, r -> tail);
    p.set("first sender", r -> r[sender] = 0);
    p.label(next);
    claims(p, sender, thens, true);
    p.set("next sender", r -> r[sender]++);
    p.when("more", r -> r[sender] < senders ? 1 : 0, next);
    p.jump(end);
    p.label(known);
    isOfTheDead(p, sender, dead, thens);
    p.when("somebody may write it", r -> 1 - r[dead], end);
    unblock(p, unblocked);
    p.when("unblocked", r -> r[unblocked], end);
    passOverHole(p, first, claimedThen);
    p.jump(end);
    p.label(empty);
    p.set("not blocked", r -> r[blockedAt] = -1);
    p.label(end);
    p.exit();
  }

  /** The first of as many registers as there are senders. */
  private int then(Program p) {
    int first = p.register("then 0");
    for (int i = 1; i < senders; i++) {
      p.register("then " + i);
    }
    return first;
  }

  private void claims(Program p, int sender, int register, boolean indexed) {
    p.enter("ShmSenders.claims").note("ShmLayout.senderAt");
    int value = p.scratch("claims");
    p.loadVolatile("buffer.getLongVolatile senderAt+384", value, r -> claims + r[sender]);
    p.set("claims", r -> r[indexed ? register + r[sender] : register] = r[value]);
    p.exit();
  }

  private void isOfTheDead(Program p, int sender, int dead, int thens) {
    String more = p.fresh("more");
    String next = p.fresh("next");
    String maybe = p.fresh("maybe");
    String end = p.fresh("end");
    p.enter("ShmSenders.isOfTheDead");
    int lives = p.scratch("lives");
    int now = p.scratch("now");
    p.set("first sender", r -> r[sender] = 0);
    p.set("nobody yet", r -> r[dead] = 0);
    p.label(more);
    p.note("ShmSenders.isWriters");
    claims(p, sender, now, false);
    p.when("in no claim", r -> (r[now] & 1) == 0 ? 1 : 0, next);
    p.enter("ShmSenders.lives").note("ShmSenders.peer").note("ShmSenders.pathBytes");
    p.note("ShmEntry.takenBy").note("mayLive.test");
    p.load("peer.isOwnerAlive", lives, r -> alive + r[sender]);
    p.exit();
    p.when("alive", r -> r[lives], maybe);
    p.set("a dead one", r -> r[dead] = 1);
    p.jump(next);
    p.label(maybe);
    claims(p, sender, now, false);
    p.when("another claim", r -> r[now] != r[thens + r[sender]] ? 1 : 0, next);
    p.set("perhaps its own", r -> r[dead] = 0);
    p.jump(end);
    p.label(next);
    p.set("next sender", r -> r[sender]++);
    p.when("more", r -> r[sender] < senders ? 1 : 0, more);
    p.label(end);
    p.exit();
  }

  private void passOverHole(Program p, int position, int claimedThen) {
    String more = p.fresh("more");
    String zero = p.fresh("zero");
    String end = p.fresh("end");
    p.enter("ShmSenders.passOverHole").note("ring.buffer").note("ring.capacity");
    p.note("ring.capacity");
    int bytes = p.scratch("bytes");
    int at = p.scratch("hole");
    int length = p.scratch("hole length");
    p.set(
        "bytes",
        r -> r[bytes] = Math.min(r[claimedThen] - r[position], capacity - r[position] % capacity));
    p.set("from there", r -> r[at] = 0);
    p.label(more);
    p.when("end", r -> r[at] >= r[bytes] ? 1 : 0, zero);
    p.loadVolatile(
        "buffer.getIntVolatile lengthOffset",
        length,
        r -> lengths + r[position] % capacity + r[at]);
    p.when("written", r -> r[length] != 0 ? 1 : 0, end);
    p.set("on", r -> r[at]++);
    p.jump(more);
    p.label(zero);
    p.when("nothing", r -> r[bytes] <= 0 ? 1 : 0, end);
    p.storeRelease("buffer.putInt typeOffset", r -> types + r[position] % capacity, r -> PADDING);
    p.storeRelease(
        "buffer.putIntOrdered lengthOffset", r -> lengths + r[position] % capacity, r -> r[bytes]);
    p.label(end);
    p.exit();
  }

  private void unblock(Program p, int done) {
    int first = p.register("first");
    int last = p.register("last");
    int back = p.register("back");
    String end = p.fresh("end");
    String zero = p.fresh("zero");
    String scan = p.fresh("scan");
    String found = p.fresh("found");
    p.enter("ManyToOneRingBuffer.unblock", "ring.unblock");
    int at = p.scratch("scanned");
    int length = p.scratch("blocked length");
    p.set("not yet", r -> r[done] = 0);
    p.loadVolatile("buffer.getLongVolatile headPositionIndex", first, r -> head);
    p.loadVolatile("buffer.getLongVolatile tailPositionIndex", last, r -> tail);
    p.when("empty", r -> r[first] == r[last] ? 1 : 0, end);
    p.loadVolatile("buffer.getIntVolatile computed", length, r -> lengths + r[first] % capacity);
    p.when("not claimed", r -> r[length] >= 0 ? 1 : 0, zero);
    p.storeRelease("buffer.putInt typeOffset", r -> types + r[first] % capacity, r -> PADDING);
    p.storeRelease(
        "buffer.putIntOrdered lengthOffset", r -> lengths + r[first] % capacity, r -> -r[length]);
    p.set("done", r -> r[done] = 1);
    p.jump(end);
    p.label(zero);
    p.when("committed", r -> r[length] > 0 ? 1 : 0, end);
    p.set("behind it", r -> r[at] = r[first] % capacity + 1);
    p.label(scan);
    p.when("end", r -> r[at] >= limit(r[first], r[last]) ? 1 : 0, end);
    p.loadVolatile("buffer.getIntVolatile computed", length, r -> lengths + r[at]);
    p.when("found", r -> r[length] != 0 ? 1 : 0, found);
    p.set("on", r -> r[at]++);
    p.jump(scan);
    p.label(found);
    scanBack(p, first, at, back, end);
    p.storeRelease("buffer.putInt typeOffset", r -> types + r[first] % capacity, r -> PADDING);
    p.storeRelease(
        "buffer.putIntOrdered lengthOffset",
        r -> lengths + r[first] % capacity,
        r -> r[at] - r[first] % capacity);
    p.set("done", r -> r[done] = 1);
    p.label(end);
    p.exit();
  }

  private int limit(int first, int last) {
    return last % capacity > first % capacity ? last % capacity : capacity;
  }

  private void scanBack(Program p, int first, int at, int back, String no) {
    String more = p.fresh("more");
    String confirmed = p.fresh("confirmed");
    p.enter("ManyToOneRingBuffer.scanBackToConfirmStillZeroed");
    int length = p.scratch("blocked length");
    p.set("from there", r -> r[back] = r[at] - 1);
    p.label(more);
    p.when("back", r -> r[back] < r[first] % capacity ? 1 : 0, confirmed);
    p.loadVolatile("buffer.getIntVolatile computed", length, r -> lengths + r[back]);
    p.when("written", r -> r[length] != 0 ? 1 : 0, no);
    p.set("back", r -> r[back]--);
    p.jump(more);
    p.label(confirmed);
    p.exit();
  }
}
