package io.tagfabric.trials.exit;

import io.tagfabric.job.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.LockSupport;
import org.agrona.UnsafeAccess;

/** What a process does to itself. */
final class ExitSignals {
  private ExitSignals() {}

  /** SIGINT, or SIGTERM where the former is ignored: a script starts background jobs so. */
  static void interruptSelf(Job job) {
    signal("INT");
    ExitCases.pause();
    if (!job.exits().hasBegun()) {
      signal("TERM");
    }
  }

  /** Cases 100 to 106. */
  static void crash(int number) {
    switch (number) {
      case 100 -> new Throwable("trace of the program").printStackTrace();
      case 102 -> throw ExitCases.fatal();
      case 103 -> die("ABRT");
      case 104 -> UnsafeAccess.UNSAFE.putLong(0L, 1L);
      case 105 -> die("BUS");
      case 106 -> die("FPE");
      default -> {
        return;
      }
    }
  }

  private static void die(String name) {
    signal(name);
    while (true) {
      LockSupport.park();
    }
  }

  private static void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(ProcessHandle.current().pid())).start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
