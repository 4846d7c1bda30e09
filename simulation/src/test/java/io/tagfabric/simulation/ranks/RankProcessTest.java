package io.tagfabric.simulation.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RankProcessTest {
  private static final long DEADLINE_S = 30;

  private final List<String> said = new CopyOnWriteArrayList<>();
  private final RankProcess process = new RankProcess(said::add);

  private static void start(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }

  private RankProcess.End end() throws Exception {
    return process.whenEnded().toCompletableFuture().get(DEADLINE_S, TimeUnit.SECONDS);
  }

  @Test
  void shouldTellItsHooksTheCodeOfTheExit() {
    List<OptionalInt> heard = new CopyOnWriteArrayList<>();
    process.addShutdownHook("hook", () -> heard.add(process.exitCode()));

    process.end(256 + 7);

    assertThat(heard).containsExactly(OptionalInt.of(7));
  }

  @Test
  void shouldEndAfterItsHooks() throws Exception {
    process.addShutdownHook("first", () -> said.add("hook"));
    start(() -> process.exit(256 + 7));

    assertThat(end()).isEqualTo(new RankProcess.End(7, false));
    assertThat(said).containsExactly("hook");
    assertThat(process.isEnding()).isTrue();
  }

  @Test
  void shouldKeepTheCodeOfTheFirstEnd() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    process.addShutdownHook(
        "slow",
        () -> {
          begun.countDown();
          goOn.join();
        });
    start(() -> process.exit(1));
    assertThat(begun.await(DEADLINE_S, TimeUnit.SECONDS)).as("the hook runs").isTrue();

    process.end(2);
    assertThat(process.hasEnded()).isFalse();
    goOn.complete(null);

    assertThat(end().code()).isEqualTo(1);
  }

  @Test
  void shouldEndAtOnceWhenAHookHalts() throws Exception {
    process.addShutdownHook("halts", () -> process.halt(3));
    start(() -> process.exit(1));

    assertThat(end()).isEqualTo(new RankProcess.End(3, false));
  }

  @Test
  void shouldRunNoHookWhenItIsCut() throws Exception {
    process.addShutdownHook("hook", () -> said.add("hook"));
    start(() -> process.cut(9));

    assertThat(end()).isEqualTo(new RankProcess.End(9, true));
    assertThat(said).isEmpty();
  }

  @Test
  void shouldTakeNoHookOnceItEnds() throws Exception {
    Thread hook = new Thread(() -> said.add("hook"));
    process.add(hook);
    assertThatThrownBy(() -> process.add(hook)).isInstanceOf(IllegalArgumentException.class);
    assertThat(process.remove(hook)).isTrue();
    process.end(0);

    assertThat(end().code()).isZero();
    assertThatThrownBy(() -> process.add(hook))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Shutdown in progress");
    assertThat(said).isEmpty();
  }
}
