package io.tagfabric.demos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One way to end a job.
 *
 * @param number by which it is called
 * @param way what the ranks do
 * @param code the job ends with, {@link #NOT_ZERO} for any but 0
 * @param what it is, in a few words
 */
record ExitCase(int number, Way way, int code, String what) {
  /** What the ranks do; "the last" is rank 0 when the order is reversed. */
  enum Way {
    ALL_EXIT,
    ALL_RETURN,
    BEFORE_MEETING,
    LAST_EXITS,
    LAST_INTERRUPTED,
    LAST_EXITS_OTHERS_SPIN,
    LAST_RETURNS,
    LAST_RETURNS_OTHERS_SPIN,
    IN_HANDLER,
    IN_THREADS,
    CRASH,
    CRASH_IN_THREAD
  }

  static final int NOT_ZERO = -1;
  static final ExitCase TRACE = new ExitCase(100, Way.CRASH, 0, "the last prints a trace, exit(0)");
  static final ExitCase TRACE_IN_HOOK =
      new ExitCase(101, Way.CRASH, 0, "a trace out of the exit hook, exit(0)");

  /** All of them, in order. */
  static final List<ExitCase> ALL = all();

  private static List<ExitCase> all() {
    List<ExitCase> all = new ArrayList<>();
    Collections.addAll(
        all,
        new ExitCase(1, Way.ALL_EXIT, 1, "all exit at once"),
        new ExitCase(2, Way.ALL_RETURN, 2, "all return from main"),
        new ExitCase(3, Way.LAST_EXITS, 3, "the last exits, the others in a barrier"),
        new ExitCase(4, Way.LAST_INTERRUPTED, 4, "SIGINT to the last, whose hook exits"),
        new ExitCase(5, Way.LAST_EXITS_OTHERS_SPIN, 5, "the last exits, the others spin"),
        new ExitCase(6, Way.BEFORE_MEETING, 6, "all exit before they have met"),
        new ExitCase(7, Way.BEFORE_MEETING, 7, "the last exits before they have met"),
        new ExitCase(8, Way.LAST_RETURNS, 8, "the last returns, the others in a barrier"),
        new ExitCase(9, Way.LAST_RETURNS_OTHERS_SPIN, 9, "the last returns, the others spin"),
        new ExitCase(10, Way.IN_HANDLER, 10, "neighbours end each other by a message"),
        new ExitCase(11, Way.IN_HANDLER, 11, "the first ends the last by a message"),
        new ExitCase(12, Way.IN_HANDLER, 12, "the last ends itself by a message"),
        new ExitCase(13, Way.IN_HANDLER, 13, "all end the last by a message"),
        new ExitCase(14, Way.IN_THREADS, 14, "all threads of all ranks exit"),
        new ExitCase(15, Way.IN_THREADS, 15, "one thread exits, one in a barrier, others spin"),
        new ExitCase(16, Way.IN_THREADS, 16, "one thread exits, all others spin"),
        new ExitCase(17, Way.IN_THREADS, 17, "one thread exits, all others make progress"),
        new ExitCase(18, Way.IN_THREADS, 18, "one thread exits, all others talk"));
    List<ExitCase> crashes =
        List.of(
            TRACE,
            TRACE_IN_HOOK,
            new ExitCase(102, Way.CRASH, NOT_ZERO, "a fatal error of the library"),
            new ExitCase(103, Way.CRASH, NOT_ZERO, "SIGABRT"),
            new ExitCase(104, Way.CRASH, NOT_ZERO, "a write to address 0"),
            new ExitCase(105, Way.CRASH, NOT_ZERO, "SIGBUS"),
            new ExitCase(106, Way.CRASH, NOT_ZERO, "SIGFPE"));
    all.addAll(crashes);
    for (ExitCase crash : crashes) {
      all.add(
          new ExitCase(
              crash.number + crashes.size(),
              Way.CRASH_IN_THREAD,
              crash.code,
              crash.what + ", beside waiting threads"));
    }
    return List.copyOf(all);
  }

  /** The case of a number, null if there is none. */
  static ExitCase of(int number) {
    return ALL.stream().filter(each -> each.number == number).findFirst().orElse(null);
  }

  /** Whether a rank may take its JVM down with it. */
  boolean isCrash() {
    return way == Way.CRASH || way == Way.CRASH_IN_THREAD;
  }

  /** Whether a job has ended as it should. */
  boolean isMetBy(int jobCode) {
    return code == NOT_ZERO ? jobCode != 0 : jobCode == code;
  }

  String expected() {
    return code == NOT_ZERO ? "not 0" : Integer.toString(code);
  }
}
