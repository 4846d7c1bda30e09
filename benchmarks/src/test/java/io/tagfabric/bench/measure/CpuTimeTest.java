package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CpuTimeTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long WORK_NS = TimeUnit.MILLISECONDS.toNanos(30);

  private final CpuTime cpu = new CpuTime();

  private static void work() {
    long endNs = THREADS.getCurrentThreadCpuTime() + WORK_NS;
    while (THREADS.getCurrentThreadCpuTime() < endNs) {
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldCountWhatTheCallingThreadTakes() {
    work(); // before it begins
    cpu.begin();
    work();

    CpuTime.Spent spent = cpu.end();

    assertThat(spent.ownNs()).isGreaterThanOrEqualTo(WORK_NS);
    assertThat(spent.allNs()).isEqualTo(spent.ownNs() + spent.othersNs());
  }

  @Test
  void shouldCountThreadsThatBeganMeanwhileAsOthers() throws InterruptedException {
    CountDownLatch counted = new CountDownLatch(1);
    CountDownLatch worked = new CountDownLatch(1);
    Thread other =
        new Thread(
            () -> {
              work();
              worked.countDown();
              await(counted);
            },
            "works");
    cpu.begin();
    other.start();
    worked.await();

    CpuTime.Spent spent = cpu.end();

    counted.countDown();
    other.join();
    assertThat(spent.othersNs()).isGreaterThanOrEqualTo(WORK_NS);
    assertThat(spent.ownNs()).isLessThan(spent.othersNs());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
