package io.tagfabric.job;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.error.FabricException;
import io.tagfabric.exit.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Ends the process of a rank and says why. The one place of the job that prints or exits. */
final class ProcessExit {
  private static final Duration EXIT = Duration.ofSeconds(8);
  private static final Duration OTHERS_EXIT = Duration.ofSeconds(15);
  private static final Duration FAREWELL = Duration.ofMillis(1500);

  private ProcessExit() {}

  /**
   * Ends a process that could not become a rank; nothing of a half-started system holds it up.
   *
   * @param farewell tells the others; has a moment for it
   */
  static void startFailed(int rank, Throwable failure, boolean debug, Runnable farewell) {
    say(rank, sentence(failure));
    if (debug) {
      failure.printStackTrace();
    }
    takeLeave(farewell);
    halt(ExitCode.FAILED);
  }

  /** Says why a program failed; where, only if it is asked for or no one expected the failure. */
  static void programFailed(int rank, Throwable failure, boolean debug) {
    Throwable cause = unwrapped(failure);
    boolean expected = cause instanceof FabricException || cause instanceof SettingsException;
    say(rank, expected ? cause.getMessage() : cause.toString());
    if (debug || !expected) {
      cause.printStackTrace();
    }
  }

  /**
   * Ends a rank whose launcher is gone.
   *
   * @param farewell removes what the launcher would have removed; has a moment for it
   */
  static void launcherGone(int rank, Runnable farewell) {
    say(rank, "the launcher is gone, so this rank ends");
    takeLeave(farewell);
    halt(ExitCode.FAILED);
  }

  private static void takeLeave(Runnable farewell) {
    FutureTask<Void> parting = new FutureTask<>(farewell, null);
    Thread thread = new Thread(parting, "tagfabric-farewell");
    thread.setDaemon(true);
    thread.start();
    Uninterrupted.await(parting, FAREWELL);
  }

  /** Ends the process with a code, whatever shutdown hooks do. */
  static void exit(int rank, int code) {
    exit(rank, code, () -> {});
  }

  /**
   * The same after a last task, which may hang. If the process is being ended by somebody else
   * already, that end and its code stand, and its shutdown hooks get more time.
   */
  static void exit(int rank, int code, Runnable last) {
    if (JvmShutdown.hasBegun()) {
      Watchdog.arm(rank, OTHERS_EXIT, JvmShutdown::codeWhenCutShort);
    } else {
      Watchdog.arm(rank, EXIT, () -> code);
    }
    try {
      last.run();
    } finally {
      System.exit(code);
    }
  }

  static void halt(int code) {
    System.out.flush();
    System.err.flush();
    Runtime.getRuntime().halt(code);
  }

  static void say(int rank, String text) {
    System.err.println("rank " + rank + ": " + text);
  }

  /** One sentence out of a failure and its causes, which often say the same. */
  static String sentence(Throwable failure) {
    List<String> parts = new ArrayList<>();
    for (Throwable at = unwrapped(failure); at != null && parts.size() < 4; at = at.getCause()) {
      String text = text(at);
      if (parts.stream().noneMatch(part -> part.contains(text))) {
        parts.removeIf(text::contains);
        parts.add(text);
      }
    }
    return String.join(": ", parts).replaceAll("\\s*\\R\\s*", " ");
  }

  private static String text(Throwable at) {
    String message = at.getMessage();
    return message == null || message.isBlank() ? at.getClass().getSimpleName() : message.strip();
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable at = failure;
    while ((at instanceof CompletionException || at instanceof ExecutionException)
        && at.getCause() != null) {
      at = at.getCause();
    }
    return at;
  }
}
