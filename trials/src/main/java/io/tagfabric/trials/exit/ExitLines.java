package io.tagfabric.trials.exit;

import io.tagfabric.exit.ExitNotice;

/**
 * What ranks of {@link ExitCases} say about themselves, to check that a job has really gone the way
 * it was to go. The launcher puts each rank's number in front.
 */
final class ExitLines {
  /** Precedes the port on which Akka listens. */
  static final String BEGINS = "exit-cases begins, at port ";

  /** All ranks have met: the job has formed. */
  static final String MET = "exit-cases has met the others";

  /** This rank does now what the case is about. */
  static final String ACTS = "exit-cases acts now";

  /** Precedes the code and how the end has begun. */
  static final String HOOK = "exit hook: ";

  /** Something went another way. */
  static final String FAILED = "TEST FAILED";

  private ExitLines() {}

  static void begins(int port) {
    say(BEGINS + port);
  }

  static void met() {
    say(MET);
  }

  static void acts() {
    say(ACTS);
  }

  static void hook(ExitNotice notice) {
    say(HOOK + notice.kind() + ", code " + notice.code() + " of rank " + notice.rank());
  }

  static void failed(String why) {
    say(FAILED + ": " + why);
  }

  /** Out at once: the next thing may be the end of the process. */
  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
