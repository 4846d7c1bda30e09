package io.tagfabric.cluster.job;

/** Exit codes of the command and of ranks; the numbers above 128 are those a shell would show. */
public final class ExitCode {
  /** All went well. */
  public static final int OK = 0;

  /** The program, or a rank of it, failed. */
  public static final int FAILED = 1;

  /** The command was not understood: option, program or setting. */
  public static final int USAGE = 2;

  /** Output was lost, for a disk was full or nobody took it; EX_IOERR of sysexits(3). */
  public static final int OUTPUT_LOST = 74;

  /**
   * The job did not end within its time, as timeout(1) reports it; or a rank did not, and its own
   * code is not known.
   */
  public static final int TIMEOUT = 124;

  /** The process ended because of signal 0; add a signal's number. */
  public static final int SIGNAL_BASE = 128;

  /** Ended by SIGINT, usually Ctrl-C. */
  public static final int INTERRUPTED = SIGNAL_BASE + 2;

  /** Ended by SIGKILL. */
  public static final int KILLED = SIGNAL_BASE + 9;

  /** Ended by SIGTERM. */
  public static final int TERMINATED = SIGNAL_BASE + 15;

  private ExitCode() {}

  /**
   * Says how a process ended: {@code exited with code 3}, {@code ended with 137 (exit code or
   * SIGKILL)}. A process that waits for it gets one number for both.
   */
  public static String describe(int code) {
    return switch (code) {
      case OK -> "ended";
      case SIGNAL_BASE + 1 -> codeOr(code, "SIGHUP");
      case INTERRUPTED -> codeOr(code, "SIGINT");
      case SIGNAL_BASE + 3 -> codeOr(code, "SIGQUIT");
      case SIGNAL_BASE + 6 -> codeOr(code, "SIGABRT");
      case SIGNAL_BASE + 7 -> codeOr(code, "SIGBUS");
      case KILLED -> codeOr(code, "SIGKILL");
      case SIGNAL_BASE + 11 -> codeOr(code, "SIGSEGV");
      case SIGNAL_BASE + 13 -> codeOr(code, "SIGPIPE");
      case TERMINATED -> codeOr(code, "SIGTERM");
      default -> "exited with code " + code;
    };
  }

  private static String codeOr(int code, String signal) {
    return "ended with " + code + " (exit code or " + signal + ")";
  }
}
