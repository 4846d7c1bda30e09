package io.tagfabric.launch;

import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.HostLock;
import io.tagfabric.cluster.host.LaunchException;
import io.tagfabric.cluster.host.MediaDriverDirectory;
import io.tagfabric.cluster.host.ProcessId;
import io.tagfabric.cluster.host.Room;
import io.tagfabric.cluster.profile.AeronTuning;
import io.tagfabric.launch.output.LineCopier;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
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
  private static final long COPY_PATIENCE_MS = 500;

  private final MediaDriverDirectory directory;
  private final InetAddress address;
  private final Map<String, String> environment;
  private volatile Optional<Process> started = Optional.empty();
  private volatile Optional<ProcessHandle> serving = Optional.empty();
  private volatile Optional<LineCopier> complaints = Optional.empty();

  private MediaDriverProcess(
      MediaDriverDirectory directory, InetAddress address, Map<String, String> environment) {
    this.directory = directory;
    this.address = address;
    this.environment = environment;
  }

  /**
   * Starts a driver unless a living one is there; does not wait until it is ready.
   *
   * @param address whose interface says how long a datagram may be
   * @throws LaunchException if the process cannot be started
   */
  static MediaDriverProcess startOrJoin(
      HostDirectory host, InetAddress address, Map<String, String> environment) {
    MediaDriverProcess driver =
        new MediaDriverProcess(MediaDriverDirectory.of(host), address, environment);
    driver.startOrJoin();
    return driver;
  }

  private void startOrJoin() {
    HostLock lock = directory.host().lock();
    try {
      directory.host().sweepJobs();
      if (!isDriverAlive()) {
        directory.sweep();
        Room.requireForDriver(directory.host().path());
        Process process = spawn();
        directory.writeDriver(ProcessId.of(process.toHandle()), ProcessId.current());
        complaints =
            Optional.of(
                LineCopier.start(
                    process.getErrorStream(), REMEMBERED_LINES, "media-driver-errors"));
        started = Optional.of(process);
      }
      directory.add(ProcessId.current());
    } finally {
      lock.close();
    }
  }

  private boolean isDriverAlive() {
    return directory.driver().filter(ProcessId::isAlive).isPresent();
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
   * Waits until clients can connect. If the driver that was joined has ended meanwhile, starts one.
   *
   * @throws LaunchException if the driver ends first, or takes more than 30 s
   */
  void awaitReady() throws InterruptedException {
    long deadlineNs = System.nanoTime() + READY_WITHIN.toNanos();
    while (directory.findActive().isEmpty()) {
      boolean ended = started.filter(process -> !process.isAlive()).isPresent();
      if (ended || System.nanoTime() - deadlineNs > 0) {
        throw new LaunchException(ended ? failedStart() : silence());
      }
      if (started.isEmpty() && !isDriverAlive()) {
        startOrJoin();
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_NS);
    }
    serving =
        directory
            .driver()
            .filter(ProcessId::isAlive)
            .flatMap(driver -> ProcessHandle.of(driver.pid()));
  }

  /** Whether the driver is a child of this process. */
  boolean isStarted() {
    return started.isPresent();
  }

  /** Completes when the driver that was ready ends, whichever process has started it. */
  CompletionStage<?> onExit() {
    return serving
        .<CompletionStage<?>>map(ProcessHandle::onExit)
        .orElseGet(() -> CompletableFuture.completedStage(null));
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
        cleanAfterBoth();
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
    if (directory.hasUsers() || process.waitFor(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
      cleanAfter(process);
      return;
    }
    // somebody may have come to use it meanwhile; else it hangs
    if (!directory.hasUsers()) {
      process.destroyForcibly().waitFor();
      cleanAfter(process);
    }
  }

  /** Removes what is left when neither the driver nor its starter could do it. */
  private void cleanAfterBoth() {
    directory
        .host()
        .whileLockedIfThere(
            () -> {
              if (!isDriverAlive() && !directory.hasUsers()) {
                directory.sweep();
                directory.host().removeIfUnused();
              }
            });
  }

  /** Removes what a driver left that could not do it itself. */
  private void cleanAfter(Process process) {
    if (process.isAlive() || !isOf(process)) {
      return;
    }
    directory
        .host()
        .whileLockedIfThere(
            () -> {
              if (isOf(process)) {
                directory.sweep();
                directory.host().removeIfUnused();
              }
            });
  }

  private boolean isOf(Process process) {
    return directory.driver().filter(driver -> driver.pid() == process.pid()).isPresent();
  }

  private String failedStart() throws InterruptedException {
    complaints.orElseThrow().awaitEnd(COPY_PATIENCE_MS);
    return "the media driver in " + aeronDirectory() + " did not start" + said();
  }

  private String silence() {
    String pid = directory.driver().map(driver -> Long.toString(driver.pid())).orElse("unknown");
    return "the media driver (pid "
        + pid
        + ") in "
        + aeronDirectory()
        + " gives no sign of life, end it by kill -9 and try again"
        + said();
  }

  private static void awaitEnd(Optional<ProcessId> driver) {
    long deadline = System.nanoTime() + END_WITHIN.toNanos();
    while (driver.filter(ProcessId::isAlive).isPresent() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private Process spawn() {
    List<String> flags = new ArrayList<>(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
    flags.addAll(AeronTuning.jvmFlags(address));
    List<String> command =
        JavaCommand.of(
            environment,
            flags,
            MediaDriverMain.class.getName(),
            List.of(directory.host().path().toString()));
    try {
      return new ProcessBuilder(privately(command))
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException failure) {
      throw new LaunchException(
          "cannot start the media driver, " + String.join(" ", command), failure);
    }
  }

  /** Aeron makes its files with what the umask lets through, and Java cannot change that. */
  private static List<String> privately(List<String> command) {
    List<String> words =
        new ArrayList<>(List.of("/bin/sh", "-c", "umask 077 && exec \"$@\"", "media-driver"));
    words.addAll(command);
    return words;
  }
}
