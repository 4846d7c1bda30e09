package io.tagfabric.exit;

import io.tagfabric.annotation.InternalApi;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * Ends a process whose graceful exit hangs: shows what its threads do, then halts. A thread of its
 * own, so it works while all dispatchers are blocked.
 */
@InternalApi
public final class Watchdog {
  /** Between the picture of the threads and the end. */
  private static final Duration LAST_CHANCE = Duration.ofMillis(500);

  private Watchdog() {}

  /**
   * Starts to watch; there is no way to stop it but the end of the process.
   *
   * @param rank for the message
   * @param patience how long the exit may take
   * @param code the process ends with, asked when that is over
   */
  public static void arm(int rank, Duration patience, IntSupplier code) {
    Thread thread = new Thread(() -> watch(rank, patience, code), "tagfabric-watchdog");
    thread.setDaemon(true);
    thread.start();
  }

  private static void watch(int rank, Duration patience, IntSupplier code) {
    sleep(patience);
    int last = code.getAsInt();
    Thread dump = new Thread(() -> dump(rank, patience, last), "tagfabric-watchdog-dump");
    dump.setDaemon(true);
    dump.start();
    // a blocked error stream must not save the process
    sleep(LAST_CHANCE);
    Runtime.getRuntime().halt(last);
  }

  private static void dump(int rank, Duration patience, int code) {
    StringBuilder text = new StringBuilder();
    text.append("rank ").append(rank).append(": the exit hangs for ");
    text.append(patience.toMillis()).append(" ms, so the process is halted with code ");
    text.append(code).append("; its threads:\n");
    for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
      text.append("  ").append(each.getKey().getName());
      text.append(" [").append(each.getKey().getState()).append("]\n");
      for (StackTraceElement frame : each.getValue()) {
        text.append("    at ").append(frame).append('\n');
      }
    }
    System.err.print(text);
    System.err.flush();
  }

  private static void sleep(Duration time) {
    long endNs = System.nanoTime() + time.toNanos();
    for (long leftNs = time.toNanos(); leftNs > 0; leftNs = endNs - System.nanoTime()) {
      LockSupport.parkNanos(leftNs);
    }
  }
}
