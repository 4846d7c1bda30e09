package io.tagfabric.job;

import io.tagfabric.cluster.job.ExitCode;
import io.tagfabric.cluster.settings.SettingsException;
import io.tagfabric.error.FabricException;
import io.tagfabric.exit.Watchdog;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.ProcessControl;
import java.io.PrintWriter;
import java.io.StringWriter;
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

  private final Environment environment;
  private final int rank;

  ProcessExit(Environment environment, int rank) {
    this.environment = environment;
    this.rank = rank;
  }

  /**
   * Ends a process that could not become a rank; nothing of a half-started system holds it up.
   *
   * @param farewell tells the others; has a moment for it
   */
  void startFailed(Throwable failure, boolean debug, Runnable farewell) {
    say(sentence(failure));
    if (debug) {
      sayTrace(failure);
    }
    takeLeave(farewell);
    halt(ExitCode.FAILED);
  }

  /** Says why a program failed; where, only if it is asked for or no one expected the failure. */
  void programFailed(Throwable failure, boolean debug) {
    Throwable cause = unwrapped(failure);
    boolean expected = cause instanceof FabricException || cause instanceof SettingsException;
    say(expected ? cause.getMessage() : cause.toString());
    if (debug || !expected) {
      sayTrace(cause);
    }
  }

  /**
   * Ends a rank whose launcher is gone.
   *
   * @param farewell removes what the launcher would have removed; has a moment for it
   */
  void launcherGone(Runnable farewell) {
    say("the launcher is gone, so this rank ends");
    takeLeave(farewell);
    halt(ExitCode.FAILED);
  }

  private void takeLeave(Runnable farewell) {
    FutureTask<Void> parting = new FutureTask<>(farewell, null);
    environment.threads().start("tagfabric-farewell", parting);
    environment.threads().await(parting, FAREWELL);
  }

  /** Ends the process with a code, whatever shutdown hooks do. */
  void exit(int code) {
    exit(code, () -> {});
  }

  /**
   * The same after a last task, which may hang. If the process is being ended by somebody else
   * already, that end and its code stand, and its shutdown hooks get more time.
   */
  void exit(int code, Runnable last) {
    ProcessControl process = environment.process();
    if (process.isEnding()) {
      // Only the JVM knows the code that it will end with, so what cuts it short is not 0.
      Watchdog.arm(environment, rank, OTHERS_EXIT, () -> process.signal().orElse(ExitCode.TIMEOUT));
    } else {
      Watchdog.arm(environment, rank, EXIT, () -> code);
    }
    try {
      last.run();
    } finally {
      process.exit(code);
    }
  }

  void halt(int code) {
    System.out.flush();
    System.err.flush();
    environment.process().halt(code);
  }

  void say(String text) {
    environment.process().say("rank " + rank + ": " + text);
  }

  private void sayTrace(Throwable failure) {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    environment.process().say(trace.toString().stripTrailing());
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
