package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CoreBindingTest {
  private static final Path SELF = Path.of("/proc/thread-self/status");

  @Test
  void shouldBindTheCallingThreadAndNoOther() throws IOException {
    assumeTrue(Files.exists(SELF), "only Linux shows where a thread may run");
    String before = allowed();

    String first = Integer.toString(CoreSet.allowed().toBitSet().nextSetBit(0));
    String inThread =
        CompletableFuture.supplyAsync(
                () -> {
                  assertThat(CoreBinding.bindCurrentThread(CoreSet.allowed().nth(0))).isTrue();
                  return allowed();
                },
                task -> new Thread(task, "bound").start())
            .join();

    assertThat(inThread).isEqualTo(first);
    assertThat(allowed()).isEqualTo(before);
  }

  @Test
  void shouldGoOnUnboundWhereThereIsNoSuchCore() {
    String before = allowed();

    assertThat(CoreBinding.bindCurrentThread(CoreSet.of(CoreSet.allowed().length() + 100)))
        .isFalse();

    assertThat(allowed()).isEqualTo(before);
  }

  @Test
  void shouldLeaveAThreadAloneWithoutCores() {
    assertThat(CoreBinding.bindCurrentThread(CoreSet.NONE)).isFalse();
  }

  @Test
  void shouldTakeHereForTheCoreOfTheCallingThread() {
    assertThat(CoreBinding.placed(CoreSet.HERE, () -> 5)).isEqualTo(CoreSet.of(5));
    assertThat(CoreBinding.placed(CoreSet.NONE, () -> 5)).isEqualTo(CoreSet.NONE);
    assertThat(CoreBinding.placed(CoreSet.of(2), () -> 5)).isEqualTo(CoreSet.of(2));
    assertThat(CoreSet.HERE).isNotEqualTo(CoreSet.NONE).hasToString("here");
  }

  @Test
  void shouldSayThatNobodyKnowsWhereAThreadRuns() {
    assertThatThrownBy(() -> CoreBinding.placed(CoreSet.HERE, () -> -1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("tagfabric.progress.affinity");
  }

  private static String allowed() {
    try {
      return Files.readAllLines(SELF).stream()
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
