package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestInbox;
import akka.actor.typed.javadsl.Adapter;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.complete.Completions;
import io.tagfabric.complete.Counter;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.link.Posted;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.Claim;
import io.tagfabric.match.Probe;
import io.tagfabric.match.TagMatcher;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.receive.EndpointBindings;
import io.tagfabric.receive.EndpointBindings.Direction;
import io.tagfabric.receive.ReceiveBindings;
import io.tagfabric.receive.ReceiveContext;
import io.tagfabric.tag.TagSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives that endpoints share: each way that a message comes, and each end of a life. */
class ReceiveContextTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int LONG = 300_000;
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final Map<String, ActorTestKit> KITS = new LinkedHashMap<>();

  private final List<Domain> domains = new ArrayList<>();

  private Domain server;
  private Domain clients;
  private ReceiveContext pool;
  private Endpoint a;
  private Endpoint b;
  private Endpoint client;

  private static ActorTestKit kit(String handOver) {
    Config config =
        ConfigFactory.parseString("tagfabric.progress.hand-over = " + handOver)
            .withFallback(ConfigFactory.load());
    return KITS.computeIfAbsent(handOver, way -> ActorTestKit.create("pool-" + way, config));
  }

  static Stream<Arguments> ways() {
    return Stream.of(ProgressMode.values())
        .flatMap(
            mode -> Stream.of("call", "mailbox").map(handOver -> Arguments.of(mode, handOver)));
  }

  private Domain domain(ProgressMode mode, String handOver) {
    Domain domain =
        Fabric.get(kit(handOver).system()).openDomain("pool-" + NUMBER.incrementAndGet(), mode);
    domains.add(domain);
    return domain;
  }

  private void open(ProgressMode mode, String handOver) {
    server = domain(mode, handOver);
    clients = domain(mode, handOver);
    pool = server.openReceiveContext("pool");
    a = openShared("a");
    b = openShared("b");
    client = clients.openEndpoint("client");
  }

  private Endpoint openShared(String name) {
    return server.openEndpoint(name, EndpointBindings.to(server.openCompletionQueue(16), pool));
  }

  @AfterEach
  void close() {
    domains.forEach(domain -> domain.close(Duration.ZERO));
    domains.clear();
  }

  @AfterAll
  static void stop() {
    KITS.values().forEach(ActorTestKit::shutdownTestKit);
    KITS.clear();
  }

  private static byte[] message(int length, int seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Drives both domains until something has ended. */
  private <T> T join(CompletionStage<T> stage) {
    return join(server, clients, stage);
  }

  private static <T> T join(Domain one, Domain other, CompletionStage<T> stage) {
    assertThat(
            one.await(
                () -> {
                  other.await(() -> true, Duration.ZERO);
                  other.loop().advance();
                  return stage.toCompletableFuture().isDone();
                },
                PATIENCE))
        .isTrue();
    return stage.toCompletableFuture().join();
  }

  private int to(Endpoint endpoint) {
    return clients.addressVector().insert(endpoint.address());
  }

  private int clientAtServer() {
    return server.addressVector().insert(client.address());
  }

  private CompletionStage<Completion.Sent> send(Endpoint to, byte[] bytes, long tag) {
    return client.futures().sendTagged(to(to), bytes, tag);
  }

  /** Drives both domains until the pool's queue has this many entries, or for a while. */
  private List<Completion> read(int count) {
    List<Completion> read = new ArrayList<>();
    CompletionQueue queue = pool.receiveQueue();
    assertThat(
            server.await(
                () -> {
                  clients.loop().advance();
                  read.addAll(queue.read(count - read.size()));
                  return read.size() >= count;
                },
                PATIENCE))
        .as("completions %s of %s", read, count)
        .isTrue();
    return read;
  }

  private TagMatcher.State state() {
    TestInbox<TagMatcher.State> inbox = TestInbox.create();
    pool.matcher().tell(new TagMatcher.GetState(inbox.getRef()));
    assertThat(server.await(inbox::hasMessages, PATIENCE)).isTrue();
    return inbox.receiveMessage();
  }

  private void awaitUnexpected(int messages) {
    assertThat(
            server.await(
                () -> {
                  clients.loop().advance();
                  return state().unexpectedMessages() == messages;
                },
                PATIENCE))
        .isTrue();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldTakeMessagesOfAllItsEndpointsInTheOrderPosted(ProgressMode mode, String handOver) {
    open(mode, handOver);
    int[] lengths = {0, 5, 3_000, LONG};
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[8 * LONG]);
    for (int i = 0; i < 8; i++) {
      assertThat(pool.postReceive(buffer, i * LONG, LONG, 7, 0, -1, i)).isEqualTo(Posted.POSTED);
    }
    for (int i = 0; i < 8; i++) {
      join(send(i % 2 == 0 ? a : b, message(lengths[i / 2], i), 7));
      Completion.Received received = (Completion.Received) read(1).get(0);
      assertThat(received.context()).isEqualTo(i);
      assertThat(received.source()).isEqualTo(clientAtServer());
      byte[] bytes = new byte[(int) received.length()];
      buffer.getBytes(i * LONG, bytes);
      assertThat(bytes).isEqualTo(message(lengths[i / 2], i));
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldKeepMessagesOfAllItsEndpointsUntilAReceiveIsPosted(
      ProgressMode mode, String handOver) {
    open(mode, handOver);
    int[] lengths = {0, 5, 3_000, LONG};
    List<CompletionStage<Completion.Sent>> sends = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      sends.add(send(i % 2 == 0 ? a : b, message(lengths[i / 2], i), i));
      awaitUnexpected(i + 1);
    }
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[LONG]);
    Claim claim = new Claim();
    assertThat(pool.post(Probe.claim(TagSelector.exact(6), claim), "claim"))
        .isEqualTo(Posted.POSTED);
    assertThat(read(1).get(0).context()).isEqualTo("claim");
    for (int i : new int[] {7, 6, 5, 4, 3, 2, 1, 0}) {
      if (i == 6) {
        pool.post(TaggedReceive.of(claim).into(buffer, 0, LONG), i);
      } else {
        pool.postReceive(buffer, 0, LONG, i, 0, clientAtServer(), i);
      }
      Completion.Received received = (Completion.Received) read(1).get(0);
      assertThat(received.context()).isEqualTo(i);
      byte[] bytes = new byte[(int) received.length()];
      buffer.getBytes(0, bytes);
      assertThat(bytes).isEqualTo(message(lengths[i / 2], i));
    }
    sends.forEach(this::join);
    assertThat(state().unexpectedBytes()).isZero();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldTakeUntaggedMessagesManyInABufferAndTellActors(ProgressMode mode, String handOver) {
    open(mode, handOver);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[100]);
    pool.post(TaggedReceive.untagged(-1).into(buffer, 0, 100).many(41), "many");
    for (int i = 0; i < 3; i++) {
      client.post(
          TaggedSend.untagged(to(i % 2 == 0 ? a : b), new UnsafeBuffer(message(20, i)), 0, 20),
          null);
      Completion.Received received = (Completion.Received) read(1).get(0);
      assertThat(received.tagged()).isFalse();
      byte[] bytes = new byte[20];
      buffer.getBytes((int) received.offset(), bytes);
      assertThat(bytes).isEqualTo(message(20, i));
    }
    assertThat(read(1).get(0)).isInstanceOf(Completion.Released.class);

    TestInbox<TagMatcher.ReceiveOutcome> told = TestInbox.create();
    pool.matcher()
        .tell(
            new TagMatcher.PostReceive(
                TaggedReceive.of(TagSelector.exact(3)).atMost(100), "told", told.getRef()));
    join(send(b, message(9, 9), 3));
    assertThat(server.await(told::hasMessages, PATIENCE)).isTrue();
    assertThat(((TagMatcher.Received) told.receiveMessage()).message().payload().length())
        .isEqualTo(9);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldGoOnWhenOneOfItsEndpointsCloses(ProgressMode mode, String handOver) {
    open(mode, handOver);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[LONG]);
    join(client.futures().connect(to(a)));
    join(client.futures().connect(to(b)));
    join(send(a, message(50, 1), 1));
    CompletionStage<Completion.Sent> announced = send(a, message(LONG, 2), 2);
    awaitUnexpected(2);
    pool.postReceive(buffer, 0, 100, 3, 0, clientAtServer(), "names the client");
    join(a.close(Duration.ZERO));
    assertThat(pool.endpoints()).isEqualTo(1);

    assertThatThrownBy(() -> join(announced)).hasRootCauseInstanceOf(FabricException.class);
    awaitUnexpected(1); // the whole one is still there; the bytes of the other were at the client
    pool.postReceive(buffer, 0, 100, 1, 0, -1, "whole");
    assertThat(read(1).get(0).context()).isEqualTo("whole");
    pool.postReceive(buffer, 0, 100, 4, 0, clientAtServer(), "names it after the close");
    join(send(b, message(60, 4), 4));
    assertThat(read(1).get(0))
        .isInstanceOf(Completion.Received.class)
        .extracting(Completion::context)
        .isEqualTo("names it after the close");
    join(send(b, message(60, 3), 3));
    assertThat(read(1).get(0))
        .isInstanceOf(Completion.Received.class)
        .extracting(Completion::context)
        .isEqualTo("names the client");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldFailAReceiveThatNamesAPeerWhenTheLastEndpointHasLostIt(
      ProgressMode mode, String handOver) {
    open(mode, handOver);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[LONG]);
    join(client.futures().connect(to(a)));
    join(client.futures().connect(to(b)));
    pool.postReceive(buffer, 0, 100, 3, 0, clientAtServer(), "names");
    pool.postReceive(buffer, 100, 100, 3, 0, -1, "any");
    join(client.close(Duration.ofSeconds(1)));
    Completion.Failed failed = (Completion.Failed) read(1).get(0);
    assertThat(failed.context()).isEqualTo("names");
    assertThat(failed.error()).isEqualTo(FabricError.SHUTDOWN);
    pool.postReceive(buffer, 0, 100, 3, 0, clientAtServer(), "after");
    assertThat(((Completion.Failed) read(1).get(0)).error()).isEqualTo(FabricError.SHUTDOWN);
    pool.post(Probe.peek(TagSelector.exact(3).from(clientAtServer())), "peek");
    assertThat(((Completion.Failed) read(1).get(0)).error()).isEqualTo(FabricError.SHUTDOWN);

    client = clients.openEndpoint("another");
    join(send(b, message(60, 3), 3));
    assertThat(read(1).get(0).context()).isEqualTo("any");
  }

  /** MANUAL only: there a transfer can be held half way. */
  @ParameterizedTest
  @ValueSource(strings = {"call", "mailbox"})
  void shouldEndWhatHasMatchedWhenTheEndpointItCameToCloses(String handOver) {
    open(ProgressMode.MANUAL, handOver);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[LONG]);
    pool.postReceive(buffer, 0, LONG, 2, 0, -1, "long");
    pool.postReceive(buffer, 0, 100, 2, 0, -1, "next");
    send(a, message(LONG, 2), 2);
    assertThat(
            server.await(
                () -> {
                  boolean matched = state().postedReceives() == 1;
                  if (!matched) {
                    clients.loop().advance();
                  }
                  return matched;
                },
                PATIENCE))
        .isTrue();
    CompletionStage<Endpoint.Closed> closing = a.close(Duration.ZERO);
    assertThat(server.await(() -> closing.toCompletableFuture().isDone(), PATIENCE)).isTrue();
    Completion.Failed failed = (Completion.Failed) read(1).get(0);
    assertThat(failed.context()).isEqualTo("long");
    assertThat(failed.error()).isEqualTo(FabricError.CANCELED);
    join(send(b, message(60, 3), 2));
    assertThat(read(1).get(0).context()).isEqualTo("next");
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldKeepAllThatWaitsWithinOneBudget(ProgressMode mode, String handOver) {
    server = domain(mode, handOver);
    clients = domain(mode, handOver);
    EndpointSettings settings = server.endpointDefaults();
    long budget = settings.flow().unexpectedBudgetBytes();
    pool = server.openReceiveContext("pool");
    List<Endpoint> shared = new ArrayList<>();
    int count = 3 * (int) (budget / settings.flow().eagerCreditBytes()) + 3;
    int length = 8_000;
    int each = (int) (settings.flow().eagerCreditBytes() / length) + 1;
    List<CompletionStage<Completion.Sent>> sends = new ArrayList<>();
    client = clients.openEndpoint("client");
    for (int i = 0; i < count; i++) {
      shared.add(openShared("e" + i));
      for (int m = 0; m < each; m++) {
        sends.add(send(shared.get(i), message(length, m), 1));
      }
    }
    int total = count * each;
    for (int i = 0; i < 2_000; i++) {
      server.loop().advance();
      clients.loop().advance();
    }
    assertThat(state().peakUnexpectedBytes()).isPositive().isLessThanOrEqualTo(budget);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
    for (int i = 0; i < total; i++) {
      pool.postReceive(buffer, 0, length, 1, 0, -1, i);
      assertThat(read(1).get(0)).isInstanceOf(Completion.Received.class);
    }
    sends.forEach(this::join);
    assertThat(state().peakUnexpectedBytes()).isLessThanOrEqualTo(budget);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldCountItsReceivesAndLeaveNoEntriesOfSuccess(ProgressMode mode, String handOver) {
    server = domain(mode, handOver);
    clients = domain(mode, handOver);
    Counter counter = server.openCounter();
    pool =
        server.openReceiveContext(
            "pool",
            ReceiveBindings.to(server.openCompletionQueue(4))
                .counting(counter)
                .telling(Completions.ERRORS),
            server.endpointDefaults());
    a = openShared("a");
    b = openShared("b");
    client = clients.openEndpoint("client");
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[10]);
    for (int i = 0; i < 4; i++) {
      pool.postReceive(buffer, 0, 10, 1, 0, -1, i);
      join(send(i % 2 == 0 ? a : b, message(i == 3 ? 11 : 5, i), 1));
    }
    assertThat(
            server.await(
                () -> {
                  clients.loop().advance();
                  return counter.value() == 3 && counter.errors() == 1;
                },
                PATIENCE))
        .isTrue();
    assertThat(((Completion.Failed) read(1).get(0)).error()).isEqualTo(FabricError.TRUNCATED);
    assertThatThrownBy(counter::close).hasMessageContaining("close them first");
    join(a.close(Duration.ZERO));
    join(b.close(Duration.ZERO));
    join(pool.close());
    counter.close();
    assertThat(counter.isClosed()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldRefuseWhatItsEndpointsAndItCannotDo(ProgressMode mode, String handOver) {
    open(mode, handOver);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[10]);
    TagSelector any = TagSelector.any();
    for (Runnable call :
        List.<Runnable>of(
            () -> a.postReceive(buffer, 0, 10, 1, 0, -1, null),
            () -> a.post(TaggedReceive.untagged(-1).into(buffer, 0, 10), null),
            () -> a.post(TaggedReceive.of(any).into(buffer, 0, 10).many(1), null),
            () -> a.post(Probe.peek(TagSelector.exact(1)), null),
            () -> a.futures().receiveTagged(any),
            () -> a.futures().start(Probe.peek(any)),
            () -> a.futures().subscribe(any, TestInbox.<Object>create().getRef()),
            () ->
                a.deferred()
                    .receive(
                        TaggedReceive.of(any).into(buffer, 0, 10).completions(Completions.ALL),
                        null))) {
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(call::run)
          .withMessageContaining("shares the receives of context [pool]")
          .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.OPERATION_NOT_SUPPORTED));
    }
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(pool::close)
        .withMessageContaining("endpoints=2")
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.BUSY));
    assertThat(pool.isOpen()).isTrue();
    EndpointBindings bindings = EndpointBindings.to(server.openCompletionQueue(4), pool);
    assertThatThrownBy(() -> bindings.only(Direction.SEND)).hasMessageContaining("send only");
    assertThatThrownBy(() -> bindings.countingReceives(server.openCounter()))
        .hasMessageContaining("context [pool]");
    assertThatThrownBy(() -> clients.openEndpoint("x", bindings))
        .hasMessageContaining("another domain");

    join(a.close(Duration.ZERO));
    join(b.close(Duration.ZERO));
    assertThat(pool.endpoints()).isZero();
    pool.postReceive(buffer, 0, 10, 1, 0, -1, "one");
    pool.postReceive(buffer, 0, 10, 2, 0, -1, "two");
    assertThat(join(pool.close())).isEqualTo(2);
    assertThat(read(2))
        .allSatisfy(
            each -> assertThat(((Completion.Failed) each).error()).isEqualTo(FabricError.CANCELED));
    assertThat(join(pool.close())).isZero();
    assertThatThrownBy(() -> pool.postReceive(buffer, 0, 10, 1, 0, -1, null))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("receive context [pool] is closed");
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> server.openEndpoint("late", bindings))
        .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.BAD_STATE));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldEndWithItsEndpointsWhenItsActorIsStopped(ProgressMode mode, String handOver) {
    open(mode, handOver);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[10]);
    pool.postReceive(buffer, 0, 10, 1, 0, -1, "posted");
    assertThat(state().postedReceives()).isEqualTo(1);
    Adapter.toClassic(kit(handOver).system()).stop(Adapter.toClassic(pool.matcher()));
    Completion.Failed failed = (Completion.Failed) read(1).get(0);
    assertThat(failed.error()).isEqualTo(FabricError.CANCELED);
    assertThat(
            server.await(
                () -> {
                  clients.loop().advance();
                  return !a.isOpen() && !b.isOpen() && pool.endpoints() == 0;
                },
                PATIENCE))
        .isTrue();
    assertThat(pool.isOpen()).isFalse();
    assertThatThrownBy(() -> join(send(a, message(5, 5), 1)))
        .hasRootCauseInstanceOf(FabricException.class);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldEndWithItsDomain(ProgressMode mode, String handOver) {
    open(mode, handOver);
    UnsafeBuffer buffer = new UnsafeBuffer(new byte[10]);
    pool.postReceive(buffer, 0, 10, 1, 0, -1, "posted");
    server.close(Duration.ZERO);
    List<Completion> left = pool.receiveQueue().read(10);
    assertThat(left).hasSize(1);
    assertThat(((Completion.Failed) left.get(0)).error()).isEqualTo(FabricError.CANCELED);
    assertThat(pool.isOpen()).isFalse();
    assertThat(Arrays.asList(a.isOpen(), b.isOpen())).containsExactly(false, false);
  }
}
