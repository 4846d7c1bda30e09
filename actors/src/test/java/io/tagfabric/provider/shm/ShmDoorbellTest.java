package io.tagfabric.provider.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.progress.IdlePolicy;
import io.tagfabric.progress.TimeSource;
import io.tagfabric.provider.Channel;
import io.tagfabric.provider.shm.ring.ShmLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing but a ring ends the sleeps here: a lost one would end the test by its timeout. */
@Timeout(120)
class ShmDoorbellTest {
  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
  private static final IdlePolicy ASLEEP_AT_ONCE = new IdlePolicy(0, 0, HOUR_NS);
  private static final IdlePolicy ASLEEP_SOON = new IdlePolicy(2_000, 0, HOUR_NS);
  private static final Map<String, String> NO_CHECKS = Map.of("check-interval", "1 minute");
  private static final int ROUNDS = 3_000;

  /** One that is woken without end looks thousands of times. */
  private static final int FEW_LOOKS = 100;

  /** Counts how often threads give their core away. */
  private final class CountedYields implements TimeSource {
    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public void yieldCore() {
      yields.getAndIncrement();
      Thread.yield();
    }
  }

  private final AtomicInteger yields = new AtomicInteger();
  @TempDir Path parent;
  private ShmSide near;
  private ShmSide far;
  private Channel there;
  private Channel back;

  @BeforeEach
  void open() {
    near = new ShmSide(new CountedYields(), parent, NO_CHECKS);
    far = new ShmSide(TimeSource.SYSTEM, parent, NO_CHECKS);
    there = near.connect(far);
    back = far.connect(near);
  }

  @AfterEach
  void close() {
    near.close();
    far.close();
  }

  private static void await(ShmSide side, int packets, IdlePolicy idle) {
    boolean there =
        side.loop.await(
            () -> side.received.size() >= packets, System.nanoTime() + HOUR_NS / 60, idle);
    assertThat(there).isTrue();
  }

  private void play(IdlePolicy idle) {
    CompletableFuture<Void> answers =
        CompletableFuture.runAsync(
            () -> {
              for (int round = 1; round <= ROUNDS; round++) {
                await(far, round, idle);
                back.offer(ShmSide.packet(80, round));
              }
            });
    for (int round = 1; round <= ROUNDS; round++) {
      there.offer(ShmSide.packet(80, round));
      await(near, round, idle);
    }
    answers.join();
  }

  @Test
  void shouldWakeTheSleeperEachTimeWhenBothSleepAtOnce() {
    play(ASLEEP_AT_ONCE);

    assertThat(near.received).hasSize(ROUNDS);
  }

  @Test
  void shouldWakeTheSleeperEachTimeWhenItIsJustFallingAsleep() {
    play(ASLEEP_SOON);

    assertThat(near.received).hasSize(ROUNDS);
  }

  @Test
  void shouldGiveItsCoreAwayOnceForASleeperThatItHasWoken() throws IOException {
    IdlePolicy spinning = new IdlePolicy(HOUR_NS, 1, HOUR_NS);
    CompletableFuture<Void> answer =
        CompletableFuture.runAsync(
            () -> {
              await(far, 1, ASLEEP_AT_ONCE);
              back.offer(ShmSide.packet(80, 1));
              await(far, 2, new IdlePolicy(0, HOUR_NS, HOUR_NS)); // it does not sleep
              back.offer(ShmSide.packet(80, 2));
            });
    try (ShmFile file = ShmFile.open(far.file())) {
      while (file.buffer().getIntVolatile(ShmLayout.ASLEEP_AT) == 0) {
        Thread.onSpinWait();
      }
    }

    for (int round = 1; round <= 2; round++) {
      there.offer(ShmSide.packet(80, round));
      await(near, round, spinning);
      assertThat(yields).as("round %d", round).hasValue(1);
    }
    answer.join();
  }

  /** How often a thread of a side is awake in 40 ms in which nothing comes. */
  private static int looksWhileNothingComes(ShmSide side) {
    AtomicInteger looks = new AtomicInteger();
    boolean came =
        side.loop.await(
            () -> {
              looks.incrementAndGet();
              return false;
            },
            System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(40),
            ASLEEP_AT_ONCE);
    assertThat(came).isFalse();
    return looks.get();
  }

  @Test
  void shouldSleepQuietlyAgainWhenItHasBeenRung() {
    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(() -> await(far, 1, ASLEEP_AT_ONCE));
    there.offer(ShmSide.packet(80, 1));
    waiting.join();

    assertThat(looksWhileNothingComes(far)).isLessThan(FEW_LOOKS);
  }

  @Test
  void shouldSleepQuietlyAgainWhenWhoRangHasGone() {
    play(ASLEEP_AT_ONCE);
    near.close();
    looksWhileNothingComes(far); // notices it

    assertThat(looksWhileNothingComes(far)).isLessThan(FEW_LOOKS);
  }

  @Test
  void shouldFindWorkAtItsSecondLookAndNoneOnceItIsClosed() throws IOException {
    UnsafeBuffer words = new UnsafeBuffer(ByteBuffer.allocateDirect(2 * ShmLayout.ASLEEP_AT));
    AtomicBoolean work = new AtomicBoolean();
    ShmDoorbell bell = new ShmDoorbell(near.loop, parent.resolve("bell"), words, work::get);
    assertThat(bell.announce()).isTrue();
    assertThat(bell.isQuiet()).isTrue();

    work.set(true);
    assertThat(bell.isQuiet()).isFalse();
    assertThat(words.getInt(ShmLayout.ASLEEP_AT)).as("still announced").isEqualTo(1);

    bell.withdraw();
    bell.close();
    assertThat(bell.isQuiet()).as("nothing is looked at any more").isTrue();
  }

  @Test
  void shouldWakeAWaiterWhenAnotherThreadOfTheJvmMakesItsConditionTrue() {
    AtomicBoolean condition = new AtomicBoolean();
    for (int round = 0; round < 500; round++) {
      condition.set(false);
      CompletableFuture<Boolean> waiting =
          CompletableFuture.supplyAsync(
              () -> far.loop.await(condition::get, System.nanoTime() + HOUR_NS, ASLEEP_AT_ONCE));

      condition.set(true);
      far.loop.wake();

      assertThat(waiting.join()).isTrue();
    }
  }

  @Test
  void shouldWakeAllWaitersWhenOneListensAndTheOthersAreParked() {
    CompletableFuture<?>[] waiting = new CompletableFuture<?>[3];
    for (int i = 0; i < waiting.length; i++) {
      int packets = i + 1;
      waiting[i] = CompletableFuture.runAsync(() -> await(far, packets, ASLEEP_AT_ONCE));
    }

    for (int i = 0; i < waiting.length; i++) {
      there.offer(ShmSide.packet(80, i));
    }

    CompletableFuture.allOf(waiting).join();
    assertThat(far.received).hasSize(waiting.length);
  }

  @Test
  void shouldWakeTheResidentDriverWhenNobodyWaits() throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    Thread resident =
        new Thread(
            () -> {
              while (!stop.get()) {
                if (far.loop.hasWaiters() || far.loop.advance() == 0) {
                  far.loop.parkResident(HOUR_NS);
                }
                if (far.received.size() > answered) {
                  answered++;
                  back.offer(ShmSide.packet(80, 1));
                }
              }
            });
    resident.start();

    for (int round = 1; round <= ROUNDS; round++) {
      there.offer(ShmSide.packet(80, round));
      await(near, round, ASLEEP_SOON);
    }

    stop.set(true);
    far.loop.wakeResident();
    resident.join();
    assertThat(near.received).hasSize(ROUNDS);
  }

  private int answered;
}
