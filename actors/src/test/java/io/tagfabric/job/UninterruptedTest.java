package io.tagfabric.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UninterruptedTest {
  @AfterEach
  void clear() {
    Thread.interrupted();
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
