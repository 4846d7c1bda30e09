package io.tagfabric.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.fabric.Domain;
import io.tagfabric.fabric.Fabric;
import io.tagfabric.link.Posted;
import io.tagfabric.match.Claim;
import io.tagfabric.match.Probe;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressLoop;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is posted while the domain closes: it ends all the same, and once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CloseRaceTest {
  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
  private static final int ROUNDS = 40;
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final ContractSystems systems = ContractSystems.one("local");

  @BeforeAll
  void start() {
    systems.start();
  }

  @AfterAll
  void stop() {
    systems.stop();
  }

  private Domain domain(ProgressMode mode) {
    return Fabric.get(systems.near()).openDomain("race" + NUMBER.incrementAndGet(), mode);
  }

  private static Side side(Domain domain, String name) {
    return new Side(domain, name, Side.QUEUE_SIZE, domain.endpointDefaults());
  }

  private static void until(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + DEADLINE_NS;
    while (!condition.getAsBoolean()) {
      Thread.yield();
      assertThat(System.nanoTime() - deadlineNs).as(what).isNegative();
    }
  }

  /** Reads a queue until so many entries have come, and once more. */
  private static List<Completion> read(String what, CompletionQueue queue, int count) {
    List<Completion> read = new ArrayList<>();
    until(
        what,
        () -> {
          read.addAll(queue.read(Integer.MAX_VALUE));
          return read.size() >= count;
        });
    read.addAll(queue.read(Integer.MAX_VALUE));
    return read;
  }

  // ---- probes ----

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldEndEveryProbeAndClaimOnceWhenTheDomainCloses(ProgressMode mode) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Domain domain = domain(mode);
      Side side = side(domain, "probed");
      int self = side.indexOf(side);
      for (int i = 0; i < 200; i++) {
        side.send(self, new byte[] {(byte) i}, 7);
      }
      until("all have left", () -> side.poll() >= 0 && side.sent.size() == 200);
      CountDownLatch begun = new CountDownLatch(1);
      AtomicInteger posted = new AtomicInteger();
      Thread thread = new Thread(() -> probe(side.endpoint, posted, begun));
      thread.start();
      begun.await();
      domain.close(Duration.ZERO);
      thread.join(TimeUnit.NANOSECONDS.toMillis(DEADLINE_NS));
      awaitDrain(domain);

      List<Completion> read = read("all probes end", side.endpoint.receiveQueue(), posted.get());
      assertThat(read).hasSize(posted.get());
    }
  }

  /** Probes until the endpoint is closed; the thread's posts keep their order. */
  private static void probe(Endpoint endpoint, AtomicInteger posted, CountDownLatch begun) {
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
    try {
      while (true) {
        Claim claim = new Claim();
        count(posted, endpoint.post(Probe.peek(TagSelector.exact(7)), "peek"));
        count(posted, endpoint.post(Probe.claim(TagSelector.exact(7), claim), "claim"));
        count(posted, endpoint.post(TaggedReceive.of(claim).into(buffer, 0, 8), "receive"));
        count(posted, endpoint.post(Probe.discard(TagSelector.exact(7)), "discard"));
        count(posted, endpoint.post(Probe.discard(claim), "nothing"));
        begun.countDown();
      }
    } catch (IllegalStateException e) {
      // closed
    }
  }

  private static void count(AtomicInteger posted, Posted answer) {
    if (answer == Posted.POSTED) {
      posted.incrementAndGet();
    }
  }

  // ---- at the worst moment ----

  /** A buffer that holds its post up after the endpoint was found open. */
  private static final class SlowBuffer extends UnsafeBuffer {
    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch mayGoOn = new CountDownLatch(1);

    SlowBuffer() {
      super(new byte[8]);
    }

    @Override
    public int capacity() {
      reached.countDown();
      try {
        mayGoOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.capacity();
    }
  }

  /** Closes a domain while a post is half way, and lets it go on while the loop is taken. */
  private Completion postedAcrossClose(
      Function<Side, CompletionQueue> queue, ProgressMode mode, Poster poster) throws Exception {
    Domain domain = domain(mode);
    Side side = side(domain, "late");
    int self = side.indexOf(side);
    SlowBuffer buffer = new SlowBuffer();
    Queue<Posted> posted = new ConcurrentLinkedQueue<>();
    Thread thread = new Thread(() -> posted.add(poster.post(side.endpoint, self, buffer)));
    thread.start();
    buffer.reached.await();

    domain.close(Duration.ZERO);
    ProgressLoop loop = domain.loop();
    awaitDrain(domain);
    until("the loop is free", loop::tryEnter);
    buffer.mayGoOn.countDown();
    until("it is told", () -> loop.hasQueuedWork() || !thread.isAlive());
    loop.leave();
    thread.join(TimeUnit.NANOSECONDS.toMillis(DEADLINE_NS));

    assertThat(posted).containsExactly(Posted.POSTED);
    List<Completion> read = read("the post ends", queue.apply(side), 1);
    assertThat(read).hasSize(1);
    return read.get(0);
  }

  private static void awaitDrain(Domain domain) throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("tagfabric-drain-" + domain.name())) {
        thread.join(TimeUnit.NANOSECONDS.toMillis(DEADLINE_NS));
        assertThat(thread.isAlive()).as("%s still runs", thread).isFalse();
      }
    }
  }

  @FunctionalInterface
  private interface Poster {
    Posted post(Endpoint endpoint, int peer, UnsafeBuffer buffer);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldEndTheReceiveWhenItIsToldAfterTheClose(ProgressMode mode) throws Exception {
    assertCancelled(
        postedAcrossClose(
            side -> side.endpoint.receiveQueue(),
            mode,
            (endpoint, peer, buffer) -> endpoint.postReceive(buffer, 0, 8, 1, 0, -1, "late")));
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldEndTheSendWhenItIsToldAfterTheClose(ProgressMode mode) throws Exception {
    assertCancelled(
        postedAcrossClose(
            side -> side.endpoint.transmitQueue(),
            mode,
            (endpoint, peer, buffer) -> endpoint.sendTagged(peer, buffer, 0, 8, 1, "late")));
  }

  private static void assertCancelled(Completion ended) {
    assertThat(((Completion.Failed) ended).error()).isEqualTo(FabricError.CANCELED);
    assertThat(ended.context()).isEqualTo("late");
  }

  // ---- half way ----

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldEndEveryReceiveWhenManyLongMessagesAreHalfWay(ProgressMode mode) {
    int count = 600;
    Domain sending = domain(ProgressMode.MANUAL);
    Domain receiving = domain(mode);
    Side sender = side(sending, "sender");
    Side receiver = side(receiving, "receiver");
    int peer = sender.indexOf(receiver);
    for (int i = 0; i < count; i++) {
      receiver.post(100_000, i);
      sender.send(peer, Side.pattern(100_000, i), i);
    }
    // From the match on nobody drives the sender, so no bytes come.
    until(
        "all are matched",
        () -> {
          sender.poll();
          CompletionStage<TagMatcher.State> state = receiver.endpoint.futures().matcherState();
          until("the matcher answers", () -> receiver.poll() == 0 && done(state));
          return state.toCompletableFuture().join().postedReceives() == 0;
        });

    receiving.close(Duration.ZERO);

    receiver.received.addAll(
        read("receives end", receiver.endpoint.receiveQueue(), count - receiver.received.size()));
    assertOnce(receiver.received, count);
    sending.close(Duration.ZERO);
  }

  private static boolean done(CompletionStage<?> stage) {
    return stage.toCompletableFuture().isDone();
  }

  // ---- at any moment ----

  /** Posts until the endpoint refuses. */
  private static final class Posting {
    final AtomicInteger sends = new AtomicInteger();
    final AtomicInteger receives = new AtomicInteger();
    final Queue<CompletionStage<TaggedMessage>> futures = new ConcurrentLinkedQueue<>();
    private final Side side;
    private final int peer;

    Posting(Side side, int peer) {
      this.side = side;
      this.peer = peer;
    }

    Thread start(int number) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 1_000_000; i++) {
                    post(number * 1_000_000 + i);
                  }
                } catch (IllegalStateException closed) {
                  assertThat(closed).hasMessageContaining("is closed");
                }
              });
      thread.start();
      return thread;
    }

    private void post(int context) {
      int length = context % 7 == 0 ? 100_000 : 8;
      UnsafeBuffer bytes = new UnsafeBuffer(new byte[length]);
      boolean sent = side.endpoint.sendTagged(peer, bytes, 0, length, 1, context) == Posted.POSTED;
      sends.addAndGet(sent ? 1 : 0);
      boolean posted =
          side.endpoint.postReceive(new UnsafeBuffer(new byte[8]), 0, 8, 1, 0, -1, context)
              == Posted.POSTED;
      receives.addAndGet(posted ? 1 : 0);
      if (context % 5 == 0) {
        futures.add(side.endpoint.futures().receiveTagged(TagSelector.exact(1)));
      }
    }
  }

  private static void assertOnce(List<Completion> read, int count) {
    assertThat(read).hasSize(count);
    assertThat(read.stream().map(Completion::context).distinct()).hasSize(count);
  }

  @ParameterizedTest
  @EnumSource(ProgressMode.class)
  void shouldEndEveryPostOnceWhenThreadsPostWhileTheDomainCloses(ProgressMode mode)
      throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      Domain domain = domain(mode);
      Side side = side(domain, "poster");
      Side other = side(domain, "other");
      for (int i = 0; i < 200; i++) {
        other.post(100_000, 1);
      }
      Posting posting =
          new Posting(side, round % 2 == 0 ? side.indexOf(side) : side.indexOf(other));
      List<Thread> threads = List.of(posting.start(0), posting.start(1), posting.start(2));
      int before = round * 11;
      until("some are posted", () -> posting.sends.get() > before);

      domain.close(round % 3 == 0 ? Duration.ofMillis(20) : Duration.ZERO);
      for (Thread thread : threads) {
        thread.join();
      }

      assertOnce(
          read("sends end", side.endpoint.transmitQueue(), posting.sends.get()),
          posting.sends.get());
      assertOnce(
          read("receives end", side.endpoint.receiveQueue(), posting.receives.get()),
          posting.receives.get());
      assertThat(read("receives of the other end", other.endpoint.receiveQueue(), 200))
          .hasSize(200);
      until(
          "futures end",
          () -> posting.futures.stream().allMatch(each -> each.toCompletableFuture().isDone()));
    }
  }
}
