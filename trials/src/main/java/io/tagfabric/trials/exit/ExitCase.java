package io.tagfabric.trials.exit;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.trials.exit.ExitEvidence.Who;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One way to end a job, and what shows that it was this one.
 *
 * @param number by which it is called
 * @param way what the ranks do
 * @param codes the job may end with, one of them
 * @param what it is, in a few words
 * @param evidence what ranks have to say
 */
record ExitCase(int number, Way way, Set<Integer> codes, String what, List<ExitEvidence> evidence) {
  /** What the ranks do; "the last" is rank 0 when the order is reversed. */
  enum Way {
    ALL_EXIT(Who.ALL, false),
    ALL_RETURN(Who.ALL, false),
    BEFORE_MEETING(Who.ALL, false),
    LAST_BEFORE_MEETING(Who.LAST, false),
    LAST_EXITS(Who.LAST, true),
    LAST_INTERRUPTED(Who.LAST, false),
    LAST_EXITS_OTHERS_SPIN(Who.LAST, true),
    LAST_RETURNS(Who.LAST, true),
    LAST_RETURNS_OTHERS_SPIN(Who.LAST, true),
    ALL_IN_HANDLER(Who.ALL, false),
    LAST_IN_HANDLER(Who.LAST, true),
    ALL_IN_THREADS(Who.ALL, false),
    FIRST_IN_THREADS(Who.FIRST, true),
    CRASH(Who.LAST, false),
    CRASH_IN_THREAD(Who.LAST, false);

    private final Who actors;
    private final boolean alone;

    Way(Who actors, boolean alone) {
      this.actors = actors;
      this.alone = alone;
    }

    /** Whether one rank calls {@code exit} and the others do not: that takes T longer. */
    boolean isAlone() {
      return alone;
    }

    /** Whether the job ends before its ranks have met. */
    boolean isEarly() {
      return this == BEFORE_MEETING || this == LAST_BEFORE_MEETING;
    }
  }

  static final String TRACE = "java.lang.Throwable: trace of the program";
  static final String TRACE_IN_HOOK = "java.lang.Throwable: trace of the hook";
  static final String FATAL = "a fatal error, as the case wants it";

  private static final int CRASHES = 7;
  private static final int FIRST_CRASH = 100;
  private static final int LAST_CRASH = FIRST_CRASH + 2 * CRASHES - 1;
  private static final int ABORTED = ExitCode.SIGNAL_BASE + 6;

  /** A JVM that catches its own crash ends with it if it is not to write about it. */
  private static final Set<Integer> CAUGHT = Set.of(ExitCode.FAILED, ABORTED);

  /** All of them, in order. */
  static final List<ExitCase> ALL = all();

  ExitCase {
    codes = Set.copyOf(codes);
    evidence = List.copyOf(evidence);
  }

  private static List<ExitCase> all() {
    List<ExitCase> all = new ArrayList<>();
    all.add(exit(1, Way.ALL_EXIT, "all exit at once"));
    all.add(exit(2, Way.ALL_RETURN, "all return from main"));
    all.add(exit(3, Way.LAST_EXITS, "the last exits, the others in a barrier"));
    all.add(
        exit(
            4,
            Way.LAST_INTERRUPTED,
            "SIGINT to the last, whose hook exits",
            ExitEvidence.says(
                Who.LAST, ExitLines.HOOK + "SIGNAL", "the last's hook is told of a signal")));
    all.add(exit(5, Way.LAST_EXITS_OTHERS_SPIN, "the last exits, the others spin"));
    all.add(exit(6, Way.BEFORE_MEETING, "all exit before they have met"));
    all.add(exit(7, Way.LAST_BEFORE_MEETING, "the last exits before they have met"));
    all.add(exit(8, Way.LAST_RETURNS, "the last returns, the others in a barrier"));
    all.add(exit(9, Way.LAST_RETURNS_OTHERS_SPIN, "the last returns, the others spin"));
    all.add(exit(10, Way.ALL_IN_HANDLER, "neighbours end each other by a message"));
    all.add(exit(11, Way.LAST_IN_HANDLER, "the first ends the last by a message"));
    all.add(exit(12, Way.LAST_IN_HANDLER, "the last ends itself by a message"));
    all.add(exit(13, Way.LAST_IN_HANDLER, "all end the last by a message"));
    all.add(exit(14, Way.ALL_IN_THREADS, "all threads of all ranks exit"));
    all.add(exit(15, Way.FIRST_IN_THREADS, "one thread exits, one in a barrier, others spin"));
    all.add(exit(16, Way.FIRST_IN_THREADS, "one thread exits, all others spin"));
    all.add(exit(17, Way.FIRST_IN_THREADS, "one thread exits, all others make progress"));
    all.add(exit(18, Way.FIRST_IN_THREADS, "one thread exits, all others talk"));
    for (int number = FIRST_CRASH; number <= LAST_CRASH; number++) {
      all.add(crash(number));
    }
    return List.copyOf(all);
  }

  private static ExitCase exit(int number, Way way, String what, ExitEvidence... more) {
    List<ExitEvidence> evidence = new ArrayList<>(List.of(acts(way)));
    evidence.addAll(List.of(more));
    evidence.add(hooks());
    return new ExitCase(number, way, Set.of(number), what, evidence);
  }

  private static ExitCase crash(int number) {
    boolean inThread = number >= FIRST_CRASH + CRASHES;
    Way way = inThread ? Way.CRASH_IN_THREAD : Way.CRASH;
    String beside = inThread ? ", beside waiting threads" : "";
    return switch (kindOf(number)) {
      case 100 ->
          new ExitCase(
              number,
              way,
              Set.of(ExitCode.OK),
              "the last prints a trace, exit(0)" + beside,
              List.of(
                  acts(way),
                  ExitEvidence.says(Who.LAST, TRACE, "the last's trace is shown"),
                  hooks()));
      case 101 ->
          new ExitCase(
              number,
              way,
              Set.of(ExitCode.OK),
              "a trace out of the exit hook, exit(0)" + beside,
              List.of(
                  acts(way),
                  hooks(),
                  ExitEvidence.says(Who.ALL, TRACE_IN_HOOK, "the trace of each hook is shown")));
      case 102 ->
          new ExitCase(
              number,
              way,
              Set.of(ExitCode.FAILED),
              "a fatal error of the library" + beside,
              List.of(
                  acts(way),
                  ExitEvidence.says(Who.LAST, FATAL, "the last tells its error"),
                  hooks()));
      case 103 -> lost(number, way, Set.of(ABORTED), "SIGABRT" + beside);
      case 104 -> lost(number, way, caughtOr(11), "a write to address 0" + beside);
      case 105 -> lost(number, way, caughtOr(7), "SIGBUS" + beside);
      default -> lost(number, way, caughtOr(8), "SIGFPE" + beside);
    };
  }

  private static ExitCase lost(int number, Way way, Set<Integer> codes, String what) {
    return new ExitCase(
        number,
        way,
        codes,
        what,
        List.of(
            acts(way),
            ExitEvidence.says(
                Who.ALL_BUT_LAST, ExitLines.HOOK, "the hooks of all but the last run"),
            ExitEvidence.never(Who.LAST, ExitLines.HOOK, "that of the last does not")));
  }

  private static Set<Integer> caughtOr(int signal) {
    Set<Integer> codes = new TreeSet<>(CAUGHT);
    codes.add(ExitCode.SIGNAL_BASE + signal);
    return codes;
  }

  private static ExitEvidence acts(Way way) {
    String who =
        switch (way.actors) {
          case FIRST -> "the first acts";
          case LAST -> "the last acts";
          default -> "all act";
        };
    return ExitEvidence.says(way.actors, ExitLines.ACTS, who);
  }

  private static ExitEvidence hooks() {
    return ExitEvidence.says(Who.ALL, ExitLines.HOOK, "all hooks run");
  }

  /** The number of the same crash without other threads. */
  private static int kindOf(int number) {
    return number < FIRST_CRASH + CRASHES ? number : number - CRASHES;
  }

  /** The case of a number, null if there is none. */
  static ExitCase of(int number) {
    return ALL.stream().filter(each -> each.number == number).findFirst().orElse(null);
  }

  /** Which of the crashes 100 to 106 it is; other cases have none. */
  int crash() {
    return kindOf(number);
  }

  /** Whether a rank may take its JVM down with it. */
  boolean isCrash() {
    return way == Way.CRASH || way == Way.CRASH_IN_THREAD;
  }

  /** Whether the rank that acts waits first, so that the others are where they are to be. */
  boolean pauses() {
    return switch (way) {
      case LAST_EXITS,
          LAST_INTERRUPTED,
          LAST_EXITS_OTHERS_SPIN,
          LAST_RETURNS,
          LAST_RETURNS_OTHERS_SPIN ->
          true;
      default -> number == 15;
    };
  }

  /** Whether a rank is lost, so that the others have to notice it first. */
  boolean losesARank() {
    return isCrash() && crash() >= 103;
  }

  /** Whether all ranks meet before the job ends. */
  boolean forms() {
    return !way.isEarly();
  }

  String expected() {
    return new TreeSet<>(codes).stream().map(String::valueOf).collect(Collectors.joining(" or "));
  }

  /** What a run of it has to show, in one line; what all runs have to show is not repeated. */
  String requires() {
    return "code "
        + expected()
        + (forms() ? "; the job forms; " : "; ")
        + evidence.stream().map(ExitEvidence::what).collect(Collectors.joining("; "));
  }
}
