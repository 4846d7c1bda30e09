package io.tagfabric.support;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what must come. */
public final class Await {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Await() {}

  /** Waits until a condition holds. */
  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  /** The value of a stage that must complete with one. */
  public static <T> T get(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("not within " + PATIENCE, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The failure of a stage that must fail. */
  public static Throwable failure(CompletionStage<?> stage) {
    try {
      Object value = stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      throw new AssertionError("completed with " + value);
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (TimeoutException e) {
      throw new AssertionError("not within " + PATIENCE, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
