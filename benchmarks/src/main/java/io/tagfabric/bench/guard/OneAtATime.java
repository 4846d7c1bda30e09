package io.tagfabric.bench.guard;

import io.tagfabric.cluster.job.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Runs commands, never two at the same time, and leaves none of them when this process ends, by a
 * signal too. Thread: one.
 */
final class OneAtATime implements AutoCloseable {
  private static final Duration END_TIME = Duration.ofSeconds(20);

  private final Duration patience;
  private final Thread hook = new Thread(this::endForGood, "end-of-guard");
  private Process running;
  private boolean ending;

  /** How a command has ended, and what it has printed. */
  record Ended(int code, String out, String err) {}

  /**
   * @param patience how long a command may take
   */
  OneAtATime(Duration patience) {
    this.patience = patience;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Runs a command to its end.
   *
   * @throws BuildException if it cannot be started, or has taken too long and was ended
   * @throws InterruptedException if the user has pressed Ctrl-C, or this process ends
   */
  Ended run(List<String> words) throws BuildException, InterruptedException {
    try {
      Process process = start(words);
      try {
        process.getOutputStream().close();
        CompletableFuture<String> out = text(process.getInputStream());
        CompletableFuture<String> err = text(process.getErrorStream());
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new BuildException("it has not ended within " + patience.toSeconds() + " s");
        }
        requireGoingOn(process.exitValue());
        return new Ended(process.exitValue(), printed(out), printed(err));
      } finally {
        end(process);
      }
    } catch (IOException failure) {
      throw new BuildException(failure.getMessage(), failure);
    }
  }

  private synchronized Process start(List<String> words) throws IOException, InterruptedException {
    if (ending) {
      throw new InterruptedException("this process ends");
    }
    running = new ProcessBuilder(words).start();
    return running;
  }

  /** Ctrl-C goes to the command as well, which may end before this process hears of it. */
  private synchronized void requireGoingOn(int code) throws InterruptedException {
    if (ending || code == ExitCode.INTERRUPTED) {
      throw new InterruptedException("Ctrl-C");
    }
  }

  private static CompletableFuture<String> text(InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return new String(stream.readAllBytes(), Charset.defaultCharset());
          } catch (IOException closed) {
            throw new UncheckedIOException(closed);
          }
        });
  }

  /** What a child of the command holds open is not waited for. */
  private static String printed(CompletableFuture<String> text)
      throws BuildException, InterruptedException {
    try {
      return text.get(END_TIME.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | CompletionException | TimeoutException failure) {
      throw new BuildException("what it printed has no end", failure);
    }
  }

  /** Ends what runs; nothing is started after it. */
  void endForGood() {
    Process last;
    synchronized (this) {
      ending = true;
      last = running;
    }
    if (last != null) {
      end(last);
    }
  }

  /** Ends a command and all that it has started. */
  private static void end(Process process) {
    List<ProcessHandle> family;
    try (Stream<ProcessHandle> descendants = process.descendants()) {
      family = descendants.toList();
    }
    process.destroy();
    try {
      if (!process.waitFor(END_TIME.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    family.forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyEnding) {
      return;
    }
  }
}
