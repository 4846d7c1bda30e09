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

  /** Says how a process ended: {@code exited with code 3}, {@code was killed by SIGKILL}. */
  public static String describe(int code) {
    return switch (code) {
      case OK -> "ended";
      case SIGNAL_BASE + 1 -> "was ended by SIGHUP";
      case INTERRUPTED -> "was ended by SIGINT";
      case SIGNAL_BASE + 3 -> "was ended by SIGQUIT";
      case SIGNAL_BASE + 6 -> "was aborted by SIGABRT";
      case SIGNAL_BASE + 7 -> "was killed by SIGBUS";
      case KILLED -> "was killed by SIGKILL";
      case SIGNAL_BASE + 11 -> "was killed by SIGSEGV";
      case SIGNAL_BASE + 13 -> "was killed by SIGPIPE";
      case TERMINATED -> "was ended by SIGTERM";
      default -> "exited with code " + code;
    };
  }
}
