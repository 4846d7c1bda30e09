package io.tagfabric.launch;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.tagfabric.cluster.host.HostDirectory;
import io.tagfabric.cluster.host.HostLock;
import io.tagfabric.cluster.host.MediaDriverDirectory;
import io.tagfabric.cluster.job.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.SigInt;

/**
 * The media driver that all ranks of a host share, as a process of its own.
 *
 * <p>When its standard input ends, or SIGTERM comes, its starter is gone. Then it stays until the
 * last user has gone, removes its directory and ends. It says nothing; that it is ready shows in
 * its heartbeat.
 */
final class MediaDriverMain {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(200);

  private final MediaDriverDirectory directory;
  private final Thread looker = Thread.currentThread();
  private volatile boolean starterGone;

  private MediaDriverMain(MediaDriverDirectory directory) {
    this.directory = directory;
  }

  /**
   * Runs the driver until nobody needs it.
   *
   * @param args the host directory
   */
  public static void main(String[] args) {
    // Ctrl-C reaches the whole group of processes; the ranks need the driver until they have ended
    SigInt.register(() -> {});
    try {
      new MediaDriverMain(MediaDriverDirectory.of(HostDirectory.at(Path.of(args[0])))).run();
    } catch (RuntimeException | Error failure) {
      // a process that is left by threads of a broken driver would pass for one that serves
      System.err.println("the media driver failed: " + failure);
      Runtime.getRuntime().halt(ExitCode.FAILED);
    }
  }

  private void run() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::endAfterUsers, "end-after-users"));
    HostLock lock = null;
    try {
      MediaDriver driver = MediaDriver.launch(context());
      try {
        start("starter", this::awaitEndOfInput);
        lock = stayWhileUsed();
      } finally {
        driver.close();
      }
      directory.sweep();
      directory.host().removeIfUnused();
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
  }

  private MediaDriver.Context context() {
    return new MediaDriver.Context()
        .aeronDirectoryName(directory.aeron().toString())
        .dirDeleteOnStart(true)
        .dirDeleteOnShutdown(true)
        .warnIfDirectoryExists(false)
        .threadingMode(ThreadingMode.SHARED)
        .sharedIdleStrategy(
            new BackoffIdleStrategy(
                10, 20, TimeUnit.MICROSECONDS.toNanos(1), TimeUnit.MILLISECONDS.toNanos(1)))
        // a rank may be stopped or starved for a while; unblocking must wait longer than that
        .clientLivenessTimeoutNs(TimeUnit.SECONDS.toNanos(30))
        .publicationUnblockTimeoutNs(TimeUnit.SECONDS.toNanos(60));
  }

  /** Returns with the lock held, so that nobody comes to use what is about to be removed. */
  private HostLock stayWhileUsed() {
    while (true) {
      if (starterGone && !directory.hasUsers()) {
        HostLock lock = directory.host().lock();
        if (!directory.hasUsers()) {
          return lock;
        }
        lock.close();
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private void awaitEndOfInput() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException broken) {
      // a broken pipe is an end of input too
    }
    starterGone = true;
    LockSupport.unpark(looker);
  }

  /**
   * A signal may be meant for the job of the starter alone, whose group of processes this is in.
   */
  private void endAfterUsers() {
    starterGone = true;
    LockSupport.unpark(looker);
    try {
      looker.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }
}
