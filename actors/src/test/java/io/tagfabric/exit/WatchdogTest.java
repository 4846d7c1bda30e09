package io.tagfabric.exit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.progress.TimeSource;
import io.tagfabric.runtime.Environment;
import io.tagfabric.runtime.ProcessControl;
import io.tagfabric.runtime.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A watchdog on the test's thread, by a clock that moves when it sleeps. */
class WatchdogTest {
  private static final long MS = 1_000_000;

  private final List<String> happened = new ArrayList<>();
  private long nowNs = 5;
  private String said = "";

  private final class Clock implements TimeSource {
    @Override
    public long nanoTime() {
      return nowNs;
    }

    /** Wakes too early, as it may. */
    @Override
    public void park(Object blocker, long maxNs) {
      assertThat(maxNs).isPositive();
      nowNs += Math.min(maxNs, 300 * MS);
    }
  }

  private final class Halted implements ProcessControl {
    @Override
    public String identity() {
      return "";
    }

    @Override
    public void exit(int code) {
      throw new AssertionError("runs hooks, which may hang");
    }

    @Override
    public void halt(int code) {
      happened.add("halt " + code + " at " + (nowNs - 5) / MS);
    }

    @Override
    public void addShutdownHook(String name, Runnable hook) {}

    @Override
    public boolean isEnding() {
      return false;
    }

    @Override
    public Optional<Integer> signal() {
      return Optional.empty();
    }

    @Override
    public void hearExit() {}

    @Override
    public OptionalInt exitCode() {
      return OptionalInt.empty();
    }

    @Override
    public void say(String line) {
      said = line;
      happened.add("picture at " + (nowNs - 5) / MS);
    }
  }

  private static final class Here implements Threads {
    @Override
    public Thread start(String name, boolean daemon, Runnable task) {
      assertThat(daemon).as("keeps no process from its end").isTrue();
      task.run();
      return Thread.currentThread();
    }

    @Override
    public boolean await(Future<?> future, Duration timeout) {
      throw new AssertionError("waits for nothing");
    }

    @Override
    public void await(Thread thread) {
      throw new AssertionError("waits for nothing");
    }

    @Override
    public <T> T join(CompletableFuture<T> future) {
      throw new AssertionError("waits for nothing");
    }
  }

  private final class World implements Environment {
    @Override
    public TimeSource time() {
      return new Clock();
    }

    @Override
    public ProcessControl process() {
      return new Halted();
    }

    @Override
    public Threads threads() {
      return new Here();
    }
  }

  @Test
  void shouldShowTheThreadsAndHaltWithTheCodeOfThatTime() {
    Watchdog.arm(new World(), 3, Duration.ofSeconds(1), () -> nowNs < 1000 * MS ? 1 : 7);

    assertThat(happened).containsExactly("picture at 1000", "halt 7 at 1500");
    assertThat(said)
        .startsWith("rank 3: the exit hangs for 1000 ms, so the process is halted with code 7;")
        .contains(Thread.currentThread().getName() + " [RUNNABLE]\n    at ")
        .contains(WatchdogTest.class.getName() + ".should");
  }
}
