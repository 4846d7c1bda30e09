package io.tagfabric.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.Posted;
import io.tagfabric.support.Await;
import io.tagfabric.tag.TagSelector;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Domains whose progress thread has limits. */
class PacedDomainTest {
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString("tagfabric.provider.use = [local]")
              .withFallback(ConfigFactory.load()));
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int RATE = 100;
  private static final int SENDERS = 4;
  private static final int MESSAGES = 2_000;
  private static final int EXCHANGES = 50_000;

  private final Fabric fabric = Fabric.get(KIT.system());

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private Domain open(ProgressMode mode, ProgressPacing pacing) {
    ProgressSettings settings = fabric.progressDefaults().withMode(mode).withPacing(pacing);
    return fabric.openDomain("paced" + NUMBER.incrementAndGet(), settings);
  }

  /** A paced domain and another, with an endpoint each. */
  private record Pair(
      Domain paced, Domain other, Endpoint here, Endpoint there, int toThere, int toHere) {}

  private Pair openPair() {
    Domain paced = open(ProgressMode.AUTO, ProgressPacing.NONE.withRate(RATE));
    Domain other = open(ProgressMode.AUTO, ProgressPacing.NONE);
    Endpoint here = paced.openEndpoint("here");
    Endpoint there = other.openEndpoint("there");
    int toThere = paced.addressVector().insert(there.address());
    int toHere = other.addressVector().insert(here.address());
    return new Pair(paced, other, here, there, toThere, toHere);
  }

  private static ProgressThread.State state(Domain domain) {
    TestProbe<ProgressThread.State> probe = KIT.createTestProbe();
    domain.progress().tell(new ProgressThread.GetState(probe.ref()));
    return probe.receiveMessage(PATIENCE);
  }

  @Test
  void shouldBoundWakeUpsWhileThreadsPostAndAPeerFloodsIt() throws InterruptedException {
    Pair pair = openPair();
    long beginNs = System.nanoTime();
    long sleeps = state(pair.paced()).sleeps();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      threads.add(new Thread(() -> send(pair.here(), pair.toThere())));
    }
    threads.add(new Thread(() -> send(pair.there(), pair.toHere())));
    threads.add(new Thread(() -> receive(pair.here(), MESSAGES)));
    threads.add(new Thread(() -> receive(pair.there(), SENDERS * MESSAGES)));
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(100));
      assertThat(thread.isAlive()).as("all messages come").isFalse();
    }

    long wakeUps = state(pair.paced()).sleeps() - sleeps;
    long elapsedNs = System.nanoTime() - beginNs;
    // Each question to the thread wakes it too.
    assertThat(wakeUps).isLessThanOrEqualTo(elapsedNs * RATE / 1_000_000_000L + 4);
    pair.paced().close(Duration.ZERO);
    pair.other().close(Duration.ZERO);
  }

  /** Between sockets that it leaves to close waits the thread sleeps for a millisecond or so. */
  @Test
  void shouldBoundWakeUpsBesideCloseWaits() throws Exception {
    Pair pair = openPair();
    try (DatagramChannel socket = DatagramChannel.open()) {
      socket.configureBlocking(false);
      pair.paced().loop().watch(socket);
      Thread echo = new Thread(() -> exchange(pair.there(), pair.toHere(), false));
      echo.start();
      long beginNs = System.nanoTime();
      long sleeps = state(pair.paced()).sleeps();
      exchange(pair.here(), pair.toThere(), true);
      long wakeUps = state(pair.paced()).sleeps() - sleeps;
      long elapsedNs = System.nanoTime() - beginNs;
      echo.join(TimeUnit.SECONDS.toMillis(100));

      assertThat(echo.isAlive()).isFalse();
      assertThat(wakeUps).isLessThanOrEqualTo(elapsedNs * RATE / 1_000_000_000L + 4);
      pair.paced().loop().unwatch(socket);
    }
    pair.paced().close(Duration.ZERO);
    pair.other().close(Duration.ZERO);
  }

  private static void exchange(Endpoint endpoint, int peer, boolean begins) {
    for (int i = 0; i < EXCHANGES; i++) {
      assertThat(endpoint.postReceive(new UnsafeBuffer(new byte[64]), 0, 64, 7, 0, -1, i))
          .isEqualTo(Posted.POSTED);
      if (begins) {
        sendOne(endpoint, peer);
      }
      assertThat(endpoint.receiveQueue().readBlocking(PATIENCE))
          .isInstanceOf(Completion.Received.class);
      if (!begins) {
        sendOne(endpoint, peer);
      }
    }
  }

  private static void sendOne(Endpoint endpoint, int peer) {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[64]);
    assertThat(endpoint.sendTagged(peer, bytes, 0, 64, 7, "sent")).isEqualTo(Posted.POSTED);
    endpoint.transmitQueue().read(Integer.MAX_VALUE); // slots are free again
  }

  private static void send(Endpoint endpoint, int peer) {
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[64]);
    int sent = 0;
    while (sent < MESSAGES) {
      if (endpoint.sendTagged(peer, bytes, 0, 64, 7, "sent") == Posted.POSTED) {
        sent++;
      } else {
        Thread.yield();
      }
      endpoint.transmitQueue().read(Integer.MAX_VALUE); // slots are free again
    }
  }

  private static void receive(Endpoint endpoint, int count) {
    for (int i = 0; i < count; i++) {
      UnsafeBuffer into = new UnsafeBuffer(new byte[64]);
      while (endpoint.postReceive(into, 0, 64, 7, 0, -1, i) != Posted.POSTED) {
        Thread.yield();
      }
      Completion came = endpoint.receiveQueue().readBlocking(PATIENCE);
      assertThat(came).isInstanceOf(Completion.Received.class);
    }
  }

  @Test
  void shouldLetTheProgressThreadAloneDriveAnExclusiveDomain() {
    Domain domain = open(ProgressMode.AUTO, ProgressPacing.NONE.withPollMode(PollMode.EXCLUSIVE));
    Endpoint endpoint = domain.openEndpoint("alone");
    int self = domain.addressVector().insert(endpoint.address());
    List<String> drivers = new ArrayList<>();
    domain
        .loop()
        .addPoll(
            () -> {
              String name = Thread.currentThread().getName();
              if (!drivers.contains(name)) {
                drivers.add(name);
              }
              return 0;
            });
    state(domain); // a pass before may have been another thread's, when it had no owner
    for (int i = 0; i < 200; i++) {
      var received = endpoint.futures().receiveTagged(TagSelector.exact(i));
      endpoint.futures().sendTagged(self, new byte[] {1}, i);
      assertThat(Await.get(received).payload().length()).isOne();
    }

    assertThat(domain.loop().advance()).isZero();
    state(domain);
    assertThat(drivers).containsExactly("tagfabric-progress-" + domain.name());
    domain.close(Duration.ZERO);
  }

  @Test
  void shouldReceiveByReadsAloneWhileTheProgressThreadIsPaused() {
    Domain domain = open(ProgressMode.AUTO, ProgressPacing.NONE);
    Endpoint endpoint = domain.openEndpoint("reads");
    int self = domain.addressVector().insert(endpoint.address());
    TestProbe<ProgressThread.Paused> probe = KIT.createTestProbe();
    domain.progress().tell(new ProgressThread.Pause(probe.ref()));
    probe.receiveMessage(PATIENCE);
    UnsafeBuffer into = new UnsafeBuffer(new byte[8]);
    assertThat(endpoint.postReceive(into, 0, 8, 7, 0, -1, "in")).isEqualTo(Posted.POSTED);
    assertThat(endpoint.sendTagged(self, new UnsafeBuffer(new byte[8]), 0, 8, 7, "out"))
        .isEqualTo(Posted.POSTED);

    List<Completion> came = List.of();
    long beginNs = System.nanoTime();
    while (came.isEmpty() && System.nanoTime() - beginNs < PATIENCE.toNanos()) {
      came = endpoint.receiveQueue().read(1);
    }
    assertThat(came).singleElement().isInstanceOf(Completion.Received.class);
    domain.close(Duration.ZERO);
  }

  @Test
  void shouldIgnoreExclusiveWithoutAProgressThread() {
    Domain domain = open(ProgressMode.MANUAL, ProgressPacing.NONE.withPollMode(PollMode.EXCLUSIVE));
    Endpoint endpoint = domain.openEndpoint("manual");
    int self = domain.addressVector().insert(endpoint.address());
    var received = endpoint.futures().receiveTagged(TagSelector.exact(1));
    endpoint.futures().sendTagged(self, new byte[] {1}, 1);

    assertThat(Await.get(received).payload().length()).isOne();
    domain.close(Duration.ZERO);
  }

  @Test
  void shouldDriveADeferredDomainByWaitsUntilItsThreadIsStarted() {
    Domain first = open(ProgressMode.AUTO, ProgressPacing.NONE.withDeferred(true));
    Domain second = open(ProgressMode.AUTO, ProgressPacing.NONE.withDeferred(true));
    Domain never = open(ProgressMode.AUTO, ProgressPacing.NONE.withDeferred(true));
    Endpoint endpoint = first.openEndpoint("first");
    int self = first.addressVector().insert(endpoint.address());
    assertThatIllegalStateException()
        .isThrownBy(first::progress)
        .withMessageContaining("call startProgress() first");
    var received = endpoint.futures().receiveTagged(TagSelector.exact(1));
    endpoint.futures().sendTagged(self, new byte[] {1}, 1);
    assertThat(Await.get(received).payload().length()).isOne();

    never.close(Duration.ZERO);
    second.startProgress();
    first.startProgress();
    first.startProgress();

    assertThat(state(first).driving()).isTrue();
    assertThat(state(second).driving()).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(never::startProgress)
        .withMessageContaining("is closed");
    first.close(Duration.ZERO);
    second.close(Duration.ZERO);
    Domain manual = open(ProgressMode.MANUAL, ProgressPacing.NONE);
    assertThatIllegalStateException()
        .isThrownBy(manual::startProgress)
        .withMessageContaining("is not AUTO");
    manual.close(Duration.ZERO);
  }

  @Test
  void shouldDriveByWaitsAgainWhileAnExclusiveThreadIsPaused() {
    Domain domain = open(ProgressMode.AUTO, ProgressPacing.NONE.withPollMode(PollMode.EXCLUSIVE));
    Endpoint endpoint = domain.openEndpoint("paused");
    int self = domain.addressVector().insert(endpoint.address());
    TestProbe<ProgressThread.Paused> probe = KIT.createTestProbe();
    domain.progress().tell(new ProgressThread.Pause(probe.ref()));
    probe.receiveMessage(PATIENCE);

    var received = endpoint.futures().receiveTagged(TagSelector.exact(1));
    endpoint.futures().sendTagged(self, new byte[] {1}, 1);

    assertThat(Await.get(received).payload().length()).isOne();
    domain.close(Duration.ZERO);
  }
}
