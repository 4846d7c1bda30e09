package io.tagfabric.testkit;

import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.ProgressLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits that drive a loop and end by the machine's clock, whatever the loop's own says. */
final class Waits {
  /** How long a test waits for what should come unless it says otherwise. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final long FAR_NS = TimeUnit.DAYS.toNanos(365);

  /** Conditions may come true on other threads, which wake nobody. */
  private static final IdlePolicy IDLE = new IdlePolicy(0, 50_000, 1_000_000);

  private Waits() {}

  /** Waits for a condition; false after the timeout or an interrupt. */
  static boolean until(ProgressLoop loop, BooleanSupplier condition, Duration timeout) {
    long beginNs = System.nanoTime();
    long timeoutNs = timeout.toNanos();
    boolean[] met = new boolean[1];
    loop.await(
        () -> {
          met[0] = condition.getAsBoolean();
          return met[0] || System.nanoTime() - beginNs >= timeoutNs;
        },
        loop.time().nanoTime() + FAR_NS,
        IDLE);
    return met[0];
  }

  /**
   * The result of a stage.
   *
   * @param details for the text
   * @throws AssertionError if there is none in time
   */
  static <T> T result(
      ProgressLoop loop, CompletionStage<T> stage, Duration timeout, String details) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (!until(loop, future::isDone, timeout)) {
      throw new AssertionError("the stage has not ended within " + text(timeout) + details);
    }
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Waits without driving anything, for the end of a whole system. */
  static void ended(CompletionStage<?> stage, Duration timeout) {
    stage.toCompletableFuture().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  /** For people: {@code 3 s}, {@code 100 ms}. */
  static String text(Duration duration) {
    return duration.toMillis() % 1_000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }
}
