package io.tagfabric.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class StolenTimeTest {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  private String line = "cpu  100 2 30 1000 5 0 1 50 7 0";

  private final StolenTime stolen = new StolenTime(() -> line);

  @Test
  void shouldTellThePartOfAllTimeSinceLast() {
    line = "cpu  130 2 30 1060 5 0 1 60 900 0"; // 30 + 60 + 10 ticks; guest time is counted twice

    assertThat(stolen.percentSinceLast()).hasValue(10);

    line = "cpu  230 2 30 1060 5 0 1 60 900 0";
    assertThat(stolen.percentSinceLast()).hasValue(0);
  }

  @Test
  void shouldNotKnowBeforeATickHasPassed() {
    assertThat(stolen.percentSinceLast()).isEmpty();
  }

  @Test
  void shouldNotKnowWhereTheSystemDoesNotSay() {
    line = "";
    assertThat(stolen.percentSinceLast()).isEmpty();

    line = "cpu  1 2 3 4"; // Linux before 2.6.11
    assertThat(new StolenTime(() -> line).percentSinceLast()).isEmpty();
  }

  @Test
  void shouldReadThisMachine() {
    assumeTrue(Files.exists(Path.of("/proc/stat")), "only Linux counts it");
    StolenTime here = StolenTime.ofMachine();

    OptionalDouble percent = OptionalDouble.empty();
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    while (percent.isEmpty()) { // until the system has counted a tick
      assertThat(System.nanoTime() - deadlineNs).as("no tick in 60 s").isNegative();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      percent = here.percentSinceLast();
    }

    assertThat(percent.getAsDouble()).isBetween(0.0, 100.0);
  }
}
