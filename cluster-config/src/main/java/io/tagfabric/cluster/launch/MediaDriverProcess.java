package io.tagfabric.cluster.launch;

import io.tagfabric.cluster.profile.AeronTuning;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * This launcher's hold on the media driver of the host: it has started the driver, or uses the one
 * that another launcher has started. Closing gives the hold up.
 */
final class MediaDriverProcess implements AutoCloseable {
  private static final Duration READY_WITHIN = Duration.ofSeconds(30);
  private static final Duration END_WITHIN = Duration.ofSeconds(3);
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int REMEMBERED_LINES = 10;

  private final MediaDriverDirectory directory;
  private final Optional<Process> started;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CompletableFuture<Boolean> kept = new CompletableFuture<>();
  private final Optional<LineCopier> complaints;

  private MediaDriverProcess(MediaDriverDirectory directory, Optional<Process> started) {
    this.directory = directory;
    this.started = started;
    this.complaints =
        started.map(
            process ->
                LineCopier.start(
                    process.getErrorStream(),
                    OutputStream.nullOutputStream(),
                    this,
                    "",
                    REMEMBERED_LINES,
                    "media-driver-errors"));
  }

  /**
   * Starts a driver unless a living one is there; does not wait until it is ready.
   *
   * @throws LaunchException if the process cannot be started
   */
  static MediaDriverProcess startOrJoin(HostDirectory host, Map<String, String> environment) {
    MediaDriverDirectory directory = MediaDriverDirectory.of(host);
    HostLock lock = host.lock();
    try {
      host.sweepJobs();
      boolean joined = directory.driver().filter(ProcessId::isAlive).isPresent();
      if (joined) {
        directory.add(ProcessId.current());
        return new MediaDriverProcess(directory, Optional.empty());
      }
      directory.sweep();
      Process process = spawn(host, environment);
      directory.writeDriver(ProcessId.of(process.toHandle()), ProcessId.current());
      directory.add(ProcessId.current());
      MediaDriverProcess driver = new MediaDriverProcess(directory, Optional.of(process));
      driver.listen(process);
      return driver;
    } finally {
      lock.close();
    }
  }

  /** The directory that ranks get as their Aeron directory. */
  Path aeronDirectory() {
    return directory.aeron();
  }

  /** Registers a rank, so that the driver outlives this launcher until the rank has ended. */
  void add(ProcessId rank) {
    directory.add(rank);
  }

  /**
   * Waits until clients can connect.
   *
   * @throws LaunchException if the driver ends first, or takes more than 30 s
   */
  void awaitReady() throws InterruptedException {
    if (started.isEmpty()) {
      awaitHeartbeat();
      return;
    }
    try {
      ready.get(READY_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException failure) {
      complaints.orElseThrow().awaitEnd(500);
      throw new LaunchException(
          "the media driver in "
              + aeronDirectory()
              + " did not start"
              + (failure instanceof TimeoutException ? " within 30 s" : "")
              + said(),
          failure);
    }
  }

  /** Completes when a driver that this launcher has started ends by itself. */
  Optional<CompletionStage<Process>> onExit() {
    return started.map(Process::onExit);
  }

  /** What the driver has written to its error stream, ready to follow a sentence. */
  String said() {
    List<String> lines = complaints.map(LineCopier::lastLines).orElse(List.of());
    return lines.isEmpty() ? "" : ":\n  " + String.join("\n  ", lines);
  }

  /** Gives the driver up and waits for its end, unless others still use it. */
  @Override
  public void close() {
    directory.deregister();
    try {
      if (started.isPresent()) {
        closeStarted(started.get());
      } else if (!directory.hasUsers()
          && directory.starter().filter(ProcessId::isAlive).isEmpty()) {
        awaitEnd(directory.driver());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeStarted(Process process) throws InterruptedException {
    try {
      process.getOutputStream().close();
    } catch (IOException endedAlready) {
      // as if it had just heard of it
    }
    CompletableFuture<Object> settled = CompletableFuture.anyOf(kept, process.onExit());
    try {
      settled.get(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException stuck) {
      process.destroyForcibly().waitFor(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    }
    if (!process.isAlive()) {
      cleanAfter(process.pid());
    }
  }

  /** Removes what a driver left that could not do it itself. */
  private void cleanAfter(long pid) {
    if (directory.driver().filter(driver -> driver.pid() == pid).isEmpty()) {
      return;
    }
    directory
        .host()
        .whileLocked(
            () -> {
              if (directory.driver().filter(driver -> driver.pid() == pid).isPresent()) {
                directory.sweep();
                directory.host().removeIfUnused();
              }
            });
  }

  private void awaitHeartbeat() {
    long deadline = System.nanoTime() + READY_WITHIN.toNanos();
    while (directory.findActive().isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        String pid = directory.driver().map(driver -> Long.toString(driver.pid())).orElse("?");
        throw new LaunchException(
            "the media driver (pid "
                + pid
                + ") in "
                + aeronDirectory()
                + " gives no sign of life, kill it and try again");
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private static void awaitEnd(Optional<ProcessId> driver) {
    long deadline = System.nanoTime() + END_WITHIN.toNanos();
    while (driver.filter(ProcessId::isAlive).isPresent() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private void listen(Process process) {
    Thread listener = new Thread(() -> hear(process), "media-driver-listener");
    listener.setDaemon(true);
    listener.start();
  }

  private void hear(Process process) {
    try (BufferedReader words =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String word = words.readLine(); word != null; word = words.readLine()) {
        if (word.equals(MediaDriverMain.READY)) {
          ready.complete(null);
        } else if (word.equals(MediaDriverMain.KEPT)) {
          kept.complete(true);
        }
      }
    } catch (IOException closed) {
      // as at the end of the stream
    }
    ready.completeExceptionally(new IOException("the media driver has ended"));
  }

  private static Process spawn(HostDirectory host, Map<String, String> environment) {
    List<String> flags = new ArrayList<>(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
    flags.addAll(AeronTuning.jvmFlags());
    List<String> command =
        JavaCommand.of(
            environment, flags, MediaDriverMain.class.getName(), List.of(host.path().toString()));
    try {
      return new ProcessBuilder(command).start();
    } catch (IOException failure) {
      throw new LaunchException(
          "cannot start the media driver, " + String.join(" ", command), failure);
    }
  }
}
