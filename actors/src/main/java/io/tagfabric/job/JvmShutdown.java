package io.tagfabric.job;

import io.tagfabric.annotation.InternalApi;
import io.tagfabric.cluster.job.ExitCode;
import java.util.Map;
import java.util.Optional;

/**
 * The end of this JVM, which a signal or a {@code System.exit} has begun. The JVM knows the code it
 * will end with and does not reveal it, so code that cuts it short must not end with 0.
 */
@InternalApi
public final class JvmShutdown {
  private static final Map<String, Integer> SIGNALS =
      Map.of(
          "SIGHUP handler", ExitCode.SIGNAL_BASE + 1,
          "SIGINT handler", ExitCode.INTERRUPTED,
          "SIGTERM handler", ExitCode.TERMINATED);

  private JvmShutdown() {}

  /** Whether it has begun, for whatever reason. */
  public static boolean hasBegun() {
    Thread probe = new Thread(() -> {}, "tagfabric-probe");
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException begun) {
      return true;
    }
  }

  /** The code of the signal that has begun it, if it was one; later callers are blocked. */
  static Optional<Integer> signal() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getState() != Thread.State.BLOCKED)
        .map(thread -> SIGNALS.get(thread.getName()))
        .filter(code -> code != null)
        .findFirst();
  }

  /** What to end with when it does not come to its end. */
  static int codeWhenCutShort() {
    return signal().orElse(ExitCode.TIMEOUT);
  }
}
