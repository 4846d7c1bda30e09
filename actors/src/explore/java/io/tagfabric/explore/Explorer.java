package io.tagfabric.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Visits every state that the threads of a model can reach, the nearest first, so what it finds
 * wrong is the shortest way to it.
 *
 * <p><b>Memory.</b> A store goes into a buffer of its thread and becomes visible at any later time:
 * one with release order after all earlier ones, a plain one also before earlier ones to other
 * cells. A thread sees its own stores at once. A fence and an atomic step wait until the buffer is
 * empty, a volatile load until no volatile store is left in it. So what x86 does is covered, and
 * what Java allows of stores and of a load that passes a store; that loads pass loads is not.
 *
 * <p><b>Time.</b> A store takes as long as it likes, but there is a wait that outlasts those which
 * were made before it began: of one thread at a time.
 *
 * <p><b>Kills.</b> A killable thread may stop for good between any two steps. What it has stored
 * becomes visible all the same, and after that the cell that says that it is alive is 0.
 *
 * <p><b>Fewer states.</b> Steps that no other thread can notice (registers, branches, a store into
 * the buffer that nobody waits for, a fence that finds it empty) are taken together with the step
 * before.
 */
public final class Explorer {
  private static final int FLUSH = 1 << 8;
  private static final int KILL = 1 << 16;
  private static final int THREAD_MASK = 0xff;
  private static final int MOST_QUIET_STEPS = 500;

  /** Stores that a buffer has room for. */
  private static final int MOST_PENDING = 6;

  private final Model model;
  private final Step[][] steps;
  private final int[][] targets;
  private final State shape;

  /** Whether somebody waits for stores: then it is noticed when one is made. */
  private final boolean timed;

  private final StateSet seen = new StateSet();
  private String problem;
  private List<String> log;

  private Explorer(Model model) {
    this.model = model;
    List<Program> programs = model.programs();
    int threads = programs.size();
    steps = new Step[threads][];
    targets = new int[threads][];
    int[][] registers = new int[threads][];
    int[][] buffers = new int[threads][0];
    for (int thread = 0; thread < threads; thread++) {
      Program program = programs.get(thread);
      steps[thread] = program.steps();
      registers[thread] = new int[program.registerCount()];
      targets[thread] = new int[steps[thread].length];
      for (int i = 0; i < steps[thread].length; i++) {
        targets[thread][i] =
            steps[thread][i].work() instanceof Step.Branch branch ? program.at(branch.label()) : -1;
      }
    }
    shape = new State(model.initial(), new int[threads], registers, buffers);
    timed = Arrays.stream(steps).flatMap(Arrays::stream).anyMatch(s -> s.kind() == Step.Kind.BEGIN);
    if (!model.mutant().isMade()) {
      throw new IllegalArgumentException("no step to change: " + model.mutant());
    }
  }

  /**
   * Explores a model.
   *
   * @param mostStates where to give up
   * @throws IllegalArgumentException if the model's mutant finds no step to change
   */
  public static Exploration explore(Model model, int mostStates) {
    return new Explorer(model).run(mostStates);
  }

  private Exploration run(int mostStates) {
    State first = shape.copy();
    for (int thread = 0; thread < steps.length && problem == null; thread++) {
      settle(first, thread);
    }
    seen.add(first.encode(), -1, 0);
    for (int index = 0; index < seen.size() && index < mostStates && problem == null; index++) {
      expand(index);
    }
    boolean complete = problem == null && seen.size() <= mostStates;
    return problem == null
        ? new Exploration(seen.size(), complete, "", List.of())
        : new Exploration(seen.size(), false, problem, trace());
  }

  private int failedFrom = -1;
  private int failedMove;

  private void expand(int index) {
    State state = State.decode(seen.get(index), shape);
    String broken = model.claimAlways().broken(state.memory);
    if (broken != null) {
      fail(broken, index, 0);
      return;
    }
    boolean moved = false;
    for (int thread = 0; thread < steps.length && problem == null; thread++) {
      moved |= canStep(state, thread) && go(index, state, thread);
      for (int i = 0; i < state.pending(thread) && problem == null; i++) {
        moved |= state.mayFlush(thread, i) && go(index, state, thread | (i + 1) * FLUSH);
      }
      if (mayDie(state, thread) && problem == null) {
        go(index, state, thread | KILL);
      }
    }
    if (!moved && problem == null) {
      String end = endOf(state);
      if (end != null) {
        fail(end, index, 0);
      }
    }
  }

  private void fail(String what, int from, int move) {
    problem = what;
    failedFrom = from;
    failedMove = move;
  }

  private boolean go(int index, State state, int move) {
    State next = state.copy();
    String wrong = make(next, move);
    if (wrong != null) {
      fail(wrong, index, move + 1);
    } else {
      seen.add(next.encode(), index, move + 1);
    }
    return true;
  }

  private boolean mayDie(State state, int thread) {
    return model.programs().get(thread).killCell() >= 0
        && state.places[thread] >= 0
        && state.places[thread] < steps[thread].length;
  }

  private String endOf(State state) {
    for (int thread = 0; thread < steps.length; thread++) {
      Program program = model.programs().get(thread);
      int place = state.places[thread];
      if (place >= 0 && place < steps[thread].length && !program.isDaemon()) {
        return program.name() + " waits for ever in " + describe(steps[thread][place]);
      }
    }
    return model.claimAtEnd().broken(state.memory);
  }

  // ---- moves ----

  private boolean canStep(State state, int thread) {
    int place = state.places[thread];
    if (place < 0 || place >= steps[thread].length) {
      return false;
    }
    Step step = steps[thread][place];
    return switch (step.kind()) {
      case LOAD_VOLATILE -> !state.hasVolatilePending(thread);
      case STORE_PLAIN, STORE_RELEASE, STORE_VOLATILE -> state.pending(thread) < MOST_PENDING;
      case FENCE, ATOMIC -> state.pending(thread) == 0;
      case AWAIT -> state.pending(thread) == 0 && holds(step, state, thread);
      case OUTLAST ->
          state.pending(thread) == 0 && (state.isOutlasted() || holds(step, state, thread));
      default -> true;
    };
  }

  private static boolean holds(Step step, State state, int thread) {
    return ((Step.Update) step.work()).guard().holds(state.memory, state.registers[thread]);
  }

  /** Changes the state; returns what is wrong with it, if a check says so. */
  private String make(State state, int move) {
    int thread = move & THREAD_MASK;
    if ((move & KILL) != 0) {
      note(thread, "is killed", "");
      state.places[thread] = State.KILLED;
      state.push(thread, model.programs().get(thread).killCell(), 0, Step.Kind.STORE_RELEASE);
      return null;
    }
    int flush = move / FLUSH;
    if (flush > 0) {
      int cell = state.pendingCell(thread, flush - 1);
      int value = state.pendingValue(thread, flush - 1);
      state.flush(thread, flush - 1);
      note(thread, "  (all see it)", model.cellName(cell) + " = " + value);
      return null;
    }
    String wrong = take(state, thread);
    return wrong == null ? settle(state, thread) : wrong;
  }

  /** Takes the steps that nobody else can notice. */
  private String settle(State state, int thread) {
    boolean killable = model.programs().get(thread).killCell() >= 0;
    for (int quiet = 0; quiet < MOST_QUIET_STEPS; quiet++) {
      int place = state.places[thread];
      if (place < 0 || place >= steps[thread].length) {
        return null;
      }
      Step step = steps[thread][place];
      boolean noticed =
          switch (step.kind()) {
            case LOCAL, CHECK -> false;
            case FENCE -> state.pending(thread) > 0;
            case STORE_PLAIN, STORE_RELEASE, STORE_VOLATILE ->
                killable || timed || state.pending(thread) == MOST_PENDING;
            default -> true;
          };
      if (noticed) {
        return null;
      }
      String wrong = take(state, thread);
      if (wrong != null) {
        return wrong;
      }
    }
    throw new IllegalStateException(
        model.programs().get(thread).name() + " runs in a circle without an access to memory");
  }

  private String take(State state, int thread) {
    int place = state.places[thread];
    Step step = steps[thread][place];
    int[] registers = state.registers[thread];
    int next = place + 1;
    String wrong = null;
    String effect = "";
    if (step.kind() == Step.Kind.BEGIN) {
      state.beginToWait();
    } else if (step.kind() == Step.Kind.OUTLAST) {
      state.endTheWait();
    }
    if (step.work() instanceof Step.Registers local) {
      local.change().apply(registers);
    } else if (step.work() instanceof Step.Branch branch) {
      next = branch.condition().of(registers) != 0 ? targets[thread][place] : next;
    } else if (step.work() instanceof Step.Condition condition) {
      wrong =
          condition.holds().of(registers) != 0
              ? null
              : model.programs().get(thread).name() + ": " + step.text();
    } else if (step.work() instanceof Step.Read read) {
      int cell = read.cell().of(registers);
      registers[read.register()] = state.read(thread, cell);
      effect = model.cellName(cell) + " is " + registers[read.register()];
    } else if (step.work() instanceof Step.Write write) {
      int cell = write.cell().of(registers);
      int value = write.value().of(registers);
      state.push(thread, cell, value, step.kind());
      effect = "to be " + model.cellName(cell) + " = " + value;
    } else if (step.work() instanceof Step.Update update) {
      int[] before = log == null ? null : state.memory.clone();
      update.effect().apply(state.memory, registers);
      effect = before == null ? "" : difference(before, state.memory);
    }
    state.places[thread] = next;
    if (step.kind() != Step.Kind.LOCAL) {
      note(thread, describe(step), effect);
    }
    return wrong;
  }

  private String difference(int[] before, int[] after) {
    List<String> changed = new ArrayList<>();
    for (int cell = 0; cell < before.length; cell++) {
      if (before[cell] != after[cell]) {
        changed.add(model.cellName(cell) + " = " + after[cell]);
      }
    }
    return String.join(", ", changed);
  }

  // ---- the way to a state ----

  private static String describe(Step step) {
    return step.method().isEmpty() ? step.text() : step.method() + ": " + step.text();
  }

  private void note(int thread, String does, String effect) {
    if (log != null) {
      log.add(
          String.format(
              "%4d  %-10s  %-50s  %s",
              log.size() + 1, model.programs().get(thread).name(), does, effect));
    }
  }

  private List<String> trace() {
    List<Integer> moves = new ArrayList<>();
    if (failedMove > 0) {
      moves.add(failedMove - 1);
    }
    for (int index = failedFrom; index > 0; index = seen.parent(index)) {
      moves.add(seen.move(index) - 1);
    }
    log = new ArrayList<>();
    State state = shape.copy();
    for (int thread = 0; thread < steps.length; thread++) {
      settle(state, thread);
    }
    for (int i = moves.size() - 1; i >= 0; i--) {
      make(state, moves.get(i));
    }
    return log;
  }
}
