package io.tagfabric.provider.shm;

import io.tagfabric.explore.Model;
import io.tagfabric.explore.Mutant;
import io.tagfabric.explore.Program;
import io.tagfabric.provider.AccessMark;
import io.tagfabric.provider.RegionGate;

/**
 * Peers that access a region themselves, and its owner, who closes it, uses the memory, and opens
 * the next region there. {@link RegionGate}, {@link AccessMark} and {@link ShmGates}, with one byte
 * for all of a region's.
 */
final class GateModel {
  static final String INSIDE = "is inside";
  static final String LIVES = "lives";
  private static final int FIRST = 1;
  private static final int SECOND = 2;
  private static final int OWN = 7;

  private final Model model;
  private final int peers;
  private final int open;
  private final int marks;
  private final int bytes;
  private final int alive;
  private final int over;

  /**
   * Peers with so many accesses each by the key of the first region.
   *
   * @param killable whether the first peer may be killed
   */
  GateModel(Mutant mutant, boolean killable, int... accesses) {
    model = new Model(mutant);
    peers = accesses.length;
    open = model.cell("open", FIRST);
    marks = model.cells("mark", peers, 0);
    bytes = model.cell("bytes", 0);
    alive = model.cells("alive", peers, 1);
    over = model.cell("over", 0);
    owner();
    for (int peer = 0; peer < peers; peer++) {
      Program program = model.thread("peer-" + peer);
      if (killable && peer == 0) {
        program.killable(alive);
      }
      for (int i = 0; i < accesses[peer]; i++) {
        access(program, peer);
      }
    }
    model.atEnd(
        m ->
            m[over] == 1 && m[bytes] == OWN
                ? null
                : "over=" + m[over] + " bytes=" + m[bytes] + " after the close");
  }

  Model model() {
    return model;
  }

  private void access(Program p, int peer) {
    int seen = p.register("seen");
    int in = p.register("in");
    String refused = p.fresh("refused");
    String decided = p.fresh("decided");
    String end = p.fresh("end");
    p.enter("RegionGate.enter");
    p.enter("AccessMark.set", "mark.set");
    p.storeRelease("words.putLongOrdered markAt", r -> marks + peer, r -> FIRST);
    p.exit();
    p.fence("VarHandle.fullFence");
    p.loadVolatile("words.getLongVolatile openAt", seen, r -> open);
    p.when("closed", r -> r[seen] == FIRST ? 0 : 1, refused);
    p.set("is let in", r -> r[in] = 1);
    p.jump(decided);
    p.label(refused);
    clear(p, peer);
    p.set("is refused", r -> r[in] = 0);
    p.label(decided);
    p.exit();
    p.when("was refused", r -> 1 - r[in], end);
    p.store("write the bytes", r -> bytes, r -> FIRST);
    clear(p, peer);
    p.label(end);
    p.set("done", r -> r[in] = r[seen] = 0);
  }

  private void clear(Program p, int peer) {
    p.enter("AccessMark.clear", "mark.clear");
    p.storeRelease("words.putLongOrdered markAt", r -> marks + peer, r -> 0);
    p.exit();
  }

  private void owner() {
    Program p = model.thread("owner");
    int busy = p.register("busy");
    p.enter("RegionGate.shut");
    p.storeRelease("words.putLongOrdered openAt", r -> open, r -> 0);
    p.fence("VarHandle.fullFence");
    p.exit();
    p.label("look");
    p.set("look at all", r -> r[busy] = 0);
    for (int peer = 0; peer < peers; peer++) {
      look(p, peer, busy);
    }
    p.when("somebody is inside", r -> r[busy], "look");
    p.store("use the memory", r -> bytes, r -> OWN);
    p.store("open the next region", r -> open, r -> SECOND);
    p.store("it is over", r -> over, r -> 1);
  }

  private void look(Program p, int peer, int busy) {
    int mark = p.register("mark");
    String outside = p.fresh("outside");
    p.enter("AccessMark.isInside");
    p.loadVolatile("words.getLongVolatile markAt", mark, r -> marks + peer);
    p.exit();
    p.when(INSIDE, r -> r[mark] == FIRST ? 0 : 1, outside);
    p.atomic("isAlive.test", (m, r) -> r[mark] = m[alive + peer]);
    p.when(LIVES, r -> 1 - r[mark], outside);
    p.set("wait for it", r -> r[busy] = 1);
    p.label(outside);
    p.set("next", r -> r[mark] = 0);
  }
}
