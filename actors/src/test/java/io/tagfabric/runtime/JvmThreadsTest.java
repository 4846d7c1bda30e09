package io.tagfabric.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.support.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JvmThreadsTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final Threads threads = Environment.REAL.threads();

  @AfterEach
  void clear() {
    Thread.interrupted();
  }

  @Test
  void shouldWaitOnAThreadThatIsInterruptedAndLeaveItSo() throws InterruptedException {
    CompletableFuture<Void> never = new CompletableFuture<>();
    CountDownLatch waits = new CountDownLatch(1);
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread waiter =
        threads.start(
            "waiter",
            () -> {
              Thread.currentThread().interrupt();
              waits.countDown();
              boolean ended = threads.await(never, LONG);
              result.complete(ended && Thread.currentThread().isInterrupted());
            });
    waits.await();
    Await.until("it waits", () -> waiter.getState() == Thread.State.TIMED_WAITING);
    waiter.interrupt();
    never.complete(null);

    assertThat(Await.get(result)).isTrue();
  }

  @Test
  void shouldSayWhatDidNotEndWell() {
    CompletableFuture<Void> failed = CompletableFuture.failedFuture(new TimeoutException());
    CompletableFuture<Void> cancelled = new CompletableFuture<>();
    cancelled.cancel(false);

    assertThat(threads.await(failed, LONG)).isFalse();
    assertThat(threads.await(cancelled, LONG)).isFalse();
    assertThat(threads.await(new CompletableFuture<>(), Duration.ofMillis(1))).isFalse();
  }

  @Test
  void shouldStartNamedThreadsThatKeepTheProcessOnlyIfWanted() {
    CompletableFuture<Thread> daemon = new CompletableFuture<>();
    CompletableFuture<Thread> vital = new CompletableFuture<>();
    threads.start("daemon", () -> daemon.complete(Thread.currentThread()));
    Thread started = threads.start("vital", false, () -> vital.complete(Thread.currentThread()));

    assertThat(Await.get(daemon).isDaemon()).isTrue();
    assertThat(Await.get(daemon).getName()).isEqualTo("daemon");
    assertThat(Await.get(vital)).isSameAs(started);
    assertThat(started.isDaemon()).isFalse();
    threads.await(started);
    assertThat(started.isAlive()).isFalse();
  }

  @Test
  void shouldEndTheWaitForAThreadWhenInterrupted() {
    CountDownLatch never = new CountDownLatch(1);
    Thread other =
        threads.start(
            "other",
            () -> {
              try {
                never.await();
              } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
              }
            });
    Thread.currentThread().interrupt();

    threads.await(other);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(other.isAlive()).isTrue();
    other.interrupt();
    threads.await(other);
  }
}
