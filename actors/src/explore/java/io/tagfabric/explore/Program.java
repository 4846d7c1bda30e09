package io.tagfabric.explore;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one thread does, step by step; written with the methods below in the order of the real code.
 *
 * <p>Steps between {@link #enter} and {@link #exit} stand for a method of a real class and bear the
 * names of its listing. Registers are the thread's own.
 */
public final class Program {
  private final String name;
  private final Mutant mutant;
  private final List<Step> steps = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();
  private final List<String> registers = new ArrayList<>();
  private final Deque<String> frames = new ArrayDeque<>();
  private final Map<String, List<String>> listings = new LinkedHashMap<>();
  private final Deque<List<String>> open = new ArrayDeque<>();
  private final Deque<List<Integer>> scratches = new ArrayDeque<>();
  private int fresh;
  private int killCell = -1;
  private boolean daemon;

  /** An empty program of a thread. */
  public Program(String name, Mutant mutant) {
    this.name = name;
    this.mutant = mutant;
  }

  /** Its process may be killed between any two steps; then this cell becomes 0. */
  public Program killable(int aliveCell) {
    killCell = aliveCell;
    return this;
  }

  /** It need not end. */
  public Program daemon() {
    daemon = true;
    return this;
  }

  // ---- registers and labels ----

  /** A register of this thread, at first 0. */
  public int register(String register) {
    int known = registers.indexOf(register);
    if (known >= 0) {
      return known;
    }
    registers.add(register);
    return registers.size() - 1;
  }

  /**
   * A register that the method which is being written does not need after its end; there it becomes
   * 0, so that states do not differ by what nobody will look at.
   */
  public int scratch(String register) {
    // Not that of a caller that has one of the same name.
    int number = register(register + " " + frames.size());
    scratches.peek().add(number);
    return number;
  }

  /** A label that nobody else has. */
  public String fresh(String label) {
    return label + "#" + fresh++;
  }

  /** The next step is where jumps to this label go on. */
  public Program label(String label) {
    if (labels.put(label, steps.size()) != null) {
      throw new IllegalArgumentException("label " + label + " is there twice");
    }
    return this;
  }

  // ---- methods of the real class ----

  /** A call of a method whose steps follow; the listing of the caller calls it the same. */
  public Program enter(String method) {
    return enter(method, method);
  }

  /**
   * A call of a method whose steps follow.
   *
   * @param line what the listing of the caller calls it
   */
  public Program enter(String method, String line) {
    note(line);
    frames.push(method);
    open.push(new ArrayList<>());
    scratches.push(new ArrayList<>());
    return this;
  }

  /**
   * A call of something that is not compared, or nothing in the code at all if {@code line} is
   * empty; its steps follow.
   */
  public Program enterStranger(String line) {
    return enter("", line);
  }

  /** The end of that method. */
  public Program exit() {
    List<Integer> done = scratches.pop();
    if (!done.isEmpty()) {
      set("forget", r -> done.forEach(register -> r[register] = 0));
    }
    String method = frames.pop();
    List<String> listing = open.pop();
    if (method.isEmpty()) {
      return this;
    }
    List<String> before = listings.putIfAbsent(method, listing);
    if (before != null && !before.equals(listing)) {
      throw new IllegalStateException(method + " is " + before + " and " + listing);
    }
    return this;
  }

  /** A line of the real method's listing that no step stands for. */
  public Program note(String line) {
    if (!open.isEmpty() && !line.isEmpty()) {
      open.peek().add(line);
    }
    return this;
  }

  private Program add(Step.Kind kind, String text, Step.Work work) {
    String method = frames.isEmpty() ? "" : frames.peek();
    int nth = 1;
    if (!open.isEmpty()) {
      nth = Math.max(1, Collections.frequency(open.peek(), text));
    }
    steps.add(new Step(kind, method, text, nth, work));
    return this;
  }

  private Program access(Step.Kind kind, String text, Step.Work work) {
    note(text);
    return add(kind, text, work);
  }

  // ---- steps ----

  /** Reads with acquire order, or none. */
  public Program load(String text, int register, Step.Expression cell) {
    return access(Step.Kind.LOAD, text, new Step.Read(register, cell));
  }

  /** Reads in the order of volatile accesses. */
  public Program loadVolatile(String text, int register, Step.Expression cell) {
    return access(Step.Kind.LOAD_VOLATILE, text, new Step.Read(register, cell));
  }

  /** Writes without any order. */
  public Program store(String text, Step.Expression cell, Step.Expression value) {
    return access(Step.Kind.STORE_PLAIN, text, new Step.Write(cell, value));
  }

  /** Writes with release order. */
  public Program storeRelease(String text, Step.Expression cell, Step.Expression value) {
    return access(Step.Kind.STORE_RELEASE, text, new Step.Write(cell, value));
  }

  /** Writes in the order of volatile accesses. */
  public Program storeVolatile(String text, Step.Expression cell, Step.Expression value) {
    return access(Step.Kind.STORE_VOLATILE, text, new Step.Write(cell, value));
  }

  /** A full fence. */
  public Program fence(String text) {
    return access(Step.Kind.FENCE, text, new Step.Update((m, r) -> true, (m, r) -> {}));
  }

  /** Reads and writes as one. */
  public Program atomic(String text, Step.Effect effect) {
    return access(Step.Kind.ATOMIC, text, new Step.Update((m, r) -> true, effect));
  }

  /** Compares a cell and sets it; the register tells whether it was done. */
  public Program compareAndSet(
      String text, int done, Step.Expression cell, Step.Expression old, Step.Expression value) {
    return atomic(
        text,
        (m, r) -> {
          int at = cell.of(r);
          r[done] = m[at] == old.of(r) ? 1 : 0;
          if (r[done] != 0) {
            m[at] = value.of(r);
          }
        });
  }

  /** Waits until the guard holds, then changes memory in the same step. */
  public Program await(String text, Step.Guard guard, Step.Effect effect) {
    return access(Step.Kind.AWAIT, text, new Step.Update(guard, effect));
  }

  /**
   * Waits until the guard holds, or until the stores are visible that other threads have made
   * before, whichever is first; then changes memory in the same step.
   */
  public Program outlast(String text, Step.Guard guard, Step.Effect effect) {
    add(Step.Kind.BEGIN, text + " begins", new Step.Registers(r -> {}));
    return access(Step.Kind.OUTLAST, text, new Step.Update(guard, effect));
  }

  /** Sets registers. */
  public Program set(String text, Step.Change change) {
    return add(Step.Kind.LOCAL, text, new Step.Registers(change));
  }

  /** Goes on at a label. */
  public Program jump(String label) {
    return add(Step.Kind.LOCAL, "goto " + label, new Step.Branch(r -> 1, label));
  }

  /** Goes on at a label if the condition holds; by its name a mutant can bend it. */
  public Program when(String condition, Step.Expression holds, String label) {
    return add(Step.Kind.LOCAL, condition, new Step.Branch(holds, label));
  }

  /** Fails the exploration unless the condition holds. */
  public Program check(String claim, Step.Expression holds) {
    return add(Step.Kind.CHECK, claim, new Step.Condition(holds));
  }

  // ---- for the explorer ----

  String name() {
    return name;
  }

  int killCell() {
    return killCell;
  }

  boolean isDaemon() {
    return daemon;
  }

  int registerCount() {
    return registers.size();
  }

  String registerName(int register) {
    return registers.get(register);
  }

  Step[] steps() {
    return mutant.change(steps).toArray(Step[]::new);
  }

  int at(String label) {
    Integer step = labels.get(label);
    if (step == null) {
      throw new IllegalArgumentException("no label " + label + " in " + name);
    }
    return step;
  }

  /** What each modelled method does, in the terms of {@link CodeListing}. */
  public Map<String, List<String>> listings() {
    return listings;
  }
}
