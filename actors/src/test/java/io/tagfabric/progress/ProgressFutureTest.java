package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Nobody drives the loop here but the waits themselves. */
class ProgressFutureTest {
  private static final IdlePolicy HOUR = new IdlePolicy(0, 0, 3_600_000_000_000L);

  private final ProgressLoop loop = new ProgressLoop(TimeSource.SYSTEM);
  private final ProgressFuture<String> future = new ProgressFuture<>(loop, HOUR);

  @Test
  void shouldDriveTheLoopWhenWaitedFor() throws Exception {
    loop.execute(() -> future.complete("done"));

    assertThat(future.get()).isEqualTo("done");
    assertThat(future.join()).isEqualTo("done");
    assertThat(future.get(1, TimeUnit.NANOSECONDS)).isEqualTo("done");
  }

  @Test
  void shouldDriveWhenADependentIsWaitedFor() {
    CompletableFuture<Integer> dependent =
        future.thenApply(String::length).thenCompose(CompletableFuture::completedFuture);
    loop.execute(() -> future.complete("done"));

    assertThat(dependent.join()).isEqualTo(4);
  }

  @Test
  void shouldWakeWhenAnotherThreadCompletes() throws Exception {
    for (int i = 0; i < 200; i++) {
      ProgressFuture<Integer> each = new ProgressFuture<>(loop, HOUR);
      int number = i;
      Thread thread = new Thread(() -> each.complete(number));
      thread.start();
      assertThat(each.get()).isEqualTo(i);
      thread.join();
    }
  }

  @Test
  void shouldThrowWhatItFailedWith() {
    loop.execute(() -> future.completeExceptionally(new IllegalStateException("broken")));

    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(future::get)
        .withCauseInstanceOf(IllegalStateException.class);
    assertThatExceptionOfType(CompletionException.class).isThrownBy(future::join);
  }

  @Test
  void shouldTimeOutWhenNothingCompletesIt() {
    assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(() -> future.get(1, TimeUnit.MILLISECONDS))
        .withMessage("not done within 1 MILLISECONDS");
  }

  @Test
  void shouldThrowWhenAGetIsInterrupted() {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class).isThrownBy(future::get);

    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> future.get(1, TimeUnit.HOURS));
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void shouldGoOnDrivingWhenAJoinIsInterrupted() {
    loop.execute(() -> loop.execute(() -> future.complete("done")));
    Thread.currentThread().interrupt();

    assertThat(future.join()).isEqualTo("done");

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void shouldRefuseToWaitWhenInsideAPass() {
    loop.execute(
        () -> assertThatExceptionOfType(IllegalStateException.class).isThrownBy(future::join));

    assertThat(loop.advance()).isEqualTo(1);
  }
}
