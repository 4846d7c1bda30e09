package io.tagfabric.trials.fuzz;

import io.tagfabric.trials.fuzz.Violation.Promise;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Attacks over one provider for some time. A thread of its own does it, and another one looks
 * whether it still comes round: a pass may never end.
 */
final class FuzzRun {
  /** Opening and closing domains may take some seconds. */
  private static final long HANG_NS = TimeUnit.SECONDS.toNanos(45);

  private static final long LOOK_MS = 200;

  private final String provider;
  private final boolean secure;
  private final long seed;
  private final long durationNs;
  private final Consumer<FuzzCounts> progress;
  private final FuzzCounts counts = new FuzzCounts();
  private volatile long beatNs;

  /**
   * @param secure whether the connections are encrypted
   * @param progress is shown the counts now and then
   */
  FuzzRun(
      String provider, boolean secure, long seed, long durationNs, Consumer<FuzzCounts> progress) {
    this.provider = provider;
    this.secure = secure;
    this.seed = seed;
    this.durationNs = durationNs;
    this.progress = progress;
  }

  FuzzCounts counts() {
    return counts;
  }

  /** Attacks; the violation found, null if there was none. */
  Violation run() {
    beatNs = System.nanoTime();
    FutureTask<Violation> attack = new FutureTask<>(this::attack);
    Thread thread = new Thread(attack, "fuzz-" + provider);
    thread.setDaemon(true);
    thread.start();
    while (true) {
      try {
        return attack.get(LOOK_MS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException later) {
        if (System.nanoTime() - beatNs > HANG_NS) {
          return new Violation(Promise.END, "nothing moves any more: " + thread.getStackTrace()[0]);
        }
        progress.accept(counts);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new Violation(Promise.END, "interrupted");
      } catch (ExecutionException e) {
        throw new IllegalStateException("the fuzzer has failed", e.getCause());
      }
    }
  }

  private Violation attack() {
    try (LogErrors errors = new LogErrors();
        FuzzKeys keys = secure ? new FuzzKeys() : null;
        FuzzSystems systems = new FuzzSystems(provider, keys)) {
      SplittableRandom random = new SplittableRandom(seed * 31 + provider.hashCode());
      HeapWatch heap = new HeapWatch();
      long deadlineNs = System.nanoTime() + durationNs;
      do {
        round(systems, random, deadlineNs, errors);
        heap.roundEnded();
      } while (System.nanoTime() - deadlineNs < 0);
      return null;
    } catch (Violation violation) {
      return violation;
    } catch (RuntimeException | LinkageError failure) {
      return new Violation(Promise.LIFE, "it failed: " + failure, failure);
    } catch (OutOfMemoryError failure) {
      return new Violation(Promise.MEMORY, "it failed: " + failure, failure);
    }
  }

  private void round(
      FuzzSystems systems, SplittableRandom random, long deadlineNs, LogErrors errors) {
    beatNs = System.nanoTime();
    FuzzRound round =
        new FuzzRound(
            systems,
            random.split(),
            counts,
            () -> {
              beatNs = System.nanoTime();
              errors.requireNone();
            });
    try {
      round.run(deadlineNs);
    } finally {
      round.close();
    }
    errors.requireNone();
  }
}
