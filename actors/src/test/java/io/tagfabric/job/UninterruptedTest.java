package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.runtime.Threads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UninterruptedTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @AfterEach
  void clear() {
    Thread.interrupted();
  }

  @Test
  void shouldWaitOnAThreadThatIsInterruptedAndLeaveItSo() throws Exception {
    CompletableFuture<Void> never = new CompletableFuture<>();
    CountDownLatch waits = new CountDownLatch(1);
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              waits.countDown();
              boolean ended = Threads.JVM.await(never, LONG);
              result.complete(ended && Thread.currentThread().isInterrupted());
            });
    waiter.start();
    waits.await();
    long deadlineNs = System.nanoTime() + LONG.toNanos();
    while (waiter.getState() != Thread.State.TIMED_WAITING && System.nanoTime() < deadlineNs) {
      Thread.onSpinWait();
    }
    waiter.interrupt();
    never.complete(null);

    assertThat(result.get(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldSayWhatDidNotEndWell() {
    CompletableFuture<Void> failed = CompletableFuture.failedFuture(new TimeoutException());

    assertThat(Threads.JVM.await(failed, LONG)).isFalse();
    assertThat(Threads.JVM.await(new CompletableFuture<>(), Duration.ofMillis(1))).isFalse();
  }

  @Test
  void shouldRunATaskThatDoesNotSeeTheInterrupt() {
    CompletableFuture<Boolean> seen = new CompletableFuture<>();
    Thread.currentThread().interrupt();
    Uninterrupted.run(() -> seen.complete(Thread.currentThread().isInterrupted()));

    assertThat(seen).isCompletedWithValue(false);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }
}
