package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ResidentRestTest {
  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

  private final ResidentRest rest = new ResidentRest(this, TimeSource.SYSTEM);

  @Test
  void shouldRestUntilTheTimeThoughItIsUnparked() {
    LockSupport.unpark(Thread.currentThread());
    long untilNs = System.nanoTime() + 2_000_000;

    assertThat(rest.until(untilNs)).isTrue();
    assertThat(System.nanoTime() - untilNs).isNotNegative();
  }

  @Test
  void shouldNotRestWhenTheTimeIsOverOrTheEndCameBefore() {
    assertThat(rest.until(System.nanoTime())).isFalse();
    rest.end();
    assertThat(rest.until(System.nanoTime() + HOUR_NS)).isFalse();
    assertThat(rest.until(System.nanoTime() + 1_000)).as("an end is for one rest").isTrue();
  }

  @Test
  void shouldEndWhenAnotherThreadSaysSo() throws InterruptedException {
    Thread thread = new Thread(() -> rest.until(System.nanoTime() + HOUR_NS));
    thread.start();
    while (LockSupport.getBlocker(thread) != this) {
      Thread.yield();
    }

    rest.end();

    thread.join(60_000);
    assertThat(thread.isAlive()).isFalse();
  }

  @Test
  void shouldEndWhenInterrupted() throws InterruptedException {
    Thread thread = new Thread(() -> rest.until(System.nanoTime() + HOUR_NS));
    thread.start();
    thread.interrupt();

    thread.join(60_000);
    assertThat(thread.isAlive()).isFalse();
  }
}
