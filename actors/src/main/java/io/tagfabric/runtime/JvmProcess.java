package io.tagfabric.runtime;

import io.tagfabric.cluster.host.ProcessId;
import io.tagfabric.cluster.job.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** This JVM. */
final class JvmProcess implements ProcessControl {
  /** Identifies this JVM. */
  static final String VM = UUID.randomUUID().toString();

  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
  private static final Map<String, Integer> SIGNALS =
      Map.of(
          "SIGHUP handler", ExitCode.SIGNAL_BASE + 1,
          "SIGINT handler", ExitCode.INTERRUPTED,
          "SIGTERM handler", ExitCode.TERMINATED);

  private volatile OptionalInt exitCode = OptionalInt.empty();

  @Override
  public String identity() {
    try {
      return Files.readSymbolicLink(NAMESPACE) + " " + ProcessId.current();
    } catch (IOException | UnsupportedOperationException notLinux) {
      return "";
    }
  }

  @Override
  public void exit(int code) {
    System.exit(code);
  }

  @Override
  public void halt(int code) {
    Runtime.getRuntime().halt(code);
  }

  @Override
  public void addShutdownHook(String name, Runnable hook) {
    Runtime.getRuntime().addShutdownHook(new Thread(hook, name));
  }

  @Override
  public boolean isEnding() {
    Thread probe = new Thread(() -> {}, "tagfabric-probe");
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException begun) {
      return true;
    }
  }

  /** The JVM runs the handler of a signal on a thread named after it; later ones are blocked. */
  @Override
  public Optional<Integer> signal() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getState() != Thread.State.BLOCKED)
        .map(thread -> SIGNALS.get(thread.getName()))
        .filter(Objects::nonNull)
        .findFirst();
  }

  @Override
  public void hearExit() {
    // an image of Java may lack the module
    if (ModuleLayer.boot().findModule("java.logging").isPresent()) {
      ExitLog.listen(this::exits);
    }
  }

  /** The first call counts; later ones, as of a shutdown hook, only wait for ever. */
  private synchronized void exits(int code) {
    if (exitCode.isEmpty()) {
      exitCode = OptionalInt.of(code);
    }
  }

  @Override
  public OptionalInt exitCode() {
    return exitCode;
  }

  @Override
  public void say(String line) {
    System.err.println(line);
  }
}
