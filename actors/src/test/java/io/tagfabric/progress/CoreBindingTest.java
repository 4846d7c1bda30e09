package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
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

  @Test
  void shouldLoadLibrariesWhereTheJvmWasToldToAllowAll() {
    assertThat(CoreBinding.isAllowed(List.of("-Xmx1g", "--illegal-native-access=allow"))).isTrue();
    assertThat(CoreBinding.isAllowed(List.of("--illegal-native-access=warn"))).isFalse();
    assertThat(CoreBinding.isAllowed(List.of())).isFalse();
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

  // ---- moves ----

  private final List<BitSet> used = new ArrayList<>();

  private static BitSet cores(int... numbers) {
    BitSet cores = new BitSet();
    Arrays.stream(numbers).forEach(cores::set);
    return cores;
  }

  @Test
  void shouldMoveAThreadAwayFromItsCoreAndLeaveItsCoresAsTheyWere() {
    assertThat(CoreBinding.moveAway(() -> cores(1, 4, 7), () -> 4, used::add)).isTrue();
    assertThat(used).containsExactly(cores(1, 7), cores(1, 4, 7));
  }

  @Test
  void shouldLeaveAThreadThatIsBound() {
    assertThat(CoreBinding.moveAway(() -> cores(4), () -> 4, used::add)).isTrue();
    assertThat(used).isEmpty();
  }

  @Test
  void shouldSayThatItCannotMoveAndUndoWhatIsHalfDone() {
    assertThat(CoreBinding.moveAway(() -> cores(1, 2), () -> -1, used::add)).isFalse();
    assertThat(used).isEmpty();

    assertThat(
            CoreBinding.moveAway(
                () -> cores(1, 2),
                () -> 1,
                cores -> {
                  used.add(cores);
                  if (used.size() == 1) {
                    throw new IllegalStateException("refused");
                  }
                }))
        .isFalse();
    assertThat(used).containsExactly(cores(2), cores(1, 2));
  }

  @Test
  void shouldLeaveTheCallerWithTheCoresThatItHad() {
    String before = allowed();

    for (int i = 0; i < 100; i++) {
      CoreBinding.moveAway(ForkJoinPool.commonPool());
      LockSupport.parkNanos(1_000_000);
    }

    assertThat(allowed()).isEqualTo(before);
  }
}
