package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import io.tagfabric.complete.CompletionQueue;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A resident driver beside a thread that reads a queue again and again. */
class PolledLoopTest {
  private static final ActorTestKit KIT = ActorTestKit.create();
  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
  private static final IdlePolicy IDLE = new IdlePolicy(0, 0, HOUR_NS);

  private final ManualTime time = new ManualTime(1_000);
  private final WakingBell bell = new WakingBell();
  private Pipe pipe;

  @BeforeEach
  void openPipe() throws IOException {
    pipe = Pipe.open();
    pipe.source().configureBlocking(false);
  }

  @AfterEach
  void closePipe() throws IOException {
    pipe.source().close();
    pipe.sink().close();
  }

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private ProgressLoop loop(PollMode mode) {
    ProgressLoop loop = new ProgressLoop(time, 1, HandOver.CALL, mode);
    loop.watch(pipe.source(), SelectionKey.OP_READ, null);
    loop.doorbell(bell);
    loop.parkResident(0); // it was wanted
    return loop;
  }

  private static CompletionQueue queue(ProgressLoop loop) {
    return CompletionQueue.open(4, loop, ProgressMode.AUTO, IDLE, KIT::spawn);
  }

  private static void readOften(CompletionQueue queue) {
    for (int i = 0; i < WaitPace.ENOUGH; i++) {
      assertThat(queue.read(1)).isEmpty();
    }
  }

  /** Whether the resident driver, this thread, would sleep in the channels: it says so before. */
  private boolean wouldSleepInChannels(ProgressLoop loop) {
    bell.wasAnnounced();
    loop.parkResident(HOUR_NS);
    return bell.wasAnnounced();
  }

  @Test
  void shouldNotSleepInChannelsWhileAThreadReadsAgainAndAgain() {
    ProgressLoop loop = loop(PollMode.SERIALIZED);
    CompletionQueue queue = queue(loop);

    assertThat(wouldSleepInChannels(loop)).as("before any read").isTrue();
    readOften(queue);
    assertThat(wouldSleepInChannels(loop)).as("between reads").isFalse();
    time.advance(WaitPace.PERIOD_NS);
    assertThat(wouldSleepInChannels(loop)).as("after the last").isTrue();
    loop.unwatch(pipe.source());
  }

  @Test
  void shouldSleepInChannelsWhereItAloneMayDriveWhoeverReads() throws InterruptedException {
    ProgressLoop loop = loop(PollMode.EXCLUSIVE);
    CompletionQueue queue = queue(loop);
    Thread owner = new Thread(loop::own, "owner");
    owner.start();
    owner.join(TimeUnit.SECONDS.toMillis(60));
    assertThat(loop.advance()).as("this thread may not drive").isZero();

    wouldSleepInChannels(loop);
    readOften(queue);
    assertThat(wouldSleepInChannels(loop)).isTrue();
    loop.unwatch(pipe.source());
  }
}
