package io.tagfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.tagfabric.cluster.settings.Settings;
import io.tagfabric.complete.Completion;
import io.tagfabric.complete.CompletionQueue;
import io.tagfabric.endpoint.Endpoint;
import io.tagfabric.error.FabricError;
import io.tagfabric.error.FabricException;
import io.tagfabric.link.EndpointSettings;
import io.tagfabric.progress.ProgressMode;
import io.tagfabric.progress.ProgressThread;
import io.tagfabric.provider.Provider;
import io.tagfabric.provider.faults.FaultSettings;
import io.tagfabric.provider.faults.FaultyProvider;
import io.tagfabric.support.Await;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FabricTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ActorSystem<Void> system = start("tagfabric.provider.use = [local]");

  private static ActorSystem<Void> start(String more) {
    return ActorSystem.create(
        Behaviors.empty(),
        "fabric-test",
        ConfigFactory.parseString(more + "\nakka.loglevel = ERROR\nakka.log-dead-letters = off")
            .withFallback(ConfigFactory.load()));
  }

  @AfterEach
  void stop() throws Exception {
    stop(system);
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!fabricThreads().isEmpty()) {
      assertThat(System.nanoTime() - deadlineNs).as("threads left").isNegative();
      Thread.yield();
    }
  }

  private static void stop(ActorSystem<?> ending) throws Exception {
    ending.terminate();
    ending.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static List<String> fabricThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tagfabric-") || name.startsWith("fabric-test-"))
        .toList();
  }

  @Test
  void shouldRefuseADomainWhenItsNameIsTakenOrOdd() {
    Fabric fabric = Fabric.get(system);
    fabric.openDomain("one", ProgressMode.MANUAL);

    assertThatIllegalStateException()
        .isThrownBy(() -> fabric.openDomain("one"))
        .withMessageContaining("is taken");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fabric.openDomain("a b"))
        .withMessage("domain name [a b] must be of letters, digits, - and _");
    assertThat(fabric.domains()).hasSize(1);
  }

  @Test
  void shouldOpenADomainWhenItIsNamedLikeAnActorOfTheFabric() {
    Fabric fabric = Fabric.get(system);

    for (String name : List.of("names", "membership", "job", "one", "one-progress")) {
      assertThat(fabric.openDomain(name, ProgressMode.AUTO).name()).isEqualTo(name);
    }
  }

  @Test
  void shouldRefuseAnEndpointWhenItsQueueIsOfAnotherDomain() {
    Domain one = Fabric.get(system).openDomain("one", ProgressMode.MANUAL);
    Domain two = Fabric.get(system).openDomain("two", ProgressMode.AUTO);
    CompletionQueue queue = two.openCompletionQueue(1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> one.openEndpoint("e", queue, queue))
        .withMessageContaining("DOMAIN")
        .withMessageContaining("[one]");
  }

  @Test
  void shouldRefuseAnEndpointWhenNoProviderCanServeIt() {
    Domain domain = Fabric.get(system).openDomain("one", ProgressMode.MANUAL);
    CompletionQueue queue = domain.openCompletionQueue(1);
    EndpointSettings defaults = domain.endpointDefaults();

    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(
            () -> domain.openEndpoint("e", queue, queue, defaults.withProviders(List.of("nix"))))
        .withMessageStartingWith("provider.use names [nix], there are [")
        .matches(e -> e.error() == FabricError.NO_DATA);
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(
            () -> domain.openEndpoint("e", queue, queue, defaults.withProviders(List.of("artery"))))
        .withMessageContaining("set akka.actor.provider=cluster")
        .matches(e -> e.error() == FabricError.HOST_UNREACHABLE);
    assertThat(
            domain
                .openEndpoint("e", queue, queue, defaults.withProviders(List.of("artery", "local")))
                .address()
                .providers())
        .containsOnlyKeys("local");
  }

  @Test
  void shouldTakeAnAddedProviderInsteadOfTheOneOfItsName() {
    Fabric fabric = Fabric.get(system);
    Provider added =
        FaultyProvider.decorate(
            fabric.providers().get("local"), new FaultSettings(0.5, 0, 0, 0, 1, 1));

    fabric.addProvider(added);

    assertThat(fabric.providers()).containsEntry("local", added).containsKey("artery");
    assertThat(
            fabric.openDomain("one", ProgressMode.MANUAL).openEndpoint("e").address().providers())
        .containsKey("local");
  }

  @Test
  void shouldRefuseAnEndpointWhenItsPacketsDoNotFitTheDomain() {
    Domain domain = Fabric.get(system).openDomain("one", ProgressMode.MANUAL);
    CompletionQueue queue = domain.openCompletionQueue(1);
    EndpointSettings own = domain.endpointDefaults();
    EndpointSettings other =
        new EndpointSettings(
            own.injectBytes(),
            own.maxMessageBytes(),
            own.maxPendingFutures(),
            own.maxUnexpectedClasses(),
            own.providers(),
            own.packetBytes() / 2 * 2 - 8,
            own.askTimeout(),
            own.flow(),
            own.memory(),
            own.active());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.openEndpoint("e", queue, queue, other))
        .withMessageContaining("packetBytes=" + (own.packetBytes() - 8));
  }

  @Test
  void shouldEndEverythingWhenADomainCloses() {
    for (ProgressMode mode : ProgressMode.values()) {
      Domain domain = Fabric.get(system).openDomain("closing-" + mode, mode);
      Endpoint endpoint = domain.openEndpoint("e");
      endpoint.postReceive(ByteBuffer.allocate(1), 1, 0, "posted");

      domain.close(Duration.ZERO);
      domain.close(Duration.ZERO);

      assertThat(endpoint.receiveQueue().read(5))
          .singleElement()
          .isInstanceOfSatisfying(
              Completion.Failed.class,
              failed -> {
                assertThat(failed.error()).isEqualTo(FabricError.CANCELED);
                assertThat(failed.context()).isEqualTo("posted");
              });
      assertThatIllegalStateException()
          .isThrownBy(() -> domain.openEndpoint("late"))
          .withMessage("domain [closing-" + mode + "] is closed, open another");
      assertThat(Fabric.get(system).domains()).isEmpty();
    }
  }

  @Test
  void shouldCloseItsDomainsWhenTheSystemEnds() throws Exception {
    Endpoint manual = Fabric.get(system).openDomain("m", ProgressMode.MANUAL).openEndpoint("m");
    Endpoint auto = Fabric.get(system).openDomain("a", ProgressMode.AUTO).openEndpoint("a");
    manual.postReceive(ByteBuffer.allocate(1), 1, 0, "posted");
    auto.postReceive(ByteBuffer.allocate(1), 1, 0, "posted");

    stop(system);

    assertThat(Stream.of(manual, auto).map(each -> each.receiveQueue().read(5).size()))
        .containsExactly(1, 1);
  }

  @Test
  void shouldRunADomainWhileTheThreadThatWaitsIsInterrupted() {
    Domain domain = Fabric.get(system).openDomain("one", ProgressMode.MANUAL);
    Thread.currentThread().interrupt();

    Endpoint endpoint = domain.openEndpoint("e");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(endpoint.address().name()).isEqualTo("e");
    assertThat(domain.await(() -> false, Duration.ofNanos(1))).isFalse();
  }

  private static int partitionKey(String given) {
    return Settings.of(
            ConfigFactory.parseString("tagfabric.partition.key = \"" + given + "\"")
                .withFallback(ConfigFactory.load()))
        .get(FabricSettings.PARTITION_KEY);
  }

  @Test
  void shouldIgnoreTheMembershipBitOfAPartitionKey() {
    assertThat(partitionKey("0x8001")).isEqualTo(1);
    assertThat(partitionKey("0xffff")).isEqualTo(0x7FFF);
    assertThat(partitionKey("32770")).isEqualTo(2);
    assertThat(partitionKey("0x7fff")).isEqualTo(0x7FFF);
  }

  @Test
  void shouldRefuseAPartitionKeyOutOfRange() {
    for (String wrong : List.of("0", "0x8000", "-1", "0x10000", "a")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> partitionKey(wrong))
          .withMessageContaining("tagfabric.partition.key")
          .withMessageContaining("a whole number from 1 to 0x7fff");
    }
  }

  @Test
  void shouldMoveNothingWhileTheProgressThreadIsPaused() {
    Domain one = Fabric.get(system).openDomain("one", ProgressMode.AUTO);
    Domain two = Fabric.get(system).openDomain("two", ProgressMode.AUTO);
    Endpoint from = one.openEndpoint("from");
    Endpoint to = two.openEndpoint("to");
    int peer = one.addressVector().insert(to.address());
    for (int i = 0; i < 2; i++) {
      to.postReceive(ByteBuffer.allocateDirect(8), 7, 0, i);
    }
    from.sendTagged(peer, ByteBuffer.allocateDirect(8), 7, "before");
    assertThat(to.receiveQueue().readBlocking(PATIENCE).context()).isEqualTo(0);
    assertThat(from.transmitQueue().readBlocking(PATIENCE).context()).isEqualTo("before");

    ask(two, ProgressThread.Pause::new);
    from.sendTagged(peer, ByteBuffer.allocateDirect(8), 7, "while paused");
    assertThat(from.transmitQueue().readBlocking(PATIENCE).context()).isEqualTo("while paused");
    ProgressThread.State paused = ask(two, ProgressThread.GetState::new);
    assertThat(paused.driving()).isFalse();
    assertThat(to.receiveQueue().ring().isEmpty()).isTrue();
    assertThat(ask(two, ProgressThread.GetState::new)).isEqualTo(paused);
    assertThat(ask(one, ProgressThread.GetState::new).driving()).isTrue();

    two.progress().tell(ProgressThread.Resume.INSTANCE);
    Await.until("the message comes", () -> !to.receiveQueue().ring().isEmpty());
    assertThat(ask(two, ProgressThread.GetState::new).driving()).isTrue();
    ask(two, ProgressThread.Pause::new);
    two.close(); // waits drive
  }

  private <T> T ask(Domain domain, Function<ActorRef<T>, ProgressThread.Command> command) {
    return Await.get(
        AskPattern.ask(domain.progress(), command::apply, PATIENCE, system.scheduler()));
  }

  @Test
  void shouldHaveNoProgressThreadInManualMode() {
    Domain domain = Fabric.get(system).openDomain("one", ProgressMode.MANUAL);

    assertThatIllegalStateException()
        .isThrownBy(domain::progress)
        .withMessageStartingWith("progress mode=MANUAL of domain [one] is not AUTO")
        .withMessageContaining("ProgressMode.AUTO");
    assertThat(domain.progressSettings().mode()).isEqualTo(ProgressMode.MANUAL);
  }

  @Test
  void shouldNameTheProgressThreadAfterItsDomain() {
    Fabric.get(system).openDomain("one", ProgressMode.AUTO).openCompletionQueue(1);

    Await.until("it has its name", () -> fabricThreads().contains("tagfabric-progress-one"));
  }
}
