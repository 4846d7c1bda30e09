package io.tagfabric.bench.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OneAtATimeTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  /** A command that never ends, with a child whose process id it writes to a file. */
  private List<String> endless() {
    return List.of("sh", "-c", "sleep 600 & echo $! >" + pidFile() + "; wait");
  }

  private Path pidFile() {
    return directory.resolve("pid");
  }

  private ProcessHandle child() throws IOException {
    long endNs = System.nanoTime() + DEADLINE.toNanos();
    while (!Files.exists(pidFile()) || Files.readString(pidFile()).isBlank()) {
      assertThat(System.nanoTime() - endNs).as("no child within " + DEADLINE).isNegative();
      LockSupport.parkNanos(1_000_000);
    }
    return ProcessHandle.of(Long.parseLong(Files.readString(pidFile()).strip())).orElseThrow();
  }

  private static void requireEnded(ProcessHandle process) throws Exception {
    assertThat(process.onExit().get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS).isAlive())
        .isFalse();
  }

  @Test
  void shouldGiveCodeAndBothOutputs() throws Exception {
    try (OneAtATime commands = new OneAtATime(DEADLINE)) {
      assertThat(commands.run(List.of("sh", "-c", "echo a; echo b >&2; exit 7")))
          .isEqualTo(new OneAtATime.Ended(7, "a\n", "b\n"));
    }
  }

  @Test
  void shouldLeaveNoProcessWhenThisOneEnds() throws Exception {
    try (OneAtATime commands = new OneAtATime(DEADLINE)) {
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Thread runner =
          new Thread(
              () -> {
                try {
                  commands.run(endless());
                  thrown.complete(null);
                } catch (BuildException | InterruptedException expected) {
                  thrown.complete(expected);
                }
              });
      runner.start();
      ProcessHandle child = child();

      commands.endForGood();

      requireEnded(child);
      assertThat(thrown.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS))
          .isInstanceOf(InterruptedException.class);
      assertThatThrownBy(() -> commands.run(List.of("true")))
          .as("nothing starts any more")
          .isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void shouldEndWhatTakesTooLong() throws Exception {
    try (OneAtATime commands = new OneAtATime(Duration.ofSeconds(1))) {
      assertThatThrownBy(() -> commands.run(endless()))
          .isInstanceOf(BuildException.class)
          .hasMessage("it has not ended within 1 s");
      requireEnded(child());
    }
  }

  @Test
  void shouldStopAtCtrlC() {
    try (OneAtATime commands = new OneAtATime(DEADLINE)) {
      // Whoever runs the tests may ignore the signal, and a process inherits that.
      List<String> interrupted = List.of("env", "--default-signal=INT", "sh", "-c", "kill -INT $$");
      assertThatThrownBy(() -> commands.run(interrupted)).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void shouldSayWhatCannotBeStarted() {
    try (OneAtATime commands = new OneAtATime(DEADLINE)) {
      assertThatThrownBy(() -> commands.run(List.of(directory.resolve("none").toString())))
          .isInstanceOf(BuildException.class)
          .hasMessageContaining("none");
    }
  }
}
