package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.address.EndpointAddress;
import io.tagfabric.complete.Completion;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.send.TaggedSend;
import io.tagfabric.match.Probe;
import io.tagfabric.match.TaggedReceive;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.tag.TagSelector;
import io.tagfabric.tag.TaggedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One address over several domains, as its peers and its contexts see it. */
class ScalableEndpointTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int SHIFT = 8;
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final Map<String, ActorTestKit> KITS = new LinkedHashMap<>();

  private final List<ScalableEndpoint> servers = new ArrayList<>();
  private final List<Domain> domains = new ArrayList<>();
  private Fabric fabric;
  private ProgressMode mode;

  static Stream<Arguments> ways() {
    return Stream.of(ProgressMode.values())
        .flatMap(
            mode -> Stream.of("call", "mailbox").map(handOver -> Arguments.of(mode, handOver)));
  }

  private void start(ProgressMode newMode, String handOver) {
    Config config =
        ConfigFactory.parseString("tagfabric.progress.hand-over = " + handOver)
            .withFallback(ConfigFactory.load());
    ActorTestKit kit =
        KITS.computeIfAbsent(handOver, way -> ActorTestKit.create("scalable-" + way, config));
    mode = newMode;
    fabric = Fabric.get(kit.system());
  }

  private ScalableEndpoint server(int contexts, int bits) {
    ScalableEndpoint server =
        fabric.openScalableEndpoint(
            "server-" + NUMBER.incrementAndGet(),
            ScalableOptions.of(contexts)
                .choosingBy(SHIFT, bits)
                .progressing(fabric.progressDefaults().withMode(mode)));
    servers.add(server);
    return server;
  }

  private Endpoint client() {
    Domain domain = fabric.openDomain("client-" + NUMBER.incrementAndGet(), mode);
    domains.add(domain);
    return domain.openEndpoint("client");
  }

  private Domain domainOf(Endpoint endpoint) {
    return domains.stream().filter(each -> each.has(endpoint)).findFirst().orElseThrow();
  }

  @AfterEach
  void close() {
    servers.forEach(server -> server.close(Duration.ZERO));
    domains.forEach(domain -> domain.close(Duration.ZERO));
  }

  @AfterAll
  static void stop() {
    KITS.values().forEach(ActorTestKit::shutdownTestKit);
    KITS.clear();
  }

  /** Drives all domains until something has ended. */
  private <T> T join(CompletionStage<T> stage) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (!stage.toCompletableFuture().isDone()) {
      assertThat(System.nanoTime() - deadlineNs).as("in time").isNegative();
      servers.forEach(server -> server.domains().forEach(domain -> domain.loop().advance()));
      domains.forEach(domain -> domain.loop().advance());
    }
    return stage.toCompletableFuture().join();
  }

  private FabricError errorOf(CompletionStage<?> stage) {
    try {
      throw new AssertionError("it has not failed: " + join(stage));
    } catch (CompletionException e) {
      return ((FabricException) e.getCause()).error();
    }
  }

  /** Sends to the first context until it is known to be closed. */
  private void awaitShutdown(Endpoint client, int peer) {
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        join(client.futures().sendTagged(peer, new byte[1], 0));
        assertThat(System.nanoTime() - deadlineNs).as("in time").isNegative();
      } catch (CompletionException e) {
        assertThat(((FabricException) e.getCause()).error()).isEqualTo(FabricError.SHUTDOWN);
        return;
      }
    }
  }

  private static CompletionStage<TaggedMessage> receive(Endpoint endpoint, long tag) {
    return endpoint.futures().receiveTagged(TagSelector.exact(tag));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldBringAMessageToTheContextThatItsTagChooses(ProgressMode newMode, String handOver) {
    start(newMode, handOver);
    ScalableEndpoint server = server(3, 2);
    Endpoint client = client();
    int peer = domainOf(client).addressVector().insert(server.address());
    int clientThere = -1;
    for (int length : new int[] {0, 40, 5_000, 300_000}) {
      for (int i = 0; i < 3; i++) {
        long tag = ((long) i << SHIFT) | 7;
        var received = receive(server.contexts().get(i), tag);
        var sent = client.futures().sendTagged(peer, new byte[length], tag);
        TaggedMessage message = join(received);
        assertThat(message.payload().length()).isEqualTo(length);
        assertThat(join(sent).peer()).isEqualTo(peer);
        clientThere = message.source();
        assertThat(server.domains().get(i).addressVector().lookup(clientThere))
            .isEqualTo(client.address());
        var answer = client.futures().receiveTagged(TagSelector.exact(tag).from(peer));
        server.contexts().get(i).futures().sendTagged(clientThere, new byte[1], tag);
        assertThat(join(answer).source()).isEqualTo(peer);
      }
    }
    UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
    var injected = receive(server.contexts().get(2), (2L << SHIFT) | 9);
    client.injectTagged(peer, bytes, 0, 8, (2L << SHIFT) | 9);
    assertThat(join(injected).payload().length()).isEqualTo(8);
    assertThat(errorOf(client.futures().sendTagged(peer, new byte[1], 3L << SHIFT)))
        .isEqualTo(FabricError.INVALID);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldBringAMessageToTheContextThatAnIndexNames(ProgressMode newMode, String handOver) {
    start(newMode, handOver);
    ScalableEndpoint server = server(2, 0);
    Endpoint client = client();
    var vector = domainOf(client).addressVector();
    int peer = vector.insert(server.address());
    assertThat(vector.insert(EndpointAddress.parse(server.address().encode()))).isEqualTo(peer);
    assertThat(vector.context(peer, 0)).isNotEqualTo(peer);
    for (int i = 0; i < 2; i++) {
      var received = receive(server.contexts().get(i), 7);
      client.futures().sendTagged(vector.context(peer, i), new byte[10 + i], 7);
      assertThat(join(received).payload().length()).isEqualTo(10 + i);
    }
    var first = receive(server.contexts().get(0), 8);
    client.futures().sendTagged(peer, new byte[1], 8);
    join(first);
    var untagged =
        server.contexts().get(0).futures().receive(TaggedReceive.untagged(TagSelector.ANY_SOURCE));
    client.futures().start(TaggedSend.untagged(peer, new UnsafeBuffer(new byte[3])));
    assertThat(join(untagged).payload().length()).isEqualTo(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> vector.context(peer, 2))
        .withMessageContaining("contexts=2");
    assertThatIllegalArgumentException().isThrownBy(() -> vector.context(peer + 1, 0));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldCallTheWholeEndpointTheSourceOfWhatItsContextsSend(
      ProgressMode newMode, String handOver) {
    start(newMode, handOver);
    ScalableEndpoint sender = server(2, 1);
    ScalableEndpoint server = server(2, 1);
    int[] there = sender.insert(server.address());
    Endpoint context = server.contexts().get(1);
    int source = server.domains().get(1).addressVector().insert(sender.address());
    long tag = 1L << SHIFT;
    List<TaggedMessage> came = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      var received = context.futures().receiveTagged(TagSelector.exact(tag).from(source));
      sender.contexts().get(i).futures().sendTagged(there[i], new byte[i + 1], tag);
      came.add(join(received));
    }
    assertThat(came).extracting(TaggedMessage::source).containsExactly(source, source);
    // The answer goes to the context that its tag chooses, whichever has sent.
    var answer = receive(sender.contexts().get(0), 5);
    context.futures().sendTagged(source, new byte[1], 5);
    join(answer);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldRefuseReceivesThatNoTagOfThisContextFits(ProgressMode newMode, String handOver) {
    start(newMode, handOver);
    ScalableEndpoint server = server(2, 1);
    Endpoint context = server.contexts().get(1);
    long own = 1L << SHIFT;
    for (TagSelector selector :
        List.of(
            TagSelector.any(),
            TagSelector.exact(7),
            new TagSelector(own, own, TagSelector.ANY_SOURCE))) {
      assertThat(errorOf(context.futures().receiveTagged(selector))).isEqualTo(FabricError.INVALID);
      assertThat(errorOf(context.futures().start(Probe.peek(selector))))
          .isEqualTo(FabricError.INVALID);
    }
    assertThat(
            errorOf(
                context
                    .futures()
                    .start(Probe.peek(new TagSelector(own, 0xFF, TagSelector.ANY_SOURCE)))))
        .isEqualTo(FabricError.NO_MESSAGE);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldFailReceivesThatNameItWhenTheLastContextIsLost(ProgressMode newMode, String handOver) {
    start(newMode, handOver);
    ScalableEndpoint server = server(2, 1);
    Endpoint client = client();
    var vector = domainOf(client).addressVector();
    int peer = vector.insert(server.address());
    join(client.futures().connect(vector.context(peer, 0)));
    join(client.futures().connect(vector.context(peer, 1)));
    var named = client.futures().receiveTagged(TagSelector.exact(3).from(peer));
    server.domains().get(0).close(Duration.ofSeconds(1));
    awaitShutdown(client, peer);
    assertThat(named.toCompletableFuture().isDone()).isFalse();
    var stillThere = receive(server.contexts().get(1), 1L << SHIFT);
    client.futures().sendTagged(peer, new byte[1], 1L << SHIFT);
    join(stillThere);
    server.domains().get(1).close(Duration.ofSeconds(1));
    assertThat(errorOf(named)).isEqualTo(FabricError.SHUTDOWN);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldBeRemovedAndInsertedWithItsContexts(ProgressMode newMode, String handOver) {
    start(newMode, handOver);
    ScalableEndpoint server = server(2, 1);
    Endpoint client = client();
    var vector = domainOf(client).addressVector();
    int peer = vector.insertAll(List.of(client.address(), server.address()))[1];
    int context = vector.context(peer, 1);
    assertThat(vector.remove(context)).isTrue();
    assertThat(vector.lookup(peer)).isNull();
    assertThat(vector.lookup(context)).isNull();
    assertThat(errorOf(client.futures().sendTagged(peer, new byte[1], 0)))
        .isEqualTo(FabricError.ADDRESS_NOT_AVAILABLE);
    int again = vector.insert(server.address());
    assertThat(again).isGreaterThan(peer);
    var received = receive(server.contexts().get(1), 1L << SHIFT);
    client.futures().sendTagged(again, new byte[1], 1L << SHIFT);
    join(received);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldBeFoundByItsName(ProgressMode newMode, String handOver) {
    start(newMode, handOver);
    ScalableEndpoint server = server(2, 1);
    String name = server.address().name();
    join(server.register(name));
    Endpoint client = client();
    int peer = join(domainOf(client).connect(name));
    assertThat(domainOf(client).addressVector().lookup(peer)).isEqualTo(server.address());
    var received = receive(server.contexts().get(1), 1L << SHIFT);
    client.futures().sendTagged(peer, new byte[1], 1L << SHIFT);
    join(received);
    server.close(Duration.ZERO);
    join(fabric.register(name, client)); // nobody has the name any more
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldKeepTheOrderInEachContext(ProgressMode newMode, String handOver) {
    start(newMode, handOver);
    ScalableEndpoint server = server(2, 1);
    Endpoint client = client();
    int peer = domainOf(client).addressVector().insert(server.address());
    List<CompletionStage<Completion.Sent>> sends = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      long tag = (long) (i % 2) << SHIFT;
      int length = i % 10 == 3 ? 100_000 + i : i;
      sends.add(client.futures().sendTagged(peer, new byte[length], tag));
    }
    for (int i = 0; i < 200; i++) {
      TaggedMessage message = join(receive(server.contexts().get(i % 2), (long) (i % 2) << SHIFT));
      assertThat(message.payload().length()).isEqualTo(i % 10 == 3 ? 100_000 + i : i);
    }
    sends.forEach(this::join);
  }

  @ParameterizedTest
  @MethodSource("ways")
  void shouldRefuseOptionsThatDoNotFit(ProgressMode newMode, String handOver) {
    start(newMode, handOver);
    assertThatIllegalArgumentException().isThrownBy(() -> ScalableOptions.of(0));
    assertThatIllegalArgumentException().isThrownBy(() -> ScalableOptions.of(65));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ScalableOptions.of(3).choosingBy(0, 1))
        .withMessageContaining("tagBits=1 cannot name contexts=3");
    assertThatIllegalArgumentException().isThrownBy(() -> ScalableOptions.of(3).choosingBy(63, 2));
    ScalableEndpoint server = server(2, 0);
    assertThatThrownBy(
            () -> fabric.openScalableEndpoint(server.address().name(), ScalableOptions.of(1)))
        .isInstanceOf(IllegalStateException.class);
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> server.address().context(2));
  }
}
