package io.tagfabric.cluster.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A process that can be told from a later one with the same pid. Written {@code pid-start}.
 *
 * @param pid number the operating system gave it
 * @param startMs when it started, in milliseconds of the epoch; 0 if the system does not tell
 */
public record ProcessId(long pid, long startMs) {

  /** This process. */
  public static ProcessId current() {
    return of(ProcessHandle.current());
  }

  public static ProcessId of(ProcessHandle process) {
    return new ProcessId(process.pid(), startOf(process));
  }

  /** The process that has the pid now. */
  static Optional<ProcessId> find(long pid) {
    return ProcessHandle.of(pid).map(ProcessId::of);
  }

  /** The process of a text that {@link #toString} has written; empty if it is none. */
  public static Optional<ProcessId> parse(String text) {
    int dash = text.indexOf('-');
    try {
      return Optional.of(
          new ProcessId(
              Long.parseLong(text.substring(0, Math.max(0, dash))),
              Long.parseLong(text.substring(dash + 1))));
    } catch (NumberFormatException foreign) {
      return Optional.empty();
    }
  }

  /** Whether it still runs. */
  public boolean isAlive() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(process -> startMs == 0 || startOf(process) == startMs)
        .filter(process -> !isZombie())
        .isPresent();
  }

  /** A process that has ended but whose parent never asks for its code counts as dead. */
  private boolean isZombie() {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // the name in parentheses may hold anything; the state is the letter after it
      int state = stat.lastIndexOf(')') + 2;
      return state < stat.length() && (stat.charAt(state) == 'Z' || stat.charAt(state) == 'X');
    } catch (IOException noProcFileSystem) {
      return false;
    }
  }

  private static long startOf(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  @Override
  public String toString() {
    return pid + "-" + startMs;
  }
}
