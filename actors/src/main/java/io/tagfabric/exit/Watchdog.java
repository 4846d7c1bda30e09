package io.tagfabric.exit;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.ProcessControl;
import java.time.Duration;
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
   * @param environment whose process it is
   * @param rank for the message
   * @param patience how long the exit may take
   * @param code the process ends with, asked when that is over
   */
  public static void arm(Environment environment, int rank, Duration patience, IntSupplier code) {
    environment
        .threads()
        .start("tagfabric-watchdog", () -> watch(environment, rank, patience, code));
  }

  private static void watch(
      Environment environment, int rank, Duration patience, IntSupplier code) {
    sleep(environment.time(), patience);
    int last = code.getAsInt();
    ProcessControl process = environment.process();
    environment
        .threads()
        .start("tagfabric-watchdog-dump", () -> process.say(picture(rank, patience, last)));
    // a blocked error stream must not save the process
    sleep(environment.time(), LAST_CHANCE);
    process.halt(last);
  }

  private static String picture(int rank, Duration patience, int code) {
    StringBuilder text = new StringBuilder();
    text.append("rank ").append(rank).append(": the exit hangs for ");
    text.append(patience.toMillis()).append(" ms, so the process is halted with code ");
    text.append(code).append("; its threads:\n");
    return text.append(ThreadPicture.take()).toString();
  }

  private static void sleep(TimeSource clock, Duration time) {
    long endNs = clock.nanoTime() + time.toNanos();
    for (long leftNs = time.toNanos(); leftNs > 0; leftNs = endNs - clock.nanoTime()) {
      clock.park(clock, leftNs);
    }
  }
}
