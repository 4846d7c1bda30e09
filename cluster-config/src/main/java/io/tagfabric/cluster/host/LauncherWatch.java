package io.tagfabric.cluster.host;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells a rank when its launcher is gone, however it ended.
 *
 * <p>Looks once a second; {@link ProcessHandle#onExit} looks ever more rarely at a process that is
 * no child, down to once in 5 s, and takes one nobody reaps for alive.
 */
public final class LauncherWatch implements AutoCloseable {
  private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

  private final ProcessId launcher;
  private final Runnable whenGone;
  private final Thread thread;
  private volatile boolean closed;

  private LauncherWatch(ProcessId launcher, Runnable whenGone) {
    this.launcher = launcher;
    this.whenGone = whenGone;
    this.thread = new Thread(this::watch, "launcher-watch");
    this.thread.setDaemon(true);
  }

  /**
   * Starts to watch a process, on a thread of its own.
   *
   * @param pid the launcher, 0 if the job has none; then nothing is watched
   * @param whenGone run once on that thread, at once if the process is gone already
   */
  public static LauncherWatch start(long pid, Runnable whenGone) {
    ProcessId launcher = ProcessId.find(pid).orElse(new ProcessId(pid, -1));
    LauncherWatch watch = new LauncherWatch(launcher, whenGone);
    if (pid != 0) {
      watch.thread.start();
    }
    return watch;
  }

  /** Ends the watch. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void watch() {
    while (!closed) {
      if (!launcher.isAlive()) {
        whenGone.run();
        return;
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }
}
