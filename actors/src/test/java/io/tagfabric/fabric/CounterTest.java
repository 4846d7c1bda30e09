package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Counter;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.progress.ProgressMode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counters of a domain, whoever drives it. */
class CounterTest {
  private static final ActorTestKit KIT = ActorTestKit.create("counters", ConfigFactory.load());
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private Domain domain;

  private Counter open(ProgressMode mode) {
    domain = Fabric.get(KIT.system()).openDomain("counters-" + NUMBER.incrementAndGet(), mode);
    return domain.openCounter();
  }

  @AfterEach
  void close() {
    domain.close(Duration.ZERO);
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private static void assertFails(FabricError error, ThrowingCallable call) {
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.error()).isEqualTo(error));
  }

  private static void assertFails(FabricError error, CompletableFuture<Long> wait) {
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(wait::join)
        .satisfies(e -> assertThat(((FabricException) e.getCause()).error()).isEqualTo(error));
  }

  private static CompletableFuture<Long> whenReached(Counter counter, long threshold) {
    return counter.whenReached(threshold, 0).toCompletableFuture();
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldKeepSuccessesAndErrorsApart(ProgressMode mode) {
    Counter counter = open(mode);
    counter.set(5);
    counter.add(3);
    counter.setErrors(10);
    counter.addErrors(4);

    assertThat(counter.value()).isEqualTo(8);
    assertThat(counter.errors()).isEqualTo(14);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldWakeAThreadWhenAnotherAddsOrSets(ProgressMode mode) throws InterruptedException {
    Counter counter = open(mode);
    for (int i = 1; i <= 100; i++) {
      int next = i;
      Thread adder = new Thread(() -> count(counter, next));
      adder.start();
      assertThat(counter.await(i, PATIENCE)).isTrue();
      adder.join();
    }
    assertThat(counter.value()).isEqualTo(100);
  }

  private static void count(Counter counter, int next) {
    if (next % 2 == 0) {
      counter.add(1);
    } else {
      counter.set(next);
    }
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldEndAWaitAtItsTimeout(ProgressMode mode) {
    Counter counter = open(mode);
    counter.add(1);

    assertThat(counter.await(2, Duration.ofMillis(5))).isFalse();
    assertThat(counter.await(1, Duration.ZERO)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldWakeAWaiterWhenAnErrorIsCounted(ProgressMode mode) throws InterruptedException {
    Counter counter = open(mode);
    Thread adder = new Thread(() -> counter.addErrors(1));
    adder.start();
    assertFails(FabricError.AVAILABLE, () -> counter.await(1, 0, PATIENCE));
    adder.join();

    assertThat(counter.await(1, Duration.ofMillis(5))).as("the error is known").isFalse();
    counter.add(1);
    assertThat(counter.await(1, 0, PATIENCE)).as("the threshold wins").isTrue();
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldCompleteFuturesThatTheValueReaches(ProgressMode mode) {
    Counter counter = open(mode);
    CompletableFuture<Long> four = whenReached(counter, 4);
    CompletableFuture<Long> ten = whenReached(counter, 10);
    counter.add(7);

    assertThat(four.join()).isEqualTo(7);
    assertThat(whenReached(counter, 7).join()).isEqualTo(7);
    assertThat(ten).isNotDone();
    counter.addErrors(1);
    assertFails(FabricError.AVAILABLE, ten);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldMissNoWaitThatBeginsWhileAnotherThreadAdds(ProgressMode mode) throws Exception {
    Counter counter = open(mode);
    int rounds = 2_000;
    AtomicInteger begun = new AtomicInteger();
    Thread adder =
        new Thread(
            () -> {
              for (int i = 1; i <= rounds; i++) {
                while (begun.get() < i) {
                  Thread.onSpinWait();
                }
                counter.add(1);
              }
            });
    adder.setDaemon(true);
    adder.start();
    for (int i = 1; i <= rounds; i++) {
      begun.set(i);
      assertThat(whenReached(counter, i).get(60, TimeUnit.SECONDS)).isEqualTo(i);
    }
    adder.join();
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldAnswerActors(ProgressMode mode) {
    Counter counter = open(mode);
    CompletableFuture<Counter.Outcome> reached = tellAwait(counter, 3);
    counter.ref().tell(new Counter.Add(3));
    assertThat(reached.join()).isEqualTo(new Counter.Reached(3));

    CompletableFuture<Counter.Outcome> failed = tellAwait(counter, 4);
    counter.ref().tell(new Counter.AddErrors(1));
    assertThat(failed.join())
        .isInstanceOfSatisfying(
            Counter.Failed.class,
            outcome -> assertThat(outcome.error()).isEqualTo(FabricError.AVAILABLE));
  }

  private CompletableFuture<Counter.Outcome> tellAwait(Counter counter, long threshold) {
    return domain
        .futures()
        .ask(counter.ref(), replyTo -> new Counter.Await(threshold, 0, replyTo), PATIENCE);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldEndWaitsWhenItIsClosed(ProgressMode mode) throws InterruptedException {
    Counter counter = open(mode);
    CompletableFuture<Long> wait = whenReached(counter, 1);
    Thread closer = new Thread(counter::close);
    closer.start();
    assertFails(FabricError.CANCELED, () -> counter.await(1, PATIENCE));
    closer.join();

    assertFails(FabricError.CANCELED, wait);
    assertFails(FabricError.CANCELED, whenReached(counter, 1));
    assertFails(FabricError.BAD_STATE, () -> counter.add(1));
    assertThat(counter.value()).isZero();
    assertThat(counter.isClosed()).isTrue();
    assertThat(domain.openCounter().isClosed()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldEndWaitsWhenItsDomainIsClosed(ProgressMode mode) {
    Counter counter = open(mode);
    CompletableFuture<Long> wait = whenReached(counter, 1);
    domain.close(Duration.ZERO);

    assertFails(FabricError.CANCELED, wait);
  }
}
